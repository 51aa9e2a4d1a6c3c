import { describe, expect, it } from 'vitest';
import { HISTORY_REACH } from '../../../protocol/expiry.ts';
import type { Span } from '../../../protocol/spans.ts';
import { type Driver, drive, HOUR, MINUTE, SECOND, T0 } from '../../support/driving.ts';
import { sent, sentBegin, tells } from '../../support/observing.ts';
import { ack, storedAs } from '../../support/said.ts';

/** What has been added to the history: state, reason, from and to in ms since the test began, and what ended it. */
function history({ table }: Driver): [string, string, number, number, string][] {
  return table.takeChanges().spans.map(short);
}

function short({ state, reason, started_at, ended_at, ended_by }: Span): ReturnType<typeof history>[number] {
  return [state, reason, started_at - T0, ended_at - T0, ended_by];
}

function waiting(): Driver {
  const driver = drive();
  sentBegin(driver);
  sent(driver, 'PermissionRequest', { tool: 'Bash' });
  history(driver);
  return driver;
}

/** When the request of `waiting` came [ms]. */
const ASKED = 3 * SECOND;

describe('a span is added when it is over', () => {
  it('with what ended it, and not before', () => {
    const driver = drive();
    sentBegin(driver);
    expect(history(driver)).toEqual([]);
    sent(driver, 'PermissionRequest', { tool: 'Bash' });
    expect(history(driver)).toEqual([['running', 'user_prompt', SECOND, ASKED, 'permission_request']]);
    sent(driver, 'PostToolUse', { tool: 'Bash' }, { after: MINUTE });
    expect(history(driver)).toEqual([
      ['needs_user', 'permission_request', ASKED, ASKED + MINUTE, 'tool_use'],
    ]);
  });

  it('once, however many events come in it', () => {
    const driver = drive();
    driver.begin();
    for (let call = 0; call < 20; call += 1) driver.hook('PreToolUse', { tool: 'Read', prompt_id: 'p1' });
    expect(history(driver)).toEqual([]);
  });

  it('anew where a wait is for something else', () => {
    const driver = waiting();
    sent(driver, 'PreToolUse', { tool: 'AskUserQuestion', agent_id: 'a1' });
    sent(driver, 'PostToolUse', { tool: 'AskUserQuestion', agent_id: 'a1' });
    sent(driver, 'PostToolUse', { tool: 'Bash' });
    expect(history(driver)).toEqual([
      ['needs_user', 'permission_request', ASKED, ASKED + SECOND, 'question'],
      ['needs_user', 'question', ASKED + SECOND, ASKED + 2 * SECOND, 'permission_request'],
      ['needs_user', 'permission_request', ASKED + 2 * SECOND, ASKED + 3 * SECOND, 'tool_use'],
    ]);
  });

  it.each<[string, (driver: Driver) => unknown, string]>([
    ['the user knows of it', (driver) => ack(driver), 'ack'],
    ['its client goes away', (driver) => tells(driver, 'gone'), 'gone'],
    ['the user clears it', (driver) => driver.table.clear([driver.the()], ['claude'], driver.now()), 'clear'],
    ['the turn is broken off', (driver) => sent(driver, 'Interrupt'), 'interrupted'],
  ])('when %s', (_, ends, by) => {
    const driver = waiting();
    driver.wait(MINUTE);
    ends(driver);
    expect(history(driver)).toEqual([['needs_user', 'permission_request', ASKED, driver.now() - T0, by]]);
  });

  it('when its time is over', () => {
    const driver = waiting();
    driver.wait(2 * HOUR);
    expect(history(driver)).toEqual([['needs_user', 'permission_request', ASKED, ASKED + HOUR, 'expiry']]);
  });

  it('a dialog that the user has opened is told apart', () => {
    const driver = drive();
    sentBegin(driver);
    sent(driver, 'Stop');
    tells(driver, 'waiting', { waiting_for: 'dialog open' }, { after: 2 * SECOND });
    expect(driver.state()).toBe('needs_user');
    tells(driver, 'idle', {}, { after: MINUTE });
    const spans = driver.table.takeChanges().spans.map(({ state, by_user }) => [state, by_user]);
    expect(spans).toEqual([
      ['running', false],
      ['done', false],
      ['needs_user', true],
    ]);
  });

  it('snooze and pause leave it', () => {
    const driver = waiting();
    driver.table.pause('all', undefined, 'local', driver.now());
    driver.table.snooze([driver.the()], driver.now() + MINUTE, driver.now());
    driver.wait(2 * MINUTE);
    expect(history(driver)).toEqual([]);
    sent(driver, 'PostToolUse', { tool: 'Bash' });
    expect(history(driver).map(([state, , from]) => [state, from])).toEqual([['needs_user', ASKED]]);
  });
});

