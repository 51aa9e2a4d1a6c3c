import { describe, expect, it } from 'vitest';
import { type Driver, drive, HOUR, MINUTE, SECOND, T0 } from '../../support/driving.ts';
import { says, sent, sentBegin, tells } from '../../support/observing.ts';
import { ack, storedAs } from '../../support/said.ts';

function snooze(driver: Driver, minutes: number): string[] {
  const { table, now } = driver;
  return table
    .snooze([...table.sessions()], now() + minutes * MINUTE, now())
    .map(({ session_id }) => session_id);
}

function clear(driver: Driver, providers: readonly string[] = ['claude']): void {
  driver.table.clear([...driver.table.sessions()], providers, driver.now());
}

function waiting(): Driver {
  const driver = drive();
  sentBegin(driver);
  sent(driver, 'PermissionRequest', { tool: 'Bash' });
  driver.wait(SECOND);
  return driver;
}

describe('snooze', () => {
  it('leaves state and lamp, and alerts once more when its time is over', () => {
    const driver = waiting();
    expect(snooze(driver, 10)).toEqual(['s1']);
    expect([says(driver), driver.alert()]).toEqual([['needs_user', 'permission_request', 'permission'], 1]);
    expect(driver.the().snoozed_until).toBe(driver.now() + 10 * MINUTE);
    sent(driver, 'Notification', { notification: 'permission_prompt' });
    sent(driver, 'PermissionRequest', { tool: 'Edit' });
    driver.wait(10 * MINUTE - 2 * SECOND - 1);
    expect(driver.alert()).toBe(1);
    driver.wait(1);
    expect([driver.alert(), driver.the().snoozed_until]).toEqual([2, undefined]);
    driver.wait(30 * MINUTE);
    expect(driver.alert()).toBe(2);
  });

  it('takes an alert that is about to come with it', () => {
    const driver = drive();
    driver.begin();
    driver.hook('PermissionRequest');
    snooze(driver, 1);
    driver.wait(MINUTE - 1);
    expect(driver.alert()).toBe(0);
    driver.wait(1);
    expect(driver.alert()).toBe(1);
  });

  it.each<[string, (driver: Driver) => unknown]>([
    ['an answer', (d) => sent(d, 'PostToolUse', { tool: 'Bash' })],
    ['ack', (d) => ack(d)],
    ['the session’s end', (d) => tells(d, 'gone')],
  ])('is over with the wait: %s', (_, ends) => {
    const driver = waiting();
    snooze(driver, 10);
    ends(driver);
    expect(driver.find()?.snoozed_until).toBeUndefined();
    driver.wait(20 * MINUTE);
    expect(driver.alert()).toBe(1);
  });

  it('the next wait alerts as ever', () => {
    const driver = waiting();
    snooze(driver, 10);
    sent(driver, 'PostToolUse', { tool: 'Bash' });
    sent(driver, 'PermissionRequest', { tool: 'Bash' });
    driver.wait(SECOND);
    expect(driver.alert()).toBe(2);
    driver.wait(20 * MINUTE);
    expect(driver.alert()).toBe(2);
  });

  it('is for those that wait for somebody', () => {
    const driver = drive();
    driver.begin();
    expect(snooze(driver, 10)).toEqual([]);
    driver.hook('Stop');
    driver.hook('PreModelSwitch');
    expect([driver.state(), snooze(driver, 10)]).toEqual(['needs_user', []]);
    driver.wait(20 * MINUTE);
    expect(driver.alert()).toBe(0);
  });

  it('is over with what called, though a dialog of the user’s own stays', () => {
    const driver = drive();
    driver.begin();
    driver.hook('Stop');
    driver.hook('PreModelSwitch');
    driver.hook('PermissionRequest', { tool: 'Bash', agent_id: 'a1' });
    driver.wait(SECOND);
    snooze(driver, 10);
    driver.hook('SubagentStop', { agent_id: 'a1' });
    expect([driver.kinds(), driver.the().snoozed_until, driver.the().alert_due]).toEqual([
      ['dialog'],
      undefined,
      undefined,
    ]);
    driver.wait(20 * MINUTE);
    expect(driver.alert()).toBe(1);
  });

  it('that is over in a pause alerts nobody; over after it, once', () => {
    for (const [minutes, alert] of [
      [4, 1],
      [10, 2],
    ] as const) {
      const driver = waiting();
      snooze(driver, minutes);
      driver.table.pause('all', driver.now() + 5 * MINUTE, 'local', driver.now());
      driver.wait(20 * MINUTE);
      expect([driver.state(), driver.alert()]).toEqual(['needs_user', alert]);
    }
  });

  it('survives a restart, and a clock that is set', () => {
    const driver = waiting();
    snooze(driver, 10);
    driver.table.shift(HOUR);
    const again = drive();
    again.wait(driver.now() + HOUR - T0);
    again.table.restore(storedAs(driver), again.now());
    again.wait(10 * MINUTE - 1);
    expect(again.alert()).toBe(1);
    again.wait(1);
    expect(again.alert()).toBe(2);
  });
});

describe('clear', () => {
  it('takes records out and resets the fallback', () => {
    const driver = waiting();
    driver.signal('stale', { session_id: undefined, cwd: undefined });
    driver.table.takeChanges();
    clear(driver);
    const { sessions, transitions } = driver.table.takeChanges();
    expect([...sessions.values()]).toEqual([undefined]);
    expect(transitions).toMatchObject([
      { from: 'needs_user', to: null, event_type: 'removed', reason: 'clear' },
    ]);
    expect([driver.table.lamp('claude'), driver.attention().state]).toEqual(['ready', 'idle']);
    driver.wait(HOUR);
    expect([driver.table.lamp('claude'), driver.table.nextDeadline()]).toEqual(['ready', undefined]);
  });

  it('a session that goes on comes back, one that was over does not', () => {
    const driver = waiting();
    clear(driver);
    expect(sent(driver, 'PreToolUse', { tool: 'Read' }, { after: 100, ago: 3_000 })).toBe('late');
    expect(driver.find()).toBeUndefined();
    sent(driver, 'PostToolUse', { tool: 'Bash' });
    expect(driver.state()).toBe('running');
    expect(sent(driver, 'PermissionRequest', { tool: 'Read' }, { after: 100, ago: 3_000 })).toBe('late');
  });

  it('leaves a fallback that another provider has', () => {
    const driver = waiting();
    driver.signal('stale', { session_id: undefined, cwd: undefined, provider: 'all' });
    clear(driver, ['codex']);
    expect([driver.table.lamp('claude'), driver.table.lamp('codex')]).toEqual(['stale', 'ready']);
  });
});
