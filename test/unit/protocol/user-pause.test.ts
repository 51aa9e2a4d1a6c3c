import { describe, expect, it } from 'vitest';
import { type Driver, drive, HOUR, MINUTE, SECOND, T0 } from '../../support/driving.ts';
import { lamps, pause, resume, storedAs } from '../../support/said.ts';

/** The same hub again, after some time in which nobody ran. */
function restarted(driver: Driver, after = 0, shift = 0): Driver {
  const again = drive();
  again.wait(driver.now() + after + shift - T0);
  again.table.restore(storedAs(driver), again.now());
  again.wait(0);
  return again;
}

describe('a pause', () => {
  it('shows on every lamp, while states and the line go on', () => {
    const driver = drive();
    driver.begin();
    pause(driver);
    expect(lamps(driver)).toEqual(Array(5).fill('paused'));
    expect(driver.attention()).toMatchObject({ state: 'running', count: 1 });
    driver.hook('PermissionRequest');
    driver.wait(MINUTE);
    expect(lamps(driver)).toEqual(Array(5).fill('paused'));
    expect(driver.attention()).toMatchObject({ state: 'needs_user', primary_project: 'shop' });
    expect(driver.table.line()).toMatchObject({ before: 'Claude waiting: ', name: 'shop' });
    expect(driver.lamp()).toBe('permission');
    driver.hook('SessionEnd');
    driver.wait(HOUR);
    expect(driver.table.line().before).toBe('Paused');
    expect(driver.table.lamp('gemini')).toBe('paused');
  });

  it('is told of: what is shown of everything is another', () => {
    const driver = drive();
    pause(driver);
    expect(driver.table.takeChanges().pauses.get('all')).toEqual({ scope: 'all', at: T0, by: 'local' });
    expect(driver.table.takeChanges().pauses.size).toBe(0);
    resume(driver);
    expect(driver.table.takeChanges().pauses.get('all')).toMatchObject({ ended: T0 });
  });

  it('what begins in it alerts nobody, not after it either', () => {
    const driver = drive();
    driver.begin();
    pause(driver);
    driver.hook('PermissionRequest');
    driver.wait(100);
    expect(resume(driver)).toEqual(['all']);
    driver.table.drained(driver.now());
    driver.wait(MINUTE);
    expect([driver.state(), driver.alert(), driver.table.lamp('claude')]).toEqual([
      'needs_user',
      0,
      'permission',
    ]);
    driver.hook('PostToolUse');
    driver.hook('PermissionRequest');
    driver.wait(SECOND);
    expect(driver.alert()).toBe(1);
  });

  it('nor what was held back in it, and counts after it; what comes beside it does', () => {
    const driver = drive();
    driver.begin();
    pause(driver);
    driver.hook('PermissionRequest', { entrypoint: 'sdk-ts', tool: 'Bash' });
    driver.wait(100);
    resume(driver);
    driver.wait(MINUTE);
    expect([driver.state(), driver.alert()]).toEqual(['needs_user', 0]);
    driver.hook('PostToolUse', { tool: 'Bash' });
    pause(driver);
    driver.hook('PermissionRequest', { entrypoint: 'sdk-ts', tool: 'Bash' });
    resume(driver);
    driver.hook('PermissionRequest', { entrypoint: 'cli', tool: 'Edit' }, { after: 100 });
    driver.wait(MINUTE);
    expect(driver.alert()).toBe(1);
  });

  it('an alert that comes due in it is not given', () => {
    const driver = drive();
    driver.begin();
    driver.hook('PermissionRequest');
    driver.wait(499);
    pause(driver, 1);
    driver.wait(2 * MINUTE);
    driver.table.drained(driver.now());
    driver.wait(MINUTE);
    expect([driver.alert(), driver.the().muted]).toEqual([0, true]);
  });

  it('one that comes due after it is, if it began before', () => {
    const driver = drive();
    driver.begin();
    driver.hook('PermissionRequest');
    pause(driver);
    driver.wait(499);
    resume(driver);
    driver.wait(1);
    expect(driver.alert()).toBe(1);
  });

  it('an alert that was given before it stays given', () => {
    const driver = drive();
    driver.begin();
    driver.hook('PermissionRequest');
    driver.wait(SECOND);
    pause(driver, 1);
    driver.hook('Notification', { notification: 'permission_prompt' });
    driver.wait(2 * MINUTE);
    expect([driver.alert(), driver.the().alerted]).toEqual([1, 1]);
  });

  it('a dialog that the user opened in it is not in the way of a request after it', () => {
    const driver = drive();
    driver.begin();
    driver.hook('Stop');
    pause(driver);
    driver.hook('PreModelSwitch');
    resume(driver);
    driver.wait(MINUTE);
    driver.hook('PermissionRequest', { tool: 'Bash' });
    driver.wait(SECOND);
    expect([driver.alert(), driver.the().muted]).toEqual([1, undefined]);
  });

  it('what was spooled meanwhile alerts nobody, when it is in after the pause', () => {
    for (const [ago, alerts] of [
      [30 * SECOND, 0],
      [3 * MINUTE, 1],
    ] as const) {
      const driver = drive();
      driver.begin();
      driver.wait(10 * MINUTE);
      pause(driver, 1);
      driver.wait(70 * SECOND);
      driver.hook('UserPromptSubmit', { sent_at: driver.now() - 4 * MINUTE }, { live: false });
      driver.hook('PermissionRequest', { sent_at: driver.now() - ago }, { live: false });
      driver.table.drained(driver.now());
      driver.wait(MINUTE);
      expect([driver.state(), driver.alert()]).toEqual(['needs_user', alerts]);
    }
  });
});

