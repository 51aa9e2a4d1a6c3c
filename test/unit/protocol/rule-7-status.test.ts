import { describe, expect, it } from 'vitest';
import type { EventName } from '../../../protocol/events.ts';
import { SessionTable } from '../../../protocol/table.ts';
import { type Driver, drive, type Fields, MINUTE, SECOND, T0, tableOptions } from '../../support/driving.ts';
import { says, sent, sentBegin, tells } from '../../support/observing.ts';

const BASH = { tool: 'Bash', digest: '00000000000000aa' };
const SHELL_WORK = [{ id: 'b1', type: 'shell', status: 'running' }];

function begun(): Driver {
  const driver = drive();
  sentBegin(driver);
  return driver;
}

/** The same table with the user's word that what waits now has been seen. */
function acknowledged(driver: Driver): Driver {
  const again = drive();
  const sessions = [...driver.table.sessions()].map((session) => ({
    ...session,
    acked: session.attentions.map((open) => open.id),
  }));
  again.wait(driver.now() - T0);
  again.table.restore({ sessions, providers: [] }, again.now());
  again.wait(0);
  return again;
}

describe('rule 7: waiting, newer than the last hook', () => {
  it.each([
    ['permission prompt', 'permission', 'permission_request', 'permission'],
    ['input needed', 'question', 'question', 'permission'],
    ['dialog open', 'dialog', 'dialog', 'needs_review'],
    ['a word of tomorrow', 'permission', 'permission_request', 'permission'],
    [undefined, 'permission', 'permission_request', 'permission'],
  ])('waiting for %s: a %s', (waiting_for, kind, reason, lamp) => {
    const driver = begun();
    tells(driver, 'waiting', waiting_for === undefined ? {} : { waiting_for });
    expect([driver.kinds(), ...says(driver)]).toEqual([[kind], 'needs_user', reason, lamp]);
    driver.wait(SECOND);
    expect(driver.alert()).toBe(1);
  });

  it('what is open already is the same wait', () => {
    const driver = begun();
    sent(driver, 'PermissionRequest', BASH);
    const before = driver.the().attentions;
    tells(driver, 'waiting', { waiting_for: 'permission prompt' }, { after: 20 });
    expect(driver.the().attentions).toEqual(before);
    driver.wait(5 * SECOND);
    expect(driver.alert()).toBe(1);
  });

  it('a PermissionRequest that arrives later takes the wait over, without a second alert', () => {
    const driver = begun();
    tells(driver, 'waiting', { waiting_for: 'permission prompt' });
    const [told] = driver.the().attentions;
    driver.wait(SECOND);
    sent(driver, 'PermissionRequest', { ...BASH, agent_id: 'a1' });
    expect(driver.the().attentions).toMatchObject([
      { id: told?.id, opened_at: told?.opened_at, ...BASH, agent_id: 'a1', evidence: { origin: 'hook' } },
    ]);
    driver.wait(5 * SECOND);
    expect(driver.alert()).toBe(1);
    sent(driver, 'PostToolUse', { ...BASH, agent_id: 'a1' });
    expect(driver.state()).toBe('running');
  });

  it('so does one whose moment was before the status’s', () => {
    const driver = begun();
    tells(driver, 'waiting', { waiting_for: 'permission prompt' });
    driver.wait(SECOND);
    sent(driver, 'PermissionRequest', BASH, { after: 0, ago: SECOND + 40 });
    expect(driver.kinds()).toEqual(['permission']);
    driver.wait(5 * SECOND);
    expect(driver.alert()).toBe(1);
  });

  it.each<[string, EventName, Fields, string]>([
    ['input needed', 'PreToolUse', { tool: 'AskUserQuestion' }, 'question'],
    ['permission prompt', 'PreToolUse', { tool: 'ExitPlanMode' }, 'plan_approval'],
    ['input needed', 'Elicitation', { request: 'e1' }, 'elicitation'],
    ['dialog open', 'PreModelSwitch', {}, 'dialog'],
  ])('%s is what %s %j asks', (waiting_for, event, fields, kind) => {
    const driver = begun();
    tells(driver, 'waiting', { waiting_for });
    sent(driver, event, fields);
    expect(driver.kinds()).toEqual([kind]);
  });

  it.each<[string, EventName, Fields]>([
    ['dialog open', 'PermissionRequest', BASH],
    ['permission prompt', 'PreModelSwitch', {}],
  ])('%s is not what %s %j asks: both are open', (waiting_for, event, fields) => {
    const driver = begun();
    tells(driver, 'waiting', { waiting_for });
    sent(driver, event, fields);
    expect(driver.kinds()).toHaveLength(2);
  });

  it('a notification never makes less of it than it is', () => {
    const driver = begun();
    tells(driver, 'waiting', { waiting_for: 'permission prompt' });
    driver.hook('Notification');
    expect(says(driver)).toEqual(['needs_user', 'permission_request', 'permission']);
  });

  it('a parallel tool’s end does not end what a status has told of', () => {
    const driver = begun();
    tells(driver, 'waiting', { waiting_for: 'permission prompt' });
    sent(driver, 'PostToolUse', { tool: 'Read', agent_id: 'a1' });
    driver.wait(5 * SECOND);
    expect([driver.state(), driver.alert()]).toEqual(['needs_user', 1]);
  });

  it.each<[string, boolean, EventName, Fields, string]>([
    [
      'a subagent works on, as it lists',
      false,
      'Stop',
      { background: [{ id: 'a1', type: 'subagent', status: 'running' }] },
      'needs_user',
    ],
    ['a subagent works on, as far as is known', true, 'Stop', {}, 'needs_user'],
    ['a subagent works on through an error', true, 'StopFailure', { error: 'overloaded' }, 'needs_user'],
    ['none does', false, 'Stop', {}, 'done'],
    [
      'what it lists is over',
      true,
      'Stop',
      { background: [{ id: 'a1', type: 'subagent', status: 'completed' }] },
      'done',
    ],
    ['only a shell does', false, 'Stop', { background: SHELL_WORK }, 'running'],
  ])(
    'a status does not tell who waits; a turn’s end answers it unless %s (%j)',
    (_what, agent, event, fields, state) => {
      const driver = begun();
      if (agent) sent(driver, 'SubagentStart', { agent_id: 'a1' });
      tells(driver, 'waiting', { waiting_for: 'permission prompt' });
      sent(driver, event, { prompt_id: 'p1', ...fields });
      expect(driver.state()).toBe(state);
    },
  );

  it('a wait for something else is another wait', () => {
    const driver = begun();
    sent(driver, 'Stop', { prompt_id: 'p1' });
    tells(driver, 'waiting', { waiting_for: 'dialog open' });
    driver.wait(SECOND);
    expect(driver.alert()).toBe(0);
    tells(driver, 'waiting', { waiting_for: 'permission prompt' });
    expect(says(driver)).toEqual(['needs_user', 'permission_request', 'permission']);
    driver.wait(SECOND);
    expect(driver.alert()).toBe(1);
  });

  it('what a request had to prove is proved (rule 8)', () => {
    const driver = drive();
    sentBegin(driver, { entrypoint: 'sdk-ts' });
    sent(driver, 'PermissionRequest', BASH);
    tells(driver, 'waiting', {}, { after: 20 });
    expect(driver.state()).toBe('needs_user');
  });

  it('a wait the user has acknowledged stays acknowledged', () => {
    const asked = begun();
    sent(asked, 'PermissionRequest', BASH);
    const driver = acknowledged(asked);
    expect(driver.state()).toBe('running');
    tells(driver, 'waiting', { waiting_for: 'permission prompt' });
    driver.wait(5 * SECOND);
    expect([driver.state(), driver.alert()]).toEqual(['running', 0]);
  });

  it('one that a status has told of too, also once its hook comes', () => {
    const asked = begun();
    tells(asked, 'waiting', { waiting_for: 'permission prompt' });
    const driver = acknowledged(asked);
    tells(driver, 'waiting', { waiting_for: 'permission prompt' });
    sent(driver, 'PermissionRequest', BASH);
    driver.wait(5 * SECOND);
    expect([driver.state(), driver.alert()]).toEqual(['running', 0]);
    sent(driver, 'PermissionRequest', { ...BASH, digest: '00000000000000bb' });
    expect(driver.state()).toBe('needs_user');
  });
});

