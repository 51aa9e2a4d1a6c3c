import { describe, expect, it } from 'vitest';
import type { EventName } from '../../../protocol/events.ts';
import { type Driver, drive, type Fields, SECOND, T0 } from '../../support/driving.ts';
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