describe('its end', () => {
  it('is exact', () => {
    const driver = drive();
    driver.begin();
    pause(driver, 2);
    const due = driver.now() + 2 * MINUTE;
    driver.wait(2 * MINUTE - 1);
    expect([driver.table.lampAll(), driver.table.nextDeadline()]).toEqual(['paused', due]);
    driver.table.takeChanges();
    driver.wait(1);
    expect(driver.table.lampAll()).toBe('active');
    expect(driver.table.takeChanges().pauses.get('all')).toMatchObject({ ended: due });
    expect(driver.table.pauses()).toEqual([]);
  });

  it('comes by nothing else', () => {
    const driver = drive();
    pause(driver);
    driver.begin();
    for (const event of ['Stop', 'SessionEnd', 'SessionStart', 'UserPromptSubmit'] as const)
      driver.hook(event);
    driver.signal('working');
    driver.signal('idle', { session_id: undefined, cwd: undefined, provider: 'all' });
    driver.wait(48 * HOUR);
    expect(driver.table.lampAll()).toBe('paused');
  });

  it('is the one that was said last; it began when it first did', () => {
    const driver = drive();
    pause(driver, 1);
    driver.wait(30 * SECOND);
    pause(driver, 1);
    driver.wait(59 * SECOND);
    expect(driver.table.pauses()).toMatchObject([{ at: T0, until: T0 + 90 * SECOND }]);
    pause(driver);
    driver.wait(HOUR);
    expect(driver.table.pauses()).toEqual([{ scope: 'all', at: T0, by: 'local' }]);
    resume(driver);
    expect(resume(driver)).toEqual([]);
    pause(driver);
    expect(driver.table.pauses()).toMatchObject([{ at: T0 + HOUR + 89 * SECOND }]);
  });

  it('is remembered for a while, and then nothing is left', () => {
    const driver = drive();
    pause(driver, 1);
    driver.wait(MINUTE + 10 * MINUTE);
    expect(driver.table.everything().pauses.size).toBe(0);
    expect(driver.table.takeChanges().pauses).toEqual(new Map([['all', undefined]]));
    expect(driver.table.nextDeadline()).toBeUndefined();
  });
});

describe('a restart', () => {
  it('in it: it goes on until its time', () => {
    const driver = drive();
    driver.begin();
    pause(driver, 5);
    const again = restarted(driver, MINUTE);
    expect(lamps(again)).toEqual(Array(5).fill('paused'));
    again.hook('PermissionRequest');
    again.wait(4 * MINUTE - SECOND - 1);
    expect(again.table.lampAll()).toBe('paused');
    again.wait(1);
    expect([again.table.lampAll(), again.alert()]).toEqual(['permission', 0]);
    expect(restarted(again, SECOND).table.lampAll()).toBe('permission');
  });

  it('after its time: it is over, and an alert that came due in it is not given', () => {
    for (const after of [2 * MINUTE, 30 * MINUTE]) {
      const driver = drive();
      driver.begin();
      driver.hook('PermissionRequest');
      driver.wait(100);
      pause(driver, 1);
      const again = restarted(driver, after);
      expect(again.table.lampAll()).toBe('permission');
      again.table.drained(again.now());
      again.wait(MINUTE);
      expect([again.state(), again.alert()]).toEqual(['needs_user', 0]);
    }
  });

  it('with a clock that was set back: no longer than was asked for', () => {
    const driver = drive();
    driver.wait(2 * HOUR);
    pause(driver, 5);
    const again = restarted(driver, 0, -HOUR);
    expect(again.table.pauses()).toMatchObject([{ at: again.now(), until: again.now() + 5 * MINUTE }]);
  });
});

describe('the clock', () => {
  it('set back: what was left of it stays', () => {
    const driver = drive();
    driver.wait(2 * HOUR);
    pause(driver, 5);
    driver.table.shift(-HOUR);
    const now = driver.now() - HOUR;
    driver.table.advance(now + 5 * MINUTE - 1);
    expect(driver.table.lampAll()).toBe('paused');
    driver.table.advance(now + 5 * MINUTE);
    expect(driver.table.lampAll()).toBe('ready');
  });

  it('set forward, or a machine that slept: it ends when it was said to end', () => {
    const driver = drive();
    driver.begin();
    pause(driver, 5);
    driver.hook('PermissionRequest');
    driver.table.shift(MINUTE);
    driver.table.advance(driver.now() + MINUTE);
    expect(driver.table.lampAll()).toBe('paused');
    driver.table.shift(HOUR);
    driver.table.advance(driver.now() + HOUR + MINUTE);
    expect([driver.table.lampAll(), driver.alert()]).toEqual(['permission', 0]);
    // What is over is remembered for as long as before.
    driver.table.shift(-MINUTE);
    expect(driver.table.everything().pauses.size).toBe(1);
  });

  it('an end that is not set is not moved', () => {
    const driver = drive();
    pause(driver);
    driver.table.shift(HOUR);
    driver.table.advance(driver.now() + 24 * HOUR);
    expect(driver.table.lampAll()).toBe('paused');
  });
});
