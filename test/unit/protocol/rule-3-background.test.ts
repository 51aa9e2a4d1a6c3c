import { describe, expect, it } from 'vitest';
import type { BackgroundWork } from '../../../protocol/events.ts';
import { WORK_OVER_SETTLE } from '../../../protocol/expiry.ts';
import { type Driver, drive, HOUR, MINUTE, SECOND } from '../../support/driving.ts';
import { says, sent, sentBegin, tells } from '../../support/observing.ts';

function work(type: string, status = 'running'): BackgroundWork {
  return { id: `${type}-1`, type, status };
}

function stopped(
  background: BackgroundWork[],
  more: { crons?: number; setting?: 'all' | 'agents' } = {},
): Driver {
  const driver = drive({ background: more.setting ?? 'all' });
  driver.begin();
  driver.hook('Stop', { background, crons: more.crons });
  return driver;
}

describe('rule 3: turn ended is not work finished', () => {
  it('runs while the background work that the last Stop listed is not empty', () => {
    const driver = stopped([work('shell'), work('subagent')]);
    expect([driver.state(), driver.reason(), driver.lamp()]).toEqual([
      'running',
      'background_task',
      'active',
    ]);
    driver.hook('Stop', { background: [work('shell')] });
    expect(driver.reason()).toBe('background_task');
    driver.hook('Stop', { background: [] });
    expect([driver.state(), driver.lamp()]).toEqual(['done', 'completed']);
  });

  it('is a turn edge only when it leaves nothing running, as a failed end is', () => {
    const driver = stopped([work('shell')]);
    const { edge_at } = driver.the();
    expect(edge_at).toBe(driver.now() - SECOND - 500);
    driver.hook('Stop');
    expect(driver.the().edge_at).toBe(driver.now() - 50);
    driver.hook('StopFailure', { error: 'overloaded' });
    expect(driver.the().edge_at).toBe(driver.now() - 50);
  });

  it('a Stop that lists none ends it', () => {
    const driver = stopped([work('shell')]);
    driver.hook('Stop');
    expect(driver.state()).toBe('done');
  });

  it('work that is over is listed and does not count', () => {
    for (const status of ['completed', 'failed', 'killed', 'stopped'])
      expect(stopped([work('shell', status)]).state()).toBe('done');
  });

  it('Qwen goes on after the Stop that is the first to call it over', () => {
    const driver = drive({ defaults: { provider: 'qwen' } });
    driver.begin();
    const running = work('agent');
    const over = work('agent', 'completed');
    driver.hook('Stop', { background: [running, { ...over, id: 'old' }] });
    expect(driver.reason()).toBe('background_task');
    driver.hook('Stop', { background: [over, { ...over, id: 'old' }] });
    expect(driver.reason()).toBe('background_task');
    driver.hook('Stop', { background: [over, { ...over, id: 'old' }] });
    expect(driver.state()).toBe('done');
  });

  it.each([
    ['all', 'shell', 'running'],
    ['all', 'monitor', 'running'],
    ['agents', 'shell', 'done'],
    ['agents', 'monitor', 'done'],
    ['agents', 'subagent', 'running'],
    ['agents', 'workflow', 'running'],
    ['agents', 'other', 'running'],
  ] as const)('state.background = %s: a %s leaves it %s', (setting, type, state) => {
    expect(stopped([work(type)], { setting }).state()).toBe(state);
  });

  it('with only scheduled wake-ups it is idle, alerts nobody, and lasts 24 h', () => {
    const driver = stopped([], { crons: 1 });
    expect([driver.state(), driver.reason(), driver.lamp()]).toEqual(['idle', 'scheduled', 'ready']);
    driver.wait(24 * HOUR - 1);
    expect([driver.state(), driver.alert()]).toEqual(['idle', 0]);
    driver.wait(1);
    expect(driver.find()).toBeUndefined();
    expect(driver.table.lamp('claude')).toBe('ready');
  });

  it('wake-ups beside background work do not make it idle; no wake-ups are done', () => {
    expect(stopped([work('shell')], { crons: 2 }).reason()).toBe('background_task');
    expect(stopped([work('shell')], { crons: 2, setting: 'agents' }).reason()).toBe('scheduled');
    expect(stopped([], { crons: 0 }).state()).toBe('done');
  });

  it('background work that nothing is heard of goes stale like any other', () => {
    const driver = stopped([work('shell')]);
    driver.wait(10 * MINUTE);
    expect(driver.state()).toBe('unknown');
  });

  it('a subagent’s open request keeps needs_user through the main agent’s Stop', () => {
    const driver = drive();
    driver.begin();
    driver.hook('SubagentStart', { agent_id: 'a1' });
    driver.hook('PermissionRequest', { tool: 'Bash', agent_id: 'a1' });
    driver.hook('Stop', { background: [{ id: 'a1', type: 'subagent', status: 'running' }] });
    expect([driver.state(), driver.lamp()]).toEqual(['needs_user', 'permission']);
    driver.hook('PostToolUse', { tool: 'Bash', agent_id: 'a1' });
    expect(driver.reason()).toBe('background_task');
  });

  it('the lamp `completed` is counted from the end that left nothing running', () => {
    const driver = stopped([work('subagent')]);
    driver.wait(60 * SECOND);
    driver.hook('UserPromptSubmit', { prompt_id: 'p2', own_prompt: true });
    driver.hook('Stop');
    driver.wait(30 * SECOND - 1);
    expect(driver.lamp()).toBe('completed');
    driver.wait(1);
    expect([driver.state(), driver.lamp()]).toEqual(['done', 'ready']);
  });
});

