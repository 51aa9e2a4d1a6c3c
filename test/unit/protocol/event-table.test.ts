import { describe, expect, it } from 'vitest';
import type { EventName } from '../../../protocol/events.ts';
import { type Driver, drive, type Fields } from '../../support/driving.ts';

/** The session of these tests: started and prompted, one second apart; a subagent is known. */
function prompted(): Driver {
  const driver = drive();
  driver.begin();
  return driver;
}

type Row = [what: string, event: EventName, fields: Fields, state: string, reason: string, lamp: string];

describe('the event table (section 1), on a session that was started and prompted', () => {
  it.each<Row>([
    ['a start', 'SessionStart', { source: 'startup' }, 'running', 'session_start', 'ready'],
    [
      'a start of unknown source',
      'SessionStart',
      { source: 'teleport' },
      'running',
      'session_start',
      'ready',
    ],
    [
      'a source that is a word of the language',
      'SessionStart',
      { source: 'constructor' },
      'running',
      'session_start',
      'ready',
    ],
    ['a start without source', 'SessionStart', {}, 'running', 'session_start', 'ready'],
    ['a clear', 'SessionStart', { source: 'clear' }, 'idle', 'session_start', 'ready'],
    ['a resume', 'SessionStart', { source: 'resume' }, 'idle', 'session_start', 'ready'],
    ['a fork', 'SessionStart', { source: 'fork' }, 'idle', 'session_start', 'ready'],
    ['a compaction’s start', 'SessionStart', { source: 'compact' }, 'running', 'user_prompt', 'active'],
    ['a prompt', 'UserPromptSubmit', { prompt_id: 'p2' }, 'running', 'user_prompt', 'active'],
    ['a tool', 'PreToolUse', { tool: 'Bash', digest: 'd1' }, 'running', 'tool_use', 'active'],
    [
      'a question of Claude',
      'PreToolUse',
      { tool: 'AskUserQuestion' },
      'needs_user',
      'question',
      'permission',
    ],
    [
      'a question of Codex',
      'PreToolUse',
      { tool: 'request_user_input' },
      'needs_user',
      'question',
      'permission',
    ],
    ['a question of another', 'PreToolUse', { tool: 'ask_user' }, 'needs_user', 'question', 'permission'],
    ['a plan', 'PreToolUse', { tool: 'ExitPlanMode' }, 'needs_user', 'plan_approval', 'permission'],
    [
      'a tool named like a word of the language',
      'PreToolUse',
      { tool: 'constructor' },
      'running',
      'tool_use',
      'active',
    ],
    ['a tool’s end', 'PostToolUse', { tool: 'Bash', digest: 'd1' }, 'running', 'tool_use', 'active'],
    [
      'a tool’s failure',
      'PostToolUseFailure',
      { tool: 'Bash', digest: 'd1' },
      'running',
      'tool_use',
      'active',
    ],
    ['a batch’s end', 'PostToolBatch', { calls: 2 }, 'running', 'tool_use', 'active'],
    [
      'a permission request',
      'PermissionRequest',
      { tool: 'Bash', digest: 'd1' },
      'needs_user',
      'permission_request',
      'permission',
    ],
    [
      'a denial by the agent itself',
      'PermissionDenied',
      { tool: 'Bash', digest: 'd1' },
      'running',
      'permission_denied',
      'active',
    ],
    ['an elicitation', 'Elicitation', {}, 'needs_user', 'elicitation', 'permission'],
    ['an elicitation’s result', 'ElicitationResult', {}, 'running', 'elicitation_result', 'active'],
    ['a model switch', 'PreModelSwitch', {}, 'needs_user', 'dialog', 'needs_review'],
    ['a model switch’s end', 'PostModelSwitch', {}, 'running', 'user_prompt', 'active'],
    ['a notification without a type', 'Notification', {}, 'needs_user', 'notification', 'needs_review'],
    [
      'a notification of unknown type',
      'Notification',
      { notification: 'constructor' },
      'running',
      'user_prompt',
      'active',
    ],
    ['a turn’s end', 'Stop', {}, 'done', 'stop', 'completed'],
    ['a turn’s end that asks', 'Stop', { question: true }, 'needs_user', 'possible_question', 'needs_review'],
    ['a failure', 'StopFailure', { error: 'rate_limit' }, 'error', 'rate_limit', 'blocked'],
    ['a failure without a kind', 'StopFailure', {}, 'error', 'unknown', 'blocked'],
    [
      'a failed login',
      'StopFailure',
      { error: 'authentication_failed' },
      'needs_user',
      'authentication_failed',
      'permission',
    ],
    [
      'an organisation that is not allowed',
      'StopFailure',
      { error: 'oauth_org_not_allowed' },
      'needs_user',
      'oauth_org_not_allowed',
      'permission',
    ],
    [
      'an unpaid bill',
      'StopFailure',
      { error: 'billing_error' },
      'needs_user',
      'billing_error',
      'permission',
    ],
    ['a subagent’s start', 'SubagentStart', { agent_id: 'a1' }, 'running', 'user_prompt', 'active'],
    ['a subagent’s end', 'SubagentStop', { agent_id: 'a1' }, 'running', 'user_prompt', 'active'],
    ['a compaction inside the turn', 'PreCompact', {}, 'running', 'user_prompt', 'active'],
    ['a compaction’s end', 'PostCompact', {}, 'running', 'user_prompt', 'active'],
    ['the end', 'SessionEnd', { reason: 'other' }, 'idle', 'session_end', 'ready'],
    ['an interrupt', 'Interrupt', {}, 'idle', 'interrupted', 'ready'],
    ['an event without meaning', 'Other', { native: 'FileChanged' }, 'running', 'user_prompt', 'active'],
  ])('%s: %s %j leaves %s', (_what, event, fields, state, reason, lamp) => {
    const driver = prompted();
    driver.hook(event, fields);
    expect([driver.state(), driver.reason(), driver.lamp()]).toEqual([state, reason, lamp]);
  });

  it('compaction outside a turn runs, and leaves the state before it', () => {
    const driver = prompted();
    driver.hook('Stop');
    driver.hook('PreCompact', { trigger: 'manual' });
    expect([driver.state(), driver.reason(), driver.lamp()]).toEqual(['running', 'compact', 'active']);
    driver.hook('PostCompact');
    expect(driver.state()).toBe('done');
  });

  it('tools’ ends never start a turn that has ended', () => {
    for (const event of ['PostToolUse', 'PostToolUseFailure', 'PostToolBatch'] as const) {
      const driver = prompted();
      driver.hook('Stop');
      driver.hook(event, { tool: 'Bash' });
      expect(driver.state()).toBe('done');
    }
  });
});