describe('rule 7: a dialog outside a turn was opened by the user', () => {
  it.each<[string, (driver: Driver) => void]>([
    ['after a Stop', (driver) => sent(driver, 'Stop', { prompt_id: 'p1' })],
    ['after an error', (driver) => sent(driver, 'StopFailure', { prompt_id: 'p1', error: 'overloaded' })],
    ['before the first prompt', (driver) => sent(driver, 'SessionStart', { source: 'startup' })],
  ])('%s: needs_user without an alert', (_what, make) => {
    const driver = begun();
    make(driver);
    tells(driver, 'waiting', { waiting_for: 'dialog open' });
    driver.wait(5 * SECOND);
    expect([driver.state(), driver.lamp(), driver.alert()]).toEqual(['needs_user', 'needs_review', 0]);
    tells(driver, 'idle');
    expect(driver.state()).not.toBe('needs_user');
  });

  it.each<[string, (driver: Driver) => void]>([
    ['in a turn', () => undefined],
    [
      'in a queued prompt’s turn',
      (driver) => {
        sent(driver, 'UserPromptSubmit', { prompt_id: 'p1' });
        sent(driver, 'Stop', { prompt_id: 'p1' });
      },
    ],
  ])('%s it alerts', (_what, make) => {
    const driver = begun();
    make(driver);
    tells(driver, 'waiting', { waiting_for: 'dialog open' });
    driver.wait(5 * SECOND);
    expect(driver.alert()).toBe(1);
  });
});

