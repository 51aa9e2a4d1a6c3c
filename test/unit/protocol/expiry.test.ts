import { describe, expect, it } from 'vitest';
import { DEFAULT_TIMEOUTS, EXPIRES_INTO, LEAVES_STALE, type Timeouts } from '../../../protocol/expiry.ts';
import { type Driver, drive, HOUR, MINUTE, SECOND } from '../../support/driving.ts';

interface Row {
  readonly state: keyof Timeouts;
  readonly lasts: number;
  readonly make: (driver: Driver) => void;
  readonly leaves: 'stale' | 'ready';
}

const ROWS: readonly Row[] = [
  {
    state: 'needs_user',
    lasts: 60 * MINUTE,
    make: (driver) => driver.hook('PermissionRequest', { tool: 'Bash' }),
    leaves: 'stale',
  },
  {
    state: 'error',
    lasts: 30 * MINUTE,
    make: (driver) => driver.hook('StopFailure', { error: 'overloaded' }),
    leaves: 'stale',
  },
  { state: 'done', lasts: 5 * MINUTE, make: (driver) => driver.hook('Stop'), leaves: 'ready' },
  { state: 'idle', lasts: 5 * MINUTE, make: (driver) => driver.hook('Interrupt'), leaves: 'ready' },
  {
    state: 'scheduled',
    lasts: 24 * HOUR,
    make: (driver) => driver.hook('Stop', { crons: 1 }),
    leaves: 'ready',
  },
  { state: 'unknown', lasts: 20 * MINUTE, make: (driver) => driver.signal('stale'), leaves: 'stale' },
];

describe('expiry (section 5)', () => {
  it('the table', () => {
    expect(DEFAULT_TIMEOUTS).toEqual({
      needs_user: 3_600_000,
      error: 1_800_000,
      done: 300_000,
      running: 600_000,
      unknown: 1_200_000,
      idle: 300_000,
      scheduled: 86_400_000,
      completed: 30_000,
    });
    expect(Object.entries(EXPIRES_INTO).filter(([, into]) => into === 'unknown')).toEqual([
      ['running', 'unknown'],
    ]);
    expect([...LEAVES_STALE].toSorted()).toEqual(['error', 'needs_user', 'unknown']);
  });

  it.each(ROWS)(
    '$state lasts $lasts ms to the millisecond, then it is removed',
    ({ lasts, make, leaves }) => {
      const driver = drive();
      driver.begin();
      make(driver);
      const { state } = driver.the();
      driver.wait(lasts - 1);
      expect(driver.state()).toBe(state);
      expect(driver.table.nextDeadline()).toBe(driver.now() + 1);
      driver.table.takeChanges();
      driver.wait(1);
      expect(driver.find()).toBeUndefined();
      expect(driver.table.lamp('claude')).toBe(leaves);
      const { transitions, sessions, providers } = driver.table.takeChanges();
      expect(transitions).toMatchObject([{ event_type: 'removed', from: state, to: null, project: 'shop' }]);
      expect([...sessions.values()]).toEqual([undefined]);
      expect(providers.get('claude')?.empty_since).toBe(driver.now());
      expect(driver.table.nextDeadline()).toBeUndefined();
    },
  );

  it('running becomes unknown (reason stale), then is removed: 30 min stale in all', () => {
    const driver = drive();
    driver.begin();
    driver.wait(10 * MINUTE - 1);
    expect(driver.state()).toBe('running');
    expect(driver.table.nextDeadline()).toBe(driver.now() + 1);
    driver.wait(1);
    expect([driver.state(), driver.reason(), driver.lamp()]).toEqual(['unknown', 'stale', 'stale']);
    expect(driver.the().state_since).toBe(driver.now());
    driver.wait(20 * MINUTE - 1);
    expect(driver.state()).toBe('unknown');
    driver.wait(1);
    expect(driver.find()).toBeUndefined();
    expect(driver.table.lamp('claude')).toBe('stale');
  });

  it('any accepted event refreshes it', () => {
    const driver = drive();
    driver.begin();
    for (let round = 0; round < 5; round++)
      driver.hook('PostToolUse', { tool: 'Bash' }, { after: 9 * MINUTE });
    expect(driver.state()).toBe('running');
  });

  it('an event revives what has become unknown', () => {
    const driver = drive();
    driver.begin();
    driver.hook('PostToolUse', { tool: 'Bash' }, { after: 15 * MINUTE });
    expect([driver.state(), driver.lamp()]).toEqual(['running', 'active']);
  });

  it('time comes before an event of the same moment: what had to go is gone', () => {
    const driver = drive();
    driver.begin();
    driver.hook('Stop');
    const { table } = driver;
    table.takeChanges();
    const now = driver.now() + 5 * MINUTE;
    table.apply(
      { v: 1, event: 'PostToolUse', provider: 'claude', session_id: 's1', host: 'studio' },
      { now, live: true },
    );
    expect(table.takeChanges().transitions.map((step) => step.event_type)).toEqual(['removed', 'running']);
  });

  it('the lamp `completed` lasts 30 s after the turn’s end, and that alone is a change', () => {
    const driver = drive();
    driver.begin();
    driver.hook('Stop');
    driver.wait(30 * SECOND - 1);
    expect(driver.lamp()).toBe('completed');
    expect(driver.table.nextDeadline()).toBe(driver.now() + 1);
    driver.table.takeChanges();
    driver.wait(1);
    expect([driver.state(), driver.lamp()]).toEqual(['done', 'ready']);
    const changes = driver.table.takeChanges();
    expect([changes.sessions.size, changes.providers.size, changes.transitions]).toEqual([1, 1, []]);
  });

  it('its time is counted from the hub’s clock, not from the sender’s', () => {
    const driver = drive();
    driver.begin();
    driver.hook('Stop', { sent_at: driver.now() + 100 }, { after: 10 * SECOND });
    driver.wait(29 * SECOND);
    expect(driver.lamp()).toBe('completed');
  });
});

