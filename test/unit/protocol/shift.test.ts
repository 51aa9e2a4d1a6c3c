import { describe, expect, it } from 'vitest';
import type { Session } from '../../../protocol/session.ts';
import { shiftSession } from '../../../protocol/shift.ts';
import { type Driver, drive, HOUR, MINUTE, SECOND } from '../../support/driving.ts';

/** A session with a time in every place that has one. */
function full(): Driver {
  const driver = drive();
  driver.begin({ entrypoint: 'sdk-ts' });
  driver.hook('Stop');
  driver.hook('Notification');
  driver.hook('UserPromptSubmit', { prompt_id: 'p2', own_prompt: true });
  driver.hook('PreToolUse', { tool: 'Bash' });
  driver.hook('PermissionRequest', { tool: 'Bash' });
  return driver;
}

/** All numbers of a record that are times of these tests, by their path. */
function times(value: unknown, path = ''): [string, number][] {
  if (typeof value === 'number') return value > 1e12 ? [[path, value]] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => times(inner, `${path}.${name}`));
}

describe('the wall clock was set', () => {
  it.each([HOUR, -HOUR])('moves all times of a session by %i ms, and nothing else', (by) => {
    const session = full().the();
    const moved = shiftSession(session, by);
    expect(times(moved)).toEqual(times(session).map(([path, at]) => [path, at + by]));
    expect(times(session).length).toBeGreaterThan(14);
    expect(JSON.parse(JSON.stringify(shiftSession(moved, -by)))).toEqual(JSON.parse(JSON.stringify(session)));
  });

  it('never stays never', () => {
    const driver = drive();
    driver.begin();
    driver.table.shift(HOUR);
    expect(driver.table.takeChanges().providers.get('claude')).toMatchObject({
      fallback_at: 0,
      empty_since: 0,
    });
  });

  it('leaves what has no time without one', () => {
    const driver = drive();
    driver.hook('SessionStart');
    const session: Session = driver.the();
    expect(Object.keys(shiftSession(session, 5))).toEqual(Object.keys(session));
  });

  it.each([HOUR, -HOUR])('what was left of each deadline stays (%i ms)', (by) => {
    const driver = full();
    driver.signal('done', { session_id: undefined, cwd: undefined, provider: 'codex' }, { after: 0 });
    const left = (driver.table.nextDeadline() ?? 0) - driver.now();
    driver.table.takeChanges();
    driver.table.shift(by);
    const now = driver.now() + by;
    expect((driver.table.nextDeadline() ?? 0) - now).toBe(left);
    const { sessions, providers } = driver.table.takeChanges();
    expect([sessions.size, [...providers.keys()].toSorted()]).toEqual([1, ['claude', 'codex']]);
    driver.table.advance(now + 30 * SECOND - 1);
    expect(driver.table.lamp('codex')).toBe('completed');
    driver.table.advance(now + 30 * SECOND);
    expect(driver.table.lamp('codex')).toBe('ready');
    expect(driver.alert()).toBe(1);
    driver.table.advance(now + HOUR - 1);
    expect(driver.state()).toBe('needs_user');
    driver.table.advance(now + HOUR);
    expect(driver.find()).toBeUndefined();
  });

  it('set back while nobody ran: what lies ahead counts from now', () => {
    const driver = drive({ defaults: { provider: 'codex' } });
    driver.begin();
    driver.hook('Stop', { crons: 1 });
    driver.signal('paused', { session_id: undefined, cwd: undefined });
    const { sessions, providers } = driver.table.takeChanges();
    const early = driver.now() - 48 * HOUR;
    const again = drive();
    again.table.restore(
      { sessions: [...sessions.values()] as Session[], providers: [...providers.values()] },
      early,
    );
    again.table.advance(early);
    expect(again.the().updated_at).toBe(early);
    expect(again.table.takeChanges().providers.get('codex')).toMatchObject({
      fallback_at: early,
      hooks_at: early,
    });
    again.table.advance(early + 24 * HOUR - 1);
    expect(again.find()).toBeDefined();
    again.table.advance(early + 24 * HOUR);
    expect(again.find()).toBeUndefined();
  });

  it('a moment that has passed while nobody ran has passed', () => {
    const driver = drive();
    driver.begin();
    const { sessions, providers } = driver.table.takeChanges();
    const again = drive();
    const late = driver.now() + 15 * MINUTE;
    again.table.restore(
      { sessions: [...sessions.values()] as Session[], providers: [...providers.values()] },
      late,
    );
    again.table.advance(late);
    expect([again.state(), again.the().updated_at]).toEqual(['unknown', driver.now()]);
  });
});