describe('rule 7: busy, newer than the last hook', () => {
  it('closes what was opened before it: it has been answered', () => {
    const driver = begun();
    sent(driver, 'PermissionRequest', BASH);
    sent(driver, 'PermissionRequest', { ...BASH, agent_id: 'a1' });
    tells(driver, 'busy');
    expect([driver.kinds(), ...says(driver)]).toEqual([[], 'running', 'tool_use', 'active']);
  });

  it('closes a possible question, and what a status has told of', () => {
    const driver = begun();
    sent(driver, 'Stop', { prompt_id: 'p1', question: true });
    tells(driver, 'busy');
    expect(says(driver)).toEqual(['running', 'status', 'active']);
    tells(driver, 'waiting', { waiting_for: 'input needed' });
    tells(driver, 'busy');
    expect([driver.kinds(), driver.state()]).toEqual([[], 'running']);
  });

  it('leaves account: only the user can mend that', () => {
    const driver = begun();
    sent(driver, 'StopFailure', { prompt_id: 'p1', error: 'billing_error' });
    tells(driver, 'busy');
    expect([driver.kinds(), driver.state(), driver.reason()]).toEqual([
      ['account'],
      'needs_user',
      'billing_error',
    ]);
  });

  it('never closes a wait opened by a newer hook, nor one of the same moment', () => {
    const driver = begun();
    sent(driver, 'PermissionRequest', BASH);
    sent(driver, 'PermissionRequest', { ...BASH, agent_id: 'a1' });
    tells(driver, 'busy', {}, { after: 50, ago: 50 });
    driver.wait(5 * SECOND);
    expect(driver.the().attentions).toMatchObject([{ agent_id: 'a1' }]);
  });

  it.each<[string, (driver: Driver) => void, string]>([
    ['after a start', (driver) => sent(driver, 'SessionStart', { source: 'startup' }), 'status'],
    ['after a Stop', (driver) => sent(driver, 'Stop', { prompt_id: 'p1' }), 'status'],
    ['after an error', (driver) => sent(driver, 'StopFailure', { error: 'overloaded' }), 'status'],
    ['in a turn', (driver) => sent(driver, 'PreToolUse', BASH), 'tool_use'],
    [
      'while a compaction runs',
      (driver) => {
        sent(driver, 'Stop', { prompt_id: 'p1' });
        sent(driver, 'PreCompact');
      },
      'compact',
    ],
    [
      'in a queued prompt’s turn',
      (driver) => {
        sent(driver, 'UserPromptSubmit', { prompt_id: 'p1' });
        sent(driver, 'Stop', { prompt_id: 'p1' });
      },
      'queued_prompt',
    ],
    [
      'with work in the background',
      (driver) => sent(driver, 'Stop', { prompt_id: 'p1', background: SHELL_WORK }),
      'background_task',
    ],
  ])('%s: running', (_what, make, reason) => {
    const driver = begun();
    make(driver);
    tells(driver, 'busy');
    expect(says(driver)).toEqual(['running', reason, 'active']);
  });

  it('its turn is ended by a Stop as any other', () => {
    const driver = begun();
    sent(driver, 'Stop', { prompt_id: 'p1' });
    tells(driver, 'busy');
    sent(driver, 'Stop', { prompt_id: 'p2' });
    expect(says(driver)).toEqual(['done', 'stop', 'completed']);
  });
});