describe('each timeout is configurable, and 0 means at once', () => {
  it.each(ROWS)('$state', ({ state, make, leaves }) => {
    const short = drive({ timeouts: { [state]: 1234 } });
    short.begin();
    make(short);
    short.wait(1233);
    expect(short.find()).toBeDefined();
    short.wait(1);
    expect(short.find()).toBeUndefined();

    const none = drive({ timeouts: { [state]: 0 } });
    none.begin();
    make(none);
    expect(none.find()).toBeUndefined();
    expect(none.table.lamp('claude')).toBe(leaves);
  });

  it('running', () => {
    const driver = drive({ timeouts: { running: 0 } });
    driver.hook('UserPromptSubmit');
    expect(driver.state()).toBe('unknown');
    const gone = drive({ timeouts: { running: 0, unknown: 0 } });
    gone.hook('UserPromptSubmit');
    expect(gone.find()).toBeUndefined();
    expect(gone.table.lamp('claude')).toBe('stale');
  });

  it('a lone start', () => {
    const driver = drive({ timeouts: { running: 0 } });
    driver.hook('SessionStart');
    expect(driver.find()).toBeUndefined();
    expect(driver.table.lamp('claude')).toBe('ready');
  });

  it('completed', () => {
    const driver = drive({ timeouts: { completed: 0 } });
    driver.begin();
    driver.hook('Stop');
    expect([driver.state(), driver.lamp()]).toEqual(['done', 'ready']);
  });
});

describe('the fallback that an expiry leaves', () => {
  it('stale, until the next accepted session event', () => {
    const driver = drive();
    driver.begin();
    driver.wait(HOUR);
    expect(driver.table.lamp('claude')).toBe('stale');
    expect(driver.table.lampAll()).toBe('stale');
    driver.hook('SessionStart', { session_id: 's2' });
    driver.hook('SessionEnd', { session_id: 's2' });
    driver.wait(HOUR);
    expect(driver.table.lamp('claude')).toBe('ready');
  });

  it('a live session of the provider is shown in its place', () => {
    const driver = drive();
    driver.hook('StopFailure', { error: 'overloaded' });
    driver.hook('Stop', { session_id: 's2', cwd: '/b' }, { after: 29 * MINUTE });
    driver.wait(2 * MINUTE);
    expect(driver.find()).toBeUndefined();
    expect(driver.table.lamp('claude')).toBe('ready');
    driver.wait(10 * MINUTE);
    expect(driver.table.lamp('claude')).toBe('stale');
  });
});

describe('a new SessionStart of the same provider, host and cwd', () => {
  const S2 = { session_id: 's2' } as const;

  it.each<[string, (driver: Driver) => void]>([
    ['running', () => undefined],
    ['done', (driver) => driver.hook('Stop')],
    ['error', (driver) => driver.hook('StopFailure', { error: 'overloaded' })],
    ['idle', (driver) => driver.hook('SessionEnd')],
    ['unknown', (driver) => driver.signal('stale')],
  ])('clears an earlier record that is %s', (state, make) => {
    const driver = drive();
    driver.begin();
    make(driver);
    expect(driver.state()).toBe(state);
    driver.hook('SessionStart', { ...S2, source: 'startup' });
    expect(driver.find()).toBeUndefined();
    expect(driver.find('s2')).toBeDefined();
  });

  it('leaves a waiting one', () => {
    const driver = drive();
    driver.hook('PermissionRequest', { tool: 'Bash' });
    driver.hook('SessionStart', S2);
    driver.hook('SessionStart', { ...S2, enveloped: undefined });
    expect(driver.state()).toBe('needs_user');
  });

  it.each([
    [undefined, undefined, false],
    [true, undefined, true],
    [undefined, true, true],
  ])('clears a waiting one if both are hand-written (envelopes: %s, %s)', (first, second, stays) => {
    const driver = drive();
    driver.hook('PermissionRequest', { tool: 'Bash', enveloped: first });
    driver.hook('SessionStart', { ...S2, enveloped: second });
    expect(driver.find() !== undefined).toBe(stays);
  });

  it.each([
    ['another provider', { provider: 'codex' }],
    ['another host', { host: 'laptop' }],
    ['another cwd', { cwd: '/home/dev/other' }],
    ['no cwd', { cwd: undefined }],
    ['a compaction', { source: 'compact' }],
    ['a subagent’s', { agent_id: 'a1' }],
  ])('not for %s', (_what, fields) => {
    const driver = drive();
    driver.begin();
    driver.hook('SessionStart', { ...S2, ...fields });
    expect(driver.find()).toBeDefined();
  });

  it('a raw session_start clears too; another raw signal does not', () => {
    const driver = drive();
    driver.hook('Stop');
    driver.signal('done', { session_id: 's2' });
    expect(driver.find()).toBeDefined();
    driver.signal('session_start', { session_id: 's3' });
    expect([driver.find(), driver.find('s2')]).toEqual([undefined, undefined]);
  });

  it('leaves no stale behind, though it clears an error', () => {
    const driver = drive();
    driver.hook('StopFailure', { error: 'overloaded' });
    driver.hook('SessionStart', S2);
    driver.wait(HOUR);
    expect(driver.table.lamp('claude')).toBe('ready');
  });
});
