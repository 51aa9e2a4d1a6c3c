import { describe, expect, it } from 'vitest';
import { SIGNAL_NAMES, type SignalName } from '../../../protocol/events.ts';
import { drive, MINUTE, SECOND } from '../../support/driving.ts';

const TABLE: readonly (readonly [signal: SignalName, state: string, lamp: string, reason: string])[] = [
  ['idle', 'idle', 'ready', 'interrupted'],
  ['turn_end', 'idle', 'ready', 'interrupted'],
  ['session_start', 'running', 'ready', 'session_start'],
  ['session_end', 'idle', 'ready', 'session_end'],
  ['thinking', 'running', 'active', 'user_prompt'],
  ['working', 'running', 'active', 'tool_use'],
  ['tool_done', 'running', 'active', 'tool_use'],
  ['subagent_start', 'running', 'active', 'tool_use'],
  ['subagent_stop', 'running', 'active', 'tool_use'],
  ['done', 'done', 'completed', 'stop'],
  ['attention', 'needs_user', 'needs_review', 'notification'],
  ['notification', 'needs_user', 'needs_review', 'notification'],
  ['permission', 'needs_user', 'permission', 'permission_request'],
  ['permission_request', 'needs_user', 'permission', 'permission_request'],
  ['blocked', 'error', 'blocked', 'blocked'],
  ['failure', 'error', 'blocked', 'failure'],
  ['error', 'error', 'blocked', 'error'],
  ['exception', 'error', 'blocked', 'exception'],
  ['max_tokens', 'error', 'blocked', 'max_tokens'],
  ['stale', 'unknown', 'stale', 'stale'],
];
const PAUSES = ['off', 'pause', 'paused'] as const;

describe('raw lamp signals (section 1)', () => {
  it('the tables of these tests name them all', () => {
    expect([...TABLE.map(([signal]) => signal), ...PAUSES].toSorted()).toEqual(SIGNAL_NAMES.toSorted());
  });

  it.each(TABLE)('%s on a prompted session: %s, lamp %s', (signal, state, lamp, reason) => {
    const driver = drive();
    driver.begin();
    driver.signal(signal);
    expect([driver.state(), driver.lamp(), driver.reason()]).toEqual([state, lamp, reason]);
  });

  it.each(TABLE)('%s as the first that is heard: %s, lamp %s', (signal, state, lamp) => {
    const driver = drive();
    driver.signal(signal);
    expect([driver.state(), driver.lamp()]).toEqual([state, lamp]);
  });

  it.each(PAUSES)('%s pauses the lamp alone, until the session’s next event', (signal) => {
    const driver = drive();
    driver.begin();
    driver.signal(signal);
    expect([driver.state(), driver.lamp()]).toEqual(['running', 'paused']);
    driver.hook('PostToolUse', { tool: 'Bash' });
    expect(driver.lamp()).toBe('active');
  });

  it.each(PAUSES)('%s of a new session leaves it idle', (signal) => {
    const driver = drive();
    driver.signal(signal);
    expect([driver.state(), driver.lamp()]).toEqual(['idle', 'paused']);
  });

  it('stale lasts until the session’s next event', () => {
    const driver = drive();
    driver.begin();
    driver.hook('PermissionRequest', { tool: 'Bash' });
    driver.signal('stale');
    expect(driver.state()).toBe('unknown');
    driver.hook('PreToolUse', { tool: 'Read' });
    expect([driver.state(), driver.lamp()]).toEqual(['needs_user', 'permission']);
  });

  it('stale goes like unknown, and leaves its provider stale', () => {
    const driver = drive();
    driver.signal('stale');
    driver.wait(20 * MINUTE - 1);
    expect(driver.state()).toBe('unknown');
    driver.wait(1);
    expect(driver.find()).toBeUndefined();
    expect(driver.table.lamp('claude')).toBe('stale');
  });

  it('is an event without tool and ids, whatever is sent with it', () => {
    const driver = drive();
    driver.begin();
    driver.hook('PermissionRequest', { tool: 'Bash' });
    driver.signal('working', { tool: 'Read', agent_id: 'a1', prompt_id: 'p9' });
    expect(driver.kinds()).toEqual([]);
    driver.signal('attention', { notification: 'idle_prompt' });
    expect(driver.kinds()).toEqual(['notification']);
    expect(driver.the().attentions[0]?.evidence).toMatchObject({ origin: 'signal', what: 'attention' });
    driver.signal('session_start', { source: 'compact' });
    expect(driver.reason()).toBe('session_start');
  });
});

describe('a raw signal that names no session', () => {
  const nobody = { session_id: undefined, cwd: undefined };

  it.each([...TABLE.map(([signal, , lamp]) => [signal, lamp] as const), ['off', 'paused'] as const])(
    '%s sets the provider’s lamp: %s',
    (signal, lamp) => {
      const driver = drive();
      driver.signal(signal, { ...nobody, provider: 'codex' });
      expect([...driver.table.sessions()]).toEqual([]);
      expect(driver.table.lamp('codex')).toBe(lamp);
      expect(driver.table.lamp('claude')).toBe('ready');
      expect(driver.attention('codex').state).toBe('idle');
    },
  );

  it('without a provider it sets every one’s', () => {
    const driver = drive({ table: { shown: ['gemini'] } });
    driver.signal('paused', { ...nobody, provider: 'all' });
    expect(driver.table.providers().map((slug) => driver.table.lamp(slug))).toEqual([
      'paused',
      'paused',
      'paused',
    ]);
    expect(driver.table.lampAll()).toBe('paused');
  });

  it('without a name it says nothing', () => {
    const driver = drive();
    expect(driver.hook('Signal', nobody)).toBe('no_change');
    expect(driver.table.lampAll()).toBe('ready');
  });

  it('completed lasts its time, also over a restart', () => {
    const driver = drive();
    driver.signal('done', nobody);
    const { providers } = driver.table.takeChanges();
    driver.wait(30 * SECOND - 1);
    expect(driver.table.lamp('claude')).toBe('completed');
    driver.wait(1);
    expect(driver.table.lamp('claude')).toBe('ready');
    expect(driver.table.takeChanges().providers.has('claude')).toBe(true);

    const again = drive();
    again.table.restore({ sessions: [], providers: [...providers.values()] }, again.now() + 10 * SECOND);
    again.wait(30 * SECOND);
    expect(again.table.lamp('claude')).toBe('completed');
    again.wait(SECOND);
    expect(again.table.lamp('claude')).toBe('ready');
  });

  it('does not outshine a live session, and an old one never locks', () => {
    const driver = drive();
    driver.signal('paused', nobody);
    driver.signal('off', { session_id: 's9' });
    expect(driver.table.lamp('claude')).toBe('paused');
    driver.begin();
    driver.hook('SessionEnd');
    driver.wait(10 * MINUTE);
    expect([...driver.table.sessions()]).toEqual([]);
    expect(driver.table.lamp('claude')).toBe('ready');
  });

  it('a session event that only pauses does not replace it', () => {
    const driver = drive();
    driver.signal('stale', nobody);
    driver.signal('paused');
    driver.wait(5 * MINUTE);
    expect([...driver.table.sessions()]).toEqual([]);
    expect(driver.table.lamp('claude')).toBe('stale');
  });
});
