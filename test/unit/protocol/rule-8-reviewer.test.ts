import { describe, expect, it } from 'vitest';
import { type Driver, drive, SECOND } from '../../support/driving.ts';

function codex(): Driver {
  const driver = drive({ defaults: { provider: 'codex' } });
  driver.begin();
  return driver;
}

const told = (driver: Driver, reviewer: string): unknown =>
  driver.hook('Other', { reviewer, notify: true }, { after: 20 });

describe('rule 8: a thread whose requests a model of its own reviews', () => {
  it('raises a request that is still open after 5 s', () => {
    const driver = codex();
    told(driver, 'guardian');
    driver.hook('PermissionRequest', { tool: 'Bash' });
    driver.wait(4_999);
    expect(driver.state()).toBe('running');
    driver.wait(1);
    expect(driver.state()).toBe('needs_user');
    driver.wait(SECOND);
    expect(driver.alert('codex')).toBe(1);
  });

  it('takes back a request that was open when it heard of the reviewer, and alerts nobody', () => {
    const driver = codex();
    driver.hook('PermissionRequest', { tool: 'Bash' });
    told(driver, 'guardian');
    expect(driver.state()).toBe('running');
    told(driver, 'guardian');
    driver.hook('Stop');
    driver.wait(10 * SECOND);
    expect([driver.state(), driver.lamp(), driver.alert('codex')]).toEqual(['done', 'completed', 0]);
  });

  it('holds no question: only the user can answer it', () => {
    const driver = codex();
    driver.hook('PreToolUse', { tool: 'request_user_input' });
    told(driver, 'guardian');
    expect(driver.state()).toBe('needs_user');
  });

  it('raises at once again when the user reviews', () => {
    const driver = codex();
    told(driver, 'user');
    told(driver, 'guardian');
    told(driver, 'user');
    driver.hook('PermissionRequest', { tool: 'Bash' });
    expect(driver.state()).toBe('needs_user');
  });

  it('makes no session', () => {
    const driver = drive({ defaults: { provider: 'codex' } });
    told(driver, 'guardian');
    expect(driver.find()).toBeUndefined();
  });
});
