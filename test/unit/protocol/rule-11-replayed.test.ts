import { describe, expect, it } from 'vitest';
import { type Driver, drive, HOUR, MINUTE, SECOND } from '../../support/driving.ts';
import { sent, sentBegin, tells } from '../../support/observing.ts';

const BASH = { tool: 'Bash', digest: '00000000000000aa' };
const OLD = { after: 5, live: false };

/** Spooled so long ago: a turn and its request. */
function spooled(ago: number, driver: Driver = drive()): Driver {
  sent(driver, 'UserPromptSubmit', { prompt_id: 'p1' }, { ...OLD, ago: ago + 10 });
  sent(driver, 'PermissionRequest', BASH, { ...OLD, ago });
  return driver;
}

/** The hub starts again with what it has stored. */
function restarted(driver: Driver): Driver {
  const again = drive();
  again.wait(driver.now() - again.now());
  const { sessions, providers } = driver.table.everything();
  const stored = JSON.parse(
    JSON.stringify({ sessions: [...sessions.values()], providers: [...providers.values()] }),
  );
  again.table.restore(stored as Parameters<typeof again.table.restore>[0], again.now());
  again.wait(0);
  return again;
}

describe('rule 11: replayed is not live', () => {
  it('updates state and never alerts as it comes', () => {
    const driver = spooled(MINUTE);
    expect(driver.state()).toBe('needs_user');
    driver.wait(10 * MINUTE);
    expect(driver.alert()).toBe(0);
  });

  it('2 s after the drain a wait that still stands alerts, once', () => {
    const driver = spooled(MINUTE);
    driver.table.drained(driver.now());
    expect(driver.table.nextDeadline()).toBe(driver.now() + 2 * SECOND);
    driver.wait(2 * SECOND - 1);
    expect(driver.alert()).toBe(0);
    driver.wait(1);
    expect(driver.alert()).toBe(1);
    driver.table.drained(driver.now());
    driver.wait(10 * SECOND);
    expect(driver.alert()).toBe(1);
  });

  it('one that is over by then does not', () => {
    const driver = spooled(MINUTE);
    driver.table.drained(driver.now());
    sent(driver, 'PostToolUse', BASH);
    driver.wait(10 * SECOND);
    expect(driver.alert()).toBe(0);
  });

  it('one that was over in the spool already does not', () => {
    const driver = spooled(MINUTE);
    sent(driver, 'PostToolUse', BASH, { ...OLD, ago: 30 * SECOND });
    driver.table.drained(driver.now());
    driver.wait(10 * SECOND);
    expect(driver.alert()).toBe(0);
  });

  it.each([
    ['9 minutes', 9 * MINUTE, 1],
    ['11 minutes', 11 * MINUTE, 0],
  ])('one that was opened %s ago: %i ms, alerts %i', (_what, ago, alerts) => {
    const driver = spooled(ago);
    driver.table.drained(driver.now());
    driver.wait(10 * SECOND);
    expect([driver.state(), driver.alert()]).toEqual(['needs_user', alerts]);
  });

  it.each([
    ['before the drain', 0],
    ['within the 2 s', SECOND],
  ])('an old one that a status confirms alerts: %s', (_what, after) => {
    const driver = spooled(30 * MINUTE);
    if (after === 0) tells(driver, 'waiting', {}, { ...OLD, ago: 0 });
    driver.table.drained(driver.now());
    if (after > 0) tells(driver, 'waiting', {}, { after, live: false });
    driver.wait(10 * SECOND);
    expect(driver.alert()).toBe(1);
  });

  it('a status of before the turn’s edge confirms nothing', () => {
    const driver = drive();
    tells(driver, 'waiting', {}, { ...OLD, ago: HOUR });
    spooled(30 * MINUTE, driver);
    driver.wait(SECOND);
    driver.table.drained(driver.now());
    driver.wait(10 * SECOND);
    expect(driver.alert()).toBe(0);
  });

  it('what is heard of the session meanwhile does not take its alert away', () => {
    const driver = spooled(MINUTE);
    sent(driver, 'PreToolUse', { tool: 'Read', agent_id: 'a1' }, { after: 10 });
    driver.table.drained(driver.now());
    driver.wait(10 * SECOND);
    expect(driver.alert()).toBe(1);
  });

  it('a dialog that the user has opened calls nobody', () => {
    const driver = drive();
    sent(driver, 'Stop', { prompt_id: 'p1' }, OLD);
    tells(driver, 'waiting', { waiting_for: 'dialog open' }, OLD);
    driver.table.drained(driver.now());
    driver.wait(10 * SECOND);
    expect([driver.state(), driver.alert()]).toEqual(['needs_user', 0]);
  });

  it('a live wait has its own alert and no second one', () => {
    const driver = drive();
    sentBegin(driver);
    sent(driver, 'PermissionRequest', BASH);
    driver.table.drained(driver.now());
    driver.wait(10 * SECOND);
    expect(driver.alert()).toBe(1);
  });

  it('what time alone makes of a replayed session alerts nobody', () => {
    const driver = drive();
    sent(driver, 'UserPromptSubmit', { entrypoint: 'sdk-ts' }, OLD);
    sent(driver, 'PermissionRequest', { ...BASH, entrypoint: 'sdk-ts' }, OLD);
    driver.wait(10 * SECOND);
    expect([driver.state(), driver.alert()]).toEqual(['needs_user', 0]);
  });

  it('but raised within the 2 s it alerts with the others', () => {
    const driver = drive();
    sent(driver, 'UserPromptSubmit', { entrypoint: 'sdk-ts' }, OLD);
    sent(driver, 'PermissionRequest', { ...BASH, entrypoint: 'sdk-ts' }, OLD);
    driver.table.drained(driver.now());
    driver.wait(2 * SECOND);
    expect(driver.alert()).toBe(1);
  });

  it('each drain has its own 2 s', () => {
    const driver = spooled(MINUTE);
    driver.table.drained(driver.now());
    sent(
      driver,
      'PermissionRequest',
      { ...BASH, session_id: 's2', cwd: '/home/dev/site' },
      { after: SECOND, live: false },
    );
    driver.table.drained(driver.now());
    driver.wait(SECOND);
    // All that stands has its time by then; nothing alerts twice.
    expect(driver.alert()).toBe(2);
    driver.wait(10 * SECOND);
    expect(driver.alert()).toBe(2);
  });
});