describe('rule 7: shell, newer than the last hook', () => {
  it('closes what was opened before it; the turn is over and its shell runs on', () => {
    const driver = begun();
    sent(driver, 'PermissionRequest', BASH);
    tells(driver, 'shell');
    expect([driver.kinds(), ...says(driver)]).toEqual([[], 'running', 'background_task', 'active']);
    expect(driver.the().turn.running).toBe(false);
  });

  it('leaves account', () => {
    const driver = begun();
    sent(driver, 'StopFailure', { prompt_id: 'p1', error: 'authentication_failed' });
    tells(driver, 'shell');
    expect(driver.kinds()).toEqual(['account']);
  });

  it('after a Stop that listed it: the work that is known', () => {
    const driver = begun();
    sent(driver, 'Stop', { prompt_id: 'p1', background: SHELL_WORK });
    tells(driver, 'shell');
    expect([driver.the().background, driver.reason()]).toEqual([SHELL_WORK, 'background_task']);
  });

  it('after a Stop that listed nothing: running, and done once it is idle', () => {
    const driver = begun();
    sent(driver, 'Stop', { prompt_id: 'p1' });
    tells(driver, 'shell');
    expect(driver.reason()).toBe('background_task');
    tells(driver, 'idle');
    expect(driver.state()).toBe('done');
  });

  it('`state.background = agents`: a shell keeps no session running', () => {
    const driver = drive({ background: 'agents' });
    sentBegin(driver);
    sent(driver, 'Stop', { prompt_id: 'p1' });
    tells(driver, 'shell');
    expect(driver.state()).toBe('done');
  });

  it('the next Stop tells what runs', () => {
    const driver = begun();
    tells(driver, 'shell');
    sent(driver, 'UserPromptSubmit', { prompt_id: 'p2' });
    expect(driver.reason()).toBe('user_prompt');
    sent(driver, 'Stop', { prompt_id: 'p2' });
    expect(driver.state()).toBe('done');
  });
});