describe('an event that means nothing', () => {
  it('changes nothing, `updated_at` least of all', () => {
    const driver = prompted();
    const before = driver.the();
    expect(driver.hook('Other', { native: 'MessageDisplay' })).toBe('no_change');
    expect(driver.hook('Notification', { notification: 'agent_completed' })).toBe('no_change');
    expect(driver.hook('Signal')).toBe('no_change');
    expect(driver.the()).toBe(before);
  });

  it('makes no session', () => {
    const driver = drive();
    for (const event of ['Other', 'PostModelSwitch', 'PostCompact', 'Signal'] as const) driver.hook(event);
    driver.hook('SubagentStop', { agent_id: 'a1' });
    driver.hook('SessionStart', { source: 'compact' });
    driver.hook('Notification', { notification: 'auth_success' });
    driver.hook('Notification', { notification: 'nonsense' });
    expect([...driver.table.sessions()]).toEqual([]);
  });

  it('a compaction’s start keeps a long turn from going stale', () => {
    const driver = prompted();
    driver.wait(9 * 60_000);
    driver.hook('SessionStart', { source: 'compact' });
    driver.wait(9 * 60_000);
    expect(driver.state()).toBe('running');
  });
});

/** Each line makes something hold that is stronger than all lines after it. */
const LADDER: readonly (readonly [
  what: string,
  make: (driver: Driver) => void,
  state: string,
  reason: string,
])[] = [
  ['raw stale', (driver) => driver.signal('stale'), 'unknown', 'stale'],
  ['an open request', (driver) => driver.hook('Notification'), 'needs_user', 'notification'],
  [
    'the turn runs',
    (driver) => driver.hook('PreToolUse', { tool: 'Bash', prompt_id: 'p3' }),
    'running',
    'tool_use',
  ],
  ['compaction', (driver) => driver.hook('PreCompact'), 'running', 'compact'],
];

