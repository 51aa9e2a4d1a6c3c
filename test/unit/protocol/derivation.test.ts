import { describe, expect, it } from 'vitest';
import { type Driver, drive } from '../../support/driving.ts';

/** The session of these tests: started and prompted, one second apart. */
function prompted(): Driver {
  const driver = drive();
  driver.begin();
  return driver;
}

/** Each line makes something hold that is stronger than all lines after it. */
const LADDER: readonly (readonly [
  what: string,
  make: (driver: Driver) => void,
  state: string,
  reason: string,
])[] = [
  ['raw stale', (driver) => driver.signal('stale'), 'unknown', 'stale'],
  ['an open request', (driver) => driver.hook('Notification'), 'needs_user', 'notification'],
  [
    'the turn runs',
    (driver) => driver.hook('PreToolUse', { tool: 'Bash', prompt_id: 'p3' }),
    'running',
    'tool_use',
  ],
  ['compaction', (driver) => driver.hook('PreCompact'), 'running', 'compact'],
];

describe('derivation: first that holds', () => {
  it.each(LADDER.map((_, from) => [LADDER[from]?.[0], from] as const))('%s', (_what, from) => {
    const driver = prompted();
    driver.hook('Stop', { background: [{ id: 'b1', type: 'shell', status: 'running' }] });
    for (const [, make] of LADDER.slice(from).toReversed()) make(driver);
    const [, , state, reason] = LADDER[from] ?? [];
    expect([driver.state(), driver.reason()]).toEqual([state, reason]);
  });

  it('a queued prompt’s turn before background work, a failed end before it too', () => {
    const background = [{ id: 'b1', type: 'subagent', status: 'running' }];
    const driver = prompted();
    driver.hook('UserPromptSubmit', { prompt_id: 'p1' });
    driver.hook('Stop', { background });
    expect(driver.reason()).toBe('queued_prompt');
    driver.hook('Stop', { background });
    expect(driver.reason()).toBe('background_task');
    driver.hook('UserPromptSubmit', { prompt_id: 'p2' });
    driver.hook('StopFailure', { error: 'overloaded' });
    expect(driver.state()).toBe('error');
  });

  it('compaction before a failed end', () => {
    const driver = prompted();
    driver.hook('StopFailure', { error: 'overloaded' });
    driver.hook('PreCompact');
    expect([driver.state(), driver.lamp()]).toEqual(['running', 'blocked']);
  });

  it('what needs a decision speaks before what needs a look; of those, the newest', () => {
    const driver = prompted();
    driver.hook('Notification');
    driver.hook('PermissionRequest', { tool: 'Bash' });
    driver.hook('PreModelSwitch');
    expect([driver.reason(), driver.lamp()]).toEqual(['permission_request', 'permission']);
    driver.hook('PostToolUse', { tool: 'Bash' });
    driver.hook('Notification');
    driver.hook('PreModelSwitch');
    expect([driver.reason(), driver.lamp()]).toEqual(['dialog', 'needs_review']);
  });
});

const BACKGROUND = [{ id: 'b1', type: 'subagent', status: 'running' }] as const;

/** In a turn, with a queued prompt, background work of the turn before and an open tool. */
function busy(): Driver {
  const driver = prompted();
  driver.hook('Stop', { background: BACKGROUND });
  driver.hook('UserPromptSubmit', { prompt_id: 'p2' });
  driver.hook('PreToolUse', { tool: 'Bash', prompt_id: 'p2' });
  driver.hook('UserPromptSubmit', { prompt_id: 'p2' });
  return driver;
}

describe('what ends what', () => {
  it('Stop ends the turn and sets background work to what it lists', () => {
    const driver = busy();
    driver.hook('Stop', { background: [] });
    expect(driver.the().turn.running).toBe(false);
    expect(driver.the().background).toEqual([]);
    expect(driver.reason()).toBe('queued_prompt');
  });

  it('StopFailure ends turn and queue, not background work', () => {
    const driver = busy();
    driver.hook('StopFailure', { error: 'server_error' });
    expect(driver.the()).toMatchObject({ queued: undefined, background: BACKGROUND, state: 'error' });
  });

  it('StopFailure ends compaction', () => {
    const driver = prompted();
    driver.hook('Stop');
    driver.hook('PreCompact');
    driver.hook('StopFailure', { error: 'server_error' });
    expect(driver.state()).toBe('error');
  });

  it.each([
    ['Interrupt', {}],
    ['SessionEnd', {}],
    ['SessionStart', { source: 'resume' }],
    ['SessionStart', { source: 'startup' }],
  ] as const)('%s %j ends turn, queue, compaction and background work', (event, fields) => {
    const driver = busy();
    driver.hook(event, fields);
    expect(driver.the()).toMatchObject({ queued: undefined, background: [], compact: false, open_tools: [] });
    expect(driver.the().turn.running).toBe(false);

    const compacting = prompted();
    compacting.hook('Stop');
    compacting.hook('PreCompact');
    compacting.hook(event, fields);
    expect(compacting.the().compact).toBe(false);
  });

  it.each(['StopFailure', 'Interrupt'] as const)(
    'a Stop with no turn since a %s changes nothing',
    (event) => {
      const driver = prompted();
      driver.hook(event, { error: 'overloaded' });
      const before = driver.the();
      expect(driver.hook('Stop', { question: true })).toBe('no_change');
      expect(driver.the()).toBe(before);
      driver.hook('UserPromptSubmit', { prompt_id: 'p2' });
      driver.hook('Stop');
      expect(driver.state()).toBe('done');
    },
  );
});