describe('rule 7: idle, newer than the last hook', () => {
  it('closes what was opened before it: Esc, or No', () => {
    const driver = begun();
    sent(driver, 'PermissionRequest', BASH);
    tells(driver, 'idle');
    expect([driver.kinds(), ...says(driver)]).toEqual([[], 'idle', 'interrupted', 'ready']);
  });

  it('leaves account and possible_question', () => {
    const account = begun();
    sent(account, 'StopFailure', { prompt_id: 'p1', error: 'billing_error' });
    tells(account, 'idle');
    expect([account.kinds(), account.state()]).toEqual([['account'], 'needs_user']);
    const asking = begun();
    sent(asking, 'Stop', { prompt_id: 'p1', question: true });
    tells(asking, 'idle');
    expect([asking.kinds(), asking.state()]).toEqual([['possible_question'], 'needs_user']);
  });

  it.each<[string, (driver: Driver) => void, string[]]>([
    ['a turn', () => undefined, ['idle', 'interrupted', 'ready']],
    ['a turn that told of a Stop', (driver) => sent(driver, 'Stop'), ['done', 'stop', 'completed']],
    [
      'a turn that told of an error',
      (driver) => sent(driver, 'StopFailure', { error: 'overloaded' }),
      ['error', 'overloaded', 'blocked'],
    ],
    [
      'a queued prompt’s turn',
      (driver) => {
        sent(driver, 'UserPromptSubmit', { prompt_id: 'p1' });
        sent(driver, 'Stop', { prompt_id: 'p1' });
        expect(driver.reason()).toBe('queued_prompt');
      },
      ['idle', 'interrupted', 'ready'],
    ],
    [
      'a prompt that waits in the queue',
      (driver) => sent(driver, 'UserPromptSubmit', { prompt_id: 'p1' }),
      ['idle', 'interrupted', 'ready'],
    ],
    [
      'a compaction',
      (driver) => {
        sent(driver, 'Stop');
        sent(driver, 'PreCompact');
      },
      ['done', 'stop', 'completed'],
    ],
    [
      'background work',
      (driver) => sent(driver, 'Stop', { background: SHELL_WORK }),
      ['done', 'stop', 'completed'],
    ],
    [
      'a start',
      (driver) => sent(driver, 'SessionStart', { source: 'startup' }),
      ['idle', 'session_start', 'ready'],
    ],
  ])('ends %s', (_what, make, shown) => {
    const driver = begun();
    make(driver);
    tells(driver, 'idle');
    expect(says(driver)).toEqual(shown);
    expect(driver.the()).toMatchObject({ background: [], open_tools: [], agents: [], compact: false });
  });

  it('ends a latch: the user was there', () => {
    const driver = begun();
    sent(driver, 'PermissionRequest', BASH);
    sent(driver, 'Stop', { prompt_id: 'p1' });
    expect(driver.lamp()).toBe('permission');
    tells(driver, 'idle');
    expect(driver.lamp()).toBe('completed');
  });

  it.each<[string, { sent_at?: number | undefined }, number]>([
    ['with the sender’s time', {}, 60],
    ['without it', { sent_at: undefined }, 0],
  ])('a Stop that arrives later makes it done: %s', (_what, unstamped, ago) => {
    const driver = begun();
    sent(driver, 'PreToolUse', BASH);
    tells(driver, 'idle');
    expect(driver.reason()).toBe('interrupted');
    sent(driver, 'Stop', { prompt_id: 'p1', ...unstamped } as Fields, { after: 40, ago });
    expect(says(driver)).toEqual(['done', 'stop', 'completed']);
    driver.wait(5 * SECOND);
    expect(says(driver)).toEqual(['done', 'stop', 'completed']);
  });

  it('so does a StopFailure make it an error', () => {
    const driver = begun();
    tells(driver, 'idle');
    sent(driver, 'StopFailure', { prompt_id: 'p1', error: 'overloaded' }, { after: 40, ago: 60 });
    expect(driver.state()).toBe('error');
  });

  it('the Stop of an interrupted turn stays its echo when a hook has told of the interrupt', () => {
    const driver = begun();
    sent(driver, 'Interrupt');
    tells(driver, 'idle');
    sent(driver, 'Stop', { prompt_id: 'p1' });
    expect(driver.reason()).toBe('interrupted');
  });
});

describe('rule 7: which hooks are state-relevant', () => {
  const fields: Partial<Record<EventName, Fields>> = {
    Notification: { notification: 'agent_completed' },
    SubagentStop: { agent_id: 'a1' },
    SubagentStart: { agent_id: 'a1' },
    PreToolUse: BASH,
    PostToolUse: { tool: 'Read', agent_id: 'a2' },
  };

  it.each<EventName>([
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'PostToolBatch',
    'PermissionRequest',
    'PermissionDenied',
    'Elicitation',
    'ElicitationResult',
    'PreModelSwitch',
    'PostModelSwitch',
    'Stop',
    'StopFailure',
    'SubagentStart',
    'SubagentStop',
    'PreCompact',
    'PostCompact',
    'SessionEnd',
    'Interrupt',
  ])('%s is: an older status has to wait', (event) => {
    const driver = begun();
    sent(driver, 'SubagentStart', { agent_id: 'a1' });
    sent(driver, event, fields[event] ?? { prompt_id: 'p2' });
    const at = driver.now();
    tells(driver, 'waiting', {}, { after: 20, ago: 30 });
    expect(driver.the().status?.contested_until).toBe(at + 700);
    expect(driver.the().attentions.every((open) => open.evidence.origin === 'hook')).toBe(true);
  });

  it.each<EventName>(['SessionStart', 'Notification', 'Other'])('%s is not', (event) => {
    const driver = begun();
    sent(driver, event, fields[event] ?? { source: 'compact' });
    tells(driver, 'waiting', {}, { after: 20, ago: 30 });
    expect(driver.state()).toBe('needs_user');
  });
});