describe('rule 3: idle between background work and the prompt that takes up what it brought', () => {
  /** In a turn, then at rest but for its work, as its hooks or its status have told. */
  const kinds: [string, (driver: Driver) => void][] = [
    ['an agent', (driver) => sent(driver, 'Stop', { prompt_id: 'p1', background: [work('subagent')] })],
    ['a shell', (driver) => sent(driver, 'Stop', { prompt_id: 'p1', background: [work('shell')] })],
    [
      'a shell that only the status tells of',
      (driver) => {
        sent(driver, 'Stop', { prompt_id: 'p1' });
        tells(driver, 'shell');
      },
    ],
  ];

  function working(make: (driver: Driver) => void): Driver {
    const driver = drive();
    sentBegin(driver);
    make(driver);
    return driver;
  }

  it.each(kinds)('%s: no done in between, whichever comes first, hook or status', (_what, make) => {
    for (const first of ['hook', 'status']) {
      const driver = working(make);
      const states = new Set<string | undefined>();
      const look = (): void => void states.add(driver.state());
      tells(driver, 'idle');
      look();
      driver.wait(WORK_OVER_SETTLE - 1);
      look();
      if (first === 'status') tells(driver, 'busy', {}, { after: 0 });
      look();
      sent(driver, 'UserPromptSubmit', { prompt_id: 'p2', own_prompt: true }, { after: 0 });
      look();
      if (first === 'hook') tells(driver, 'busy', {}, { after: 1 });
      look();
      driver.wait(10 * SECOND);
      look();
      expect([...states]).toEqual(['running']);
      sent(driver, 'Stop', { prompt_id: 'p2' });
      expect(says(driver)).toEqual(['done', 'stop', 'completed']);
    }
  });

  it.each(kinds)('%s: done when nothing comes', (_what, make) => {
    const driver = working(make);
    tells(driver, 'idle');
    driver.wait(WORK_OVER_SETTLE - 1);
    expect(driver.state()).toBe('running');
    driver.wait(1);
    expect(driver.state()).toBe('done');
    expect(driver.the()).toMatchObject({ background: [], agents: [] });
  });

  it('what an agent had asked is answered at once', () => {
    const driver = working(() => undefined);
    sent(driver, 'PermissionRequest', { tool: 'Bash', agent_id: 'a1' });
    sent(driver, 'Stop', { prompt_id: 'p1', background: [work('subagent')] });
    expect(driver.state()).toBe('needs_user');
    tells(driver, 'idle');
    expect(says(driver)).toEqual(['running', 'background_task', 'active']);
  });

  it('Esc in a turn is no such moment: idle at once', () => {
    const driver = working((begun) => sent(begun, 'Stop', { background: [work('subagent')] }));
    sent(driver, 'UserPromptSubmit', { prompt_id: 'p2' });
    tells(driver, 'idle');
    expect(says(driver)).toEqual(['idle', 'interrupted', 'ready']);
  });
});
