import { describe, expect, it } from 'vitest';
import { DEFAULT_TIMEOUTS } from '../../../protocol/expiry.ts';
import { sessionId } from '../../../protocol/session-key.ts';
import { type Driver, drive, SECOND } from '../../support/driving.ts';
import { lamps, pause, resume } from '../../support/said.ts';

const CODEX = { provider: 'codex', session_id: 'c1', cwd: '/home/dev/docs' } as const;

describe('a pause of a part', () => {
  /** Claude's session s1 and s2, Codex' c1. */
  function several(): Driver {
    const driver = drive();
    driver.begin();
    driver.hook('UserPromptSubmit', { session_id: 's2', cwd: '/home/dev/infra' });
    driver.hook('UserPromptSubmit', CODEX);
    return driver;
  }
  const idOf = (driver: Driver, session: string): string =>
    sessionId(driver.the(session).provider, driver.the(session).key);

  it('one provider: its lamps, and so the strongest of all', () => {
    const driver = several();
    pause(driver, undefined, 'codex');
    expect(lamps(driver)).toEqual(['paused', 'active', 'active', 'paused', 'active']);
    expect(driver.table.pauseOf({ provider: 'codex' })).toMatchObject({ scope: 'codex' });
    expect(driver.table.pauseOf({ provider: 'claude' })).toBeUndefined();
    driver.hook('PermissionRequest', CODEX);
    driver.hook('PermissionRequest');
    driver.wait(SECOND);
    expect([driver.alert(), driver.alert('codex')]).toEqual([1, 0]);
    expect([resume(driver, 'claude'), resume(driver, 'codex')]).toEqual([[], ['codex']]);
  });

  it('one session: its lamp, and its provider’s while it is live', () => {
    const driver = several();
    pause(driver, undefined, idOf(driver, 's2'));
    expect(lamps(driver)).toEqual(['paused', 'paused', 'paused', 'active', 'active']);
    expect(driver.table.lampOf(driver.the('s2'))).toBe('paused');
    driver.hook('PermissionRequest', { session_id: 's2', cwd: '/home/dev/infra' });
    driver.wait(SECOND);
    expect(driver.alert()).toBe(0);
    driver.hook('PermissionRequest');
    driver.wait(SECOND);
    expect(driver.alert()).toBe(1);
    driver.wait(DEFAULT_TIMEOUTS.needs_user - 2 * SECOND);
    expect(driver.find('s2')).toBeUndefined();
    expect(driver.table.lamp('claude')).toBe('permission');
    driver.hook('PermissionRequest', { session_id: 's2', cwd: '/home/dev/infra' });
    expect(driver.table.lamp('claude')).toBe('paused');
  });

  it('is ended with what is wider, the widest named first', () => {
    const driver = several();
    const id = idOf(driver, 's2');
    for (const scope of [id, 'codex', 'claude', 'all']) pause(driver, undefined, scope);
    expect(driver.table.pauses().map(({ scope }) => scope)).toEqual(['all', 'codex', 'claude', id]);
    expect(driver.table.pauseOf(driver.the('s2'))).toMatchObject({ scope: 'all' });
    expect(resume(driver, 'claude')).toEqual(['claude', id]);
    expect(driver.table.pauseOf(driver.the('s2'))).toMatchObject({ scope: 'all' });
    expect(resume(driver)).toEqual(['all', 'codex']);
    expect(lamps(driver)).toEqual(Array(5).fill('active'));
  });

  it('of a flood of sessions the first is let go', () => {
    const driver = several();
    for (let index = 0; index < 257; index += 1) {
      driver.wait(1);
      pause(driver, undefined, `claude ${index.toString(16).padStart(12, '0')}`);
    }
    const scopes = driver.table.pauses().map(({ scope }) => scope);
    expect([scopes.length, scopes.includes('claude 000000000000')]).toEqual([256, false]);
  });
});
