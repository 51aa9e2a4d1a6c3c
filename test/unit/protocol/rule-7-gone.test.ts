import { describe, expect, it } from 'vitest';
import type { EventName, SignalName } from '../../../protocol/events.ts';
import { changesOf, readClaudeSession } from '../../../protocol/sources/claude-sessions.ts';
import { type Driver, drive, type Fields, HOUR, MINUTE, SECOND } from '../../support/driving.ts';
import { says, sent, sentBegin, tells } from '../../support/observing.ts';

const BASH = { tool: 'Bash', digest: '00000000000000aa' };

function begun(): Driver {
  const driver = drive();
  sentBegin(driver);
  tells(driver, 'busy');
  return driver;
}

function gone(): Driver {
  const driver = begun();
  tells(driver, 'gone');
  return driver;
}

describe('rule 7: its record removed: gone', () => {
  it.each<[string, (driver: Driver) => void]>([
    ['running', () => undefined],
    ['waiting', (driver) => sent(driver, 'PermissionRequest', BASH)],
    ['done', (driver) => sent(driver, 'Stop', { prompt_id: 'p1' })],
    ['failed', (driver) => sent(driver, 'StopFailure', { error: 'overloaded' })],
    ['unknown', (driver) => driver.signal('stale', { enveloped: true })],
  ])('%s: at once, its lamp too, and nothing is left', (_what, make) => {
    const driver = begun();
    make(driver);
    driver.table.takeChanges();
    expect(tells(driver, 'gone', {}, { after: 5 * SECOND })).toBe('applied');
    expect(driver.find()).toBeUndefined();
    expect(driver.table.lamp('claude')).toBe('ready');
    const { sessions, transitions } = driver.table.takeChanges();
    expect([...sessions.values()]).toEqual([undefined]);
    expect(transitions.at(-1)).toMatchObject({ event_type: 'removed', to: null, reason: 'gone' });
  });

  it('an alert that was due is not given', () => {
    const driver = begun();
    sent(driver, 'PermissionRequest', BASH);
    tells(driver, 'gone', {}, { after: 300 });
    driver.wait(5 * SECOND);
    expect(driver.alert()).toBe(0);
  });

  it('of a session nobody knows, it is no news', () => {
    const driver = drive();
    expect(tells(driver, 'gone')).toBe('no_change');
    expect(driver.find()).toBeUndefined();
  });

  it.each<[EventName, Fields]>([
    ['SessionEnd', {}],
    ['Stop', { prompt_id: 'p1' }],
    ['PreToolUse', BASH],
    ['PostToolUse', BASH],
    ['PermissionRequest', BASH],
    ['Notification', { notification: 'permission_prompt' }],
    ['SessionStart', { source: 'compact' }],
    ['SessionStart', { source: 'startup', agent_id: 'a1' }],
    ['UserPromptSubmit', { agent_id: 'a1' }],
  ])('its late %s %j does not bring it back', (event, fields) => {
    const driver = gone();
    expect(sent(driver, event, fields)).toBe('no_change');
    expect(driver.find()).toBeUndefined();
  });

  it.each<[EventName, Fields, string]>([
    ['SessionStart', { source: 'resume' }, 'idle'],
    ['SessionStart', { source: 'startup' }, 'running'],
    ['UserPromptSubmit', { prompt_id: 'p2' }, 'running'],
  ])('%s %j does', (event, fields, state) => {
    const driver = gone();
    sent(driver, event, fields);
    expect([driver.state(), driver.kinds()]).toEqual([state, []]);
    // It is a session like any other again.
    sent(driver, 'Stop', { prompt_id: 'p2' });
    expect(driver.state()).toBe('done');
  });

  it.each<[SignalName, string | undefined]>([
    ['session_start', 'running'],
    ['thinking', 'running'],
    ['working', undefined],
    ['stale', undefined],
  ])('so does a raw signal that is the same as one of them: %s', (signal, state) => {
    const driver = gone();
    driver.signal(signal);
    expect(driver.state()).toBe(state);
  });

  it('a newer status does, an older one does not', () => {
    const driver = gone();
    tells(driver, 'waiting', {}, { ago: 3 * SECOND });
    expect(driver.find()).toBeUndefined();
    tells(driver, 'busy');
    expect(says(driver)).toEqual(['running', 'status', 'active']);
  });

  it('a newer one that is idle is nobody’s business', () => {
    const driver = gone();
    tells(driver, 'idle');
    expect(driver.find()).toBeUndefined();
  });

  it('a prompt sent before the record went does not', () => {
    const driver = gone();
    sent(driver, 'UserPromptSubmit', { prompt_id: 'p2' }, { after: 100, ago: 500 });
    expect(driver.find()).toBeUndefined();
  });

  it('is remembered for ten minutes, and then forgotten', () => {
    const driver = gone();
    sent(driver, 'PostToolUse', BASH, { after: 9 * MINUTE });
    expect(driver.find()).toBeUndefined();
    driver.wait(HOUR);
    expect(driver.table.nextDeadline()).toBeUndefined();
    sent(driver, 'PostToolUse', BASH);
    expect(driver.state()).toBe('running');
  });

  it('a jump of the clock does not make it forgotten', () => {
    const driver = gone();
    driver.table.shift(HOUR);
    const now = driver.now() + HOUR + SECOND;
    const tool = {
      v: 1,
      event: 'PostToolUse',
      provider: 'claude',
      session_id: 's1',
      host: 'studio',
    } as const;
    driver.table.apply({ ...tool, ...BASH }, { now, live: true });
    expect(driver.find()).toBeUndefined();
    driver.table.advance(now + HOUR);
    expect(driver.table.nextDeadline()).toBeUndefined();
    expect(driver.table.takeChanges().providers.size).toBe(1);
  });
});

describe('rule 7: another session id in the same process', () => {
  /** What one look at the process's file tells the table, after another. */
  function look(driver: Driver, files: readonly (Record<string, unknown> | undefined)[]): void {
    let known: ReturnType<typeof readClaudeSession>;
    for (const file of files) {
      driver.wait(SECOND);
      const at = { statusUpdatedAt: driver.now() - 50 };
      const seen = file === undefined ? undefined : readClaudeSession({ ...at, ...file });
      for (const { report, moment } of changesOf(known, seen, driver.now()))
        driver.table.observe({ ...report, host: 'studio' }, moment, { now: driver.now(), live: true });
      known = seen;
    }
  }

  it('the old id is gone, the new one takes over the status', () => {
    const driver = begun();
    look(driver, [
      { sessionId: 's1', status: 'busy' },
      { sessionId: 's2', status: 'busy' },
    ]);
    expect(driver.find('s1')).toBeUndefined();
    expect(driver.the('s2').status).toMatchObject({ value: 'busy' });
    expect(driver.state('s2')).toBe('running');
  });

  it('/clear: the new session is idle, also when its file comes before its hook', () => {
    const driver = begun();
    sent(driver, 'Stop', { prompt_id: 'p1' });
    look(driver, [
      { sessionId: 's1', status: 'idle' },
      { sessionId: 's2', status: 'idle' },
    ]);
    sent(driver, 'SessionEnd', { reason: 'clear' }, { after: 10, ago: 100 });
    sent(driver, 'SessionStart', { session_id: 's2', source: 'clear' }, { after: 20, ago: 80 });
    expect([driver.find('s1'), driver.state('s2')]).toEqual([undefined, 'idle']);
  });
});