describe('rule 11: a restart in between', () => {
  it('the drain that comes after it alerts once', () => {
    const driver = restarted(spooled(MINUTE));
    driver.table.drained(driver.now());
    driver.wait(10 * SECOND);
    expect(driver.alert()).toBe(1);
  });

  it('also when it comes between the drain and the alert', () => {
    const before = spooled(MINUTE);
    before.table.drained(before.now());
    before.wait(SECOND);
    const driver = restarted(before);
    driver.table.drained(driver.now());
    driver.wait(10 * SECOND);
    expect(driver.alert()).toBe(1);
  });

  it('what has alerted before does not alert again', () => {
    const before = drive();
    sentBegin(before);
    sent(before, 'PermissionRequest', BASH);
    before.wait(SECOND);
    expect(before.alert()).toBe(1);
    const driver = restarted(before);
    driver.table.drained(driver.now());
    driver.wait(10 * SECOND);
    expect([driver.state(), driver.alert()]).toEqual(['needs_user', 1]);
  });

  it('a jump of the clock moves the 2 s too', () => {
    const driver = spooled(MINUTE);
    driver.table.drained(driver.now());
    driver.table.shift(HOUR);
    expect(driver.table.nextDeadline()).toBe(driver.now() + HOUR + 2 * SECOND);
    driver.table.advance(driver.now() + HOUR + 2 * SECOND);
    expect(driver.alert()).toBe(1);
  });
});