describe('rule 7: a session no hook has told of', () => {
  it.each([
    ['busy', undefined, ['running', 'status', 'active']],
    ['shell', undefined, ['running', 'background_task', 'active']],
    ['waiting', 'permission prompt', ['needs_user', 'permission_request', 'permission']],
    ['waiting', 'dialog open', ['needs_user', 'dialog', 'needs_review']],
  ] as const)('%s %s', (value, waiting_for, shown) => {
    const driver = drive();
    const more = { cwd: '/home/dev/shop', pid: 77, entrypoint: 'cli', ...(waiting_for && { waiting_for }) };
    expect(tells(driver, value, more)).toBe('applied');
    expect(says(driver)).toEqual(shown);
    expect(driver.the()).toMatchObject({ project_name: 'shop', pid: 77, entrypoint: 'cli', by_hand: false });
    driver.wait(SECOND);
    expect(driver.alert()).toBe(waiting_for === 'permission prompt' ? 1 : 0);
  });

  it('one that is idle is nobody’s business', () => {
    const driver = drive();
    expect(tells(driver, 'idle')).toBe('no_change');
    expect(driver.find()).toBeUndefined();
    driver.wait(11 * MINUTE);
    expect(driver.table.nextDeadline()).toBeUndefined();
    expect(driver.table.providers()).toEqual(drive().table.providers());
  });

  it('but what it said is known when its delayed hooks come', () => {
    const driver = drive();
    tells(driver, 'idle');
    sent(driver, 'SessionStart', { source: 'startup' }, { after: 100, ago: 150 });
    expect(says(driver)).toEqual(['idle', 'session_start', 'ready']);
  });

  it('`state.background = agents`: a shell alone is nothing that runs', () => {
    const driver = drive({ background: 'agents' });
    tells(driver, 'shell');
    expect(driver.state()).toBe('idle');
  });

  it('what hooks have told of it stays: directory, pid and entrypoint come where they were missing', () => {
    const driver = begun();
    tells(driver, 'busy', { cwd: '/elsewhere', pid: 78, entrypoint: 'cli' });
    expect(driver.the()).toMatchObject({ cwd: '/home/dev/shop', pid: 78, entrypoint: 'cli' });
  });
});

describe('rule 7: what is known already', () => {
  it('the same status again, or an older one, changes nothing', () => {
    const driver = begun();
    tells(driver, 'busy');
    const before = driver.the();
    expect(tells(driver, 'busy', {}, { after: 10, ago: 10 })).toBe('no_change');
    expect(tells(driver, 'idle', {}, { after: 10, ago: 100 })).not.toBe('late');
    expect(driver.the()).toMatchObject({
      state: 'running',
      status: { value: 'busy', at: before.status?.at },
    });
  });

  it('an old status that is read late is a status all the same: the hooks since contest it', () => {
    const driver = begun();
    sent(driver, 'PreToolUse', BASH, { after: MINUTE });
    expect(tells(driver, 'busy', {}, { after: 100, ago: 40 * SECOND })).toBe('applied');
    driver.wait(SECOND);
    expect(driver.the().status).toMatchObject({ value: 'busy' });
    driver.wait(30 * MINUTE);
    expect(driver.state()).toBe('running');
  });

  it('a time stamp ahead of the hub’s clock counts as its arrival', () => {
    const driver = begun();
    tells(driver, 'busy', {}, { ago: -MINUTE });
    expect(driver.the().status?.at).toBe(driver.now());
  });

  it('a restart keeps it', () => {
    const driver = begun();
    tells(driver, 'waiting', { waiting_for: 'input needed' });
    const again = new SessionTable(tableOptions());
    again.restore({ sessions: [...driver.table.sessions()], providers: [] }, driver.now());
    expect([...again.sessions()][0]?.status).toMatchObject({ value: 'waiting', waiting_for: 'input needed' });
  });
});