describe('derivation: first that holds', () => {
  it.each(LADDER.map((_, from) => [LADDER[from]?.[0], from] as const))('%s', (_what, from) => {
    const driver = prompted();
    driver.hook('Stop', { background: [{ id: 'b1', type: 'shell', status: 'running' }] });
    for (const [, make] of LADDER.slice(from).toReversed()) make(driver);
    const [, , state, reason] = LADDER[from] ?? [];
    expect([driver.state(), driver.reason()]).toEqual([state, reason]);
  });

  it('a queued prompt’s turn before background work, a failed end before it too', () => {
    const background = [{ id: 'b1', type: 'subagent', status: 'running' }];
    const driver = prompted();
    driver.hook('UserPromptSubmit', { prompt_id: 'p1' });
    driver.hook('Stop', { background });
    expect(driver.reason()).toBe('queued_prompt');
    driver.hook('Stop', { background });
    expect(driver.reason()).toBe('background_task');
    driver.hook('UserPromptSubmit', { prompt_id: 'p2' });
    driver.hook('StopFailure', { error: 'overloaded' });
    expect(driver.state()).toBe('error');
  });

  it('compaction before a failed end', () => {
    const driver = prompted();
    driver.hook('StopFailure', { error: 'overloaded' });
    driver.hook('PreCompact');
    expect([driver.state(), driver.lamp()]).toEqual(['running', 'blocked']);
  });

  it('what needs a decision speaks before what needs a look; of those, the newest', () => {
    const driver = prompted();
    driver.hook('Notification');
    driver.hook('PermissionRequest', { tool: 'Bash' });
    driver.hook('PreModelSwitch');
    expect([driver.reason(), driver.lamp()]).toEqual(['permission_request', 'permission']);
    driver.hook('PostToolUse', { tool: 'Bash' });
    driver.hook('Notification');
    driver.hook('PreModelSwitch');
    expect([driver.reason(), driver.lamp()]).toEqual(['dialog', 'needs_review']);
  });
});

const BACKGROUND = [{ id: 'b1', type: 'subagent', status: 'running' }] as const;

/** In a turn, with a queued prompt, background work of the turn before and an open tool. */
function busy(): Driver {
  const driver = prompted();
  driver.hook('Stop', { background: BACKGROUND });
  driver.hook('UserPromptSubmit', { prompt_id: 'p2' });
  driver.hook('PreToolUse', { tool: 'Bash', prompt_id: 'p2' });
  driver.hook('UserPromptSubmit', { prompt_id: 'p2' });
  return driver;
}

describe('what ends what', () => {
  it('Stop ends the turn and sets background work to what it lists', () => {
    const driver = busy();
    driver.hook('Stop', { background: [] });
    expect(driver.the().turn.running).toBe(false);
    expect(driver.the().background).toEqual([]);
    expect(driver.reason()).toBe('queued_prompt');
  });

  it('StopFailure ends turn and queue, not background work', () => {
    const driver = busy();
    driver.hook('StopFailure', { error: 'server_error' });
    expect(driver.the()).toMatchObject({ queued: undefined, background: BACKGROUND, state: 'error' });
  });

  it('StopFailure ends compaction', () => {
    const driver = prompted();
    driver.hook('Stop');
    driver.hook('PreCompact');
    driver.hook('StopFailure', { error: 'server_error' });
    expect(driver.state()).toBe('error');
  });

  it.each([
    ['Interrupt', {}],
    ['SessionEnd', {}],
    ['SessionStart', { source: 'resume' }],
    ['SessionStart', { source: 'startup' }],
  ] as const)('%s %j ends turn, queue, compaction and background work', (event, fields) => {
    const driver = busy();
    driver.hook(event, fields);
    expect(driver.the()).toMatchObject({ queued: undefined, background: [], compact: false, open_tools: [] });
    expect(driver.the().turn.running).toBe(false);

    const compacting = prompted();
    compacting.hook('Stop');
    compacting.hook('PreCompact');
    compacting.hook(event, fields);
    expect(compacting.the().compact).toBe(false);
  });

  it.each(['StopFailure', 'Interrupt'] as const)(
    'a Stop with no turn since a %s changes nothing',
    (event) => {
      const driver = prompted();
      driver.hook(event, { error: 'overloaded' });
      const before = driver.the();
      expect(driver.hook('Stop', { question: true })).toBe('no_change');
      expect(driver.the()).toBe(before);
      driver.hook('UserPromptSubmit', { prompt_id: 'p2' });
      driver.hook('Stop');
      expect(driver.state()).toBe('done');
    },
  );
});