describe('it lies where it was', () => {
  it('what was spooled counts from its own moment', () => {
    const driver = drive();
    const spooled = { live: false, after: 0 };
    driver.wait(HOUR);
    sent(driver, 'UserPromptSubmit', {}, { ...spooled, ago: 50 * MINUTE });
    sent(driver, 'PermissionRequest', { tool: 'Bash' }, { ...spooled, ago: 40 * MINUTE });
    sent(driver, 'PostToolUse', { tool: 'Bash' }, { ...spooled, ago: 30 * MINUTE });
    expect(history(driver)).toEqual([
      ['running', 'user_prompt', 10 * MINUTE, 20 * MINUTE, 'permission_request'],
      ['needs_user', 'permission_request', 20 * MINUTE, 30 * MINUTE, 'tool_use'],
    ]);
  });

  it('but not from further back than a clock is believed', () => {
    const driver = drive();
    sent(driver, 'PermissionRequest', { tool: 'Bash', sent_at: 5 }, { live: false });
    sent(driver, 'PostToolUse', { tool: 'Bash' });
    expect(history(driver)).toEqual([
      ['needs_user', 'permission_request', SECOND - HISTORY_REACH, 2 * SECOND, 'tool_use'],
    ]);
  });

  it('a live event counts from its arrival, whatever its sender’s clock says', () => {
    const driver = waiting();
    sent(driver, 'PostToolUse', { tool: 'Bash' }, { after: MINUTE, ago: 10 * SECOND });
    expect(history(driver)).toEqual([
      ['needs_user', 'permission_request', ASKED, driver.now() - T0, 'tool_use'],
    ]);
  });

  it('an answer that was overtaken ends its wait when it was given', () => {
    const driver = waiting();
    sent(driver, 'PreToolUse', { tool: 'Read', agent_id: 'a1' }, { after: 10 * SECOND });
    sent(driver, 'PostToolUse', { tool: 'Bash' }, { after: SECOND, ago: 9 * SECOND });
    expect(history(driver)).toEqual([
      ['needs_user', 'permission_request', ASKED, ASKED + 2 * SECOND, 'tool_use'],
    ]);
  });

  it('one that turns out never to have been takes no time', () => {
    const driver = drive();
    sentBegin(driver);
    sent(driver, 'PreToolUse', { tool: 'Bash' });
    sent(driver, 'Notification', { notification: 'permission_prompt' }, { after: 6 * SECOND });
    expect(driver.state()).toBe('needs_user');
    history(driver);
    // The notification came within 300 ms of it: it told of nothing new.
    sent(driver, 'PostToolUse', { tool: 'Bash' }, { after: SECOND, ago: SECOND + 100 });
    expect(driver.state()).toBe('running');
    expect(history(driver)).toEqual([['needs_user', 'notification', 9 * SECOND, 9 * SECOND, 'tool_use']]);
  });
});

describe('a hub that was not there', () => {
  function restarted(driver: Driver, after: number): Driver {
    const again = drive();
    const stored = storedAs(driver);
    again.wait(driver.now() - T0 + after);
    again.table.restore(stored, again.now());
    again.table.advance(again.now());
    return again;
  }

  it('goes on with the wait that stands, and adds it once', () => {
    const again = restarted(waiting(), 10 * MINUTE);
    expect(history(again)).toEqual([]);
    sent(again, 'PostToolUse', { tool: 'Bash' });
    expect(history(again)).toEqual([
      ['needs_user', 'permission_request', ASKED, again.now() - T0, 'tool_use'],
    ]);
  });

  it('counts what has expired meanwhile up to its expiry', () => {
    expect(history(restarted(waiting(), 5 * HOUR))).toEqual([
      ['needs_user', 'permission_request', ASKED, ASKED + HOUR, 'expiry'],
    ]);
  });

  it.each([
    ['unknown only', 15 * MINUTE, []],
    ['unknown and gone', 5 * HOUR, []],
  ])('knows when nothing supported a turn any more: %s', (_, after, more) => {
    const driver = drive();
    sentBegin(driver);
    history(driver);
    const [running, ...others] = history(restarted(driver, after));
    expect(running?.slice(0, 4)).toEqual(['running', 'user_prompt', SECOND, 2 * SECOND + 10 * MINUTE]);
    expect(others).toEqual(more);
  });

  it('knows when the unknown was over', () => {
    const driver = drive();
    sentBegin(driver);
    driver.wait(15 * MINUTE);
    history(driver);
    const over = 2 * SECOND + 10 * MINUTE;
    expect(history(restarted(driver, HOUR))).toEqual([
      ['unknown', 'stale', over, over + 20 * MINUTE, 'expiry'],
    ]);
  });

  it('takes over a record from before there was a history', () => {
    const driver = waiting();
    const { span_since: _, ...old } = driver.the();
    const again = drive();
    again.wait(MINUTE);
    again.table.restore({ sessions: [old], providers: [] }, again.now());
    sent(again, 'PostToolUse', { tool: 'Bash' });
    expect(history(again).map(([, , from]) => from)).toEqual([ASKED]);
  });
});

it.each([
  ['forward', HOUR],
  ['back', -HOUR],
])('a clock that is set %s leaves a wait as long as it was', (_, by) => {
  const driver = waiting();
  driver.wait(MINUTE);
  driver.table.shift(by);
  const now = driver.now() + by + MINUTE;
  driver.table.acknowledge([driver.the()], 'local', now);
  const [span] = driver.table.takeChanges().spans;
  expect((span?.ended_at ?? 0) - (span?.started_at ?? 0)).toBe(2 * MINUTE);
});

it('a span never ends before it began', () => {
  const driver = waiting();
  driver.table.clear([driver.the()], ['claude'], T0);
  const [span] = driver.table.takeChanges().spans;
  expect(span?.ended_at).toBe(span?.started_at);
});
