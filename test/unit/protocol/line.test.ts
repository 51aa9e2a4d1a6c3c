import { describe, expect, it } from 'vitest';
import { type Driver, drive, MINUTE } from '../../support/driving.ts';

function said(driver: Driver): string {
  const { before, name, after } = driver.table.line();
  return before + name + after;
}

describe('line (spec: bus)', () => {
  it('nobody', () => {
    const driver = drive();
    expect(said(driver)).toBe('Nobody waits');
    driver.hook('SessionEnd');
    expect(said(driver)).toBe('Nobody waits');
  });

  it('who waits, and why', () => {
    const driver = drive();
    driver.hook('PermissionRequest', { provider: 'codex', tool: 'Bash', cwd: '/w/web-shop' });
    expect(driver.table.line()).toEqual({
      before: 'Codex waiting: ',
      name: 'web-shop',
      after: ' (permission)',
    });
  });

  it('the strongest of all providers, of equal ones the newest, and how many more are like it', () => {
    const driver = drive();
    driver.hook('UserPromptSubmit', { cwd: '/w/a' });
    expect(said(driver)).toBe('Claude running: a');
    driver.hook('StopFailure', { provider: 'codex', error: 'overloaded', cwd: '/w/b' });
    expect(said(driver)).toBe('Codex failed: b (overloaded)');
    driver.hook('PreToolUse', { tool: 'AskUserQuestion', cwd: '/w/a' });
    expect(said(driver)).toBe('Claude waiting: a (question)');
    driver.hook('PermissionRequest', { provider: 'codex', tool: 'Bash', cwd: '/w/c', session_id: 's2' });
    driver.hook('PermissionRequest', { provider: 'codex', tool: 'Bash', cwd: '/w/d', session_id: 's3' });
    expect(said(driver)).toBe('Codex waiting: d (permission) +2');
  });

  it('what is done or not heard of', () => {
    const driver = drive();
    driver.hook('Stop');
    expect(said(driver)).toBe('Claude done: shop');
    driver.hook('UserPromptSubmit');
    driver.wait(10 * MINUTE);
    expect(said(driver)).toBe('Claude not heard of: shop');
  });

  it('paused and stale without a session', () => {
    const driver = drive();
    driver.signal('paused', { session_id: undefined, cwd: undefined });
    expect(said(driver)).toBe('Paused');
    driver.signal('stale', { session_id: undefined, cwd: undefined });
    expect(said(driver)).toBe('State not known');
  });
});
