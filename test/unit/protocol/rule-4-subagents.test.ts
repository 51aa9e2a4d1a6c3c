import { describe, expect, it } from 'vitest';
import { EVENT_NAMES } from '../../../protocol/events.ts';
import { type Driver, drive, SECOND } from '../../support/driving.ts';

const A1 = { agent_id: 'a1' } as const;

function withAgent(): Driver {
  const driver = drive();
  driver.begin();
  driver.hook('SubagentStart', A1);
  return driver;
}

describe('rule 4: a subagent never ends or starts the session’s turn', () => {
  const events = EVENT_NAMES.filter((event) => event !== 'Signal');

  it.each(events)('its %s leaves the turn that runs', (event) => {
    const driver = withAgent();
    const { turn } = driver.the();
    driver.hook(event, { ...A1, error: 'overloaded', prompt_id: 'p9' });
    expect(driver.the().turn).toEqual(turn);
  });

  it.each(events)('its %s starts none', (event) => {
    const driver = withAgent();
    driver.hook('Stop');
    driver.hook(event, { ...A1, prompt_id: 'p9', tool: 'Bash' });
    driver.hook('PostToolBatch', A1);
    expect(driver.the().turn).toMatchObject({ running: false, end: 'done' });
  });

  it('its Stop that asks asks nobody', () => {
    const driver = withAgent();
    driver.hook('Stop', { ...A1, question: true });
    expect(driver.state()).toBe('running');
  });

  it('opens and resolves its own requests', () => {
    const driver = withAgent();
    driver.hook('PermissionRequest', { ...A1, tool: 'Bash', digest: 'd1' });
    expect(driver.the().attentions).toMatchObject([A1]);
    driver.hook('PostToolUse', { ...A1, tool: 'Bash', digest: 'd1' });
    expect(driver.state()).toBe('running');
  });

  it('its end closes what it has asked, and its open tools', () => {
    const driver = withAgent();
    driver.hook('PreToolUse', { ...A1, tool: 'Bash' });
    driver.hook('PreToolUse', { tool: 'Read' });
    driver.hook('PermissionRequest', { ...A1, tool: 'Bash' });
    driver.hook('SubagentStop', A1);
    expect(driver.the()).toMatchObject({ state: 'running', attentions: [], agents: [] });
    expect(driver.the().open_tools.map((open) => open.tool)).toEqual(['Read']);
  });

  it.each([
    ['without a start (a compaction’s)', { agent_id: 'a2' }],
    ['that names no agent', {}],
  ])('a SubagentStop %s changes nothing', (_what, fields) => {
    const driver = withAgent();
    driver.hook('PermissionRequest', { tool: 'Bash' });
    driver.wait(SECOND);
    const before = driver.the();
    expect(driver.hook('SubagentStop', fields)).toBe('no_change');
    expect(driver.the()).toBe(before);
  });

  it.each([
    [
      'named in the background work',
      (driver: Driver) =>
        driver.hook('Stop', { background: [{ id: 'a1', type: 'subagent', status: 'running' }] }),
    ],
    [
      'known by its request alone',
      (driver: Driver) => driver.hook('PermissionRequest', { ...A1, tool: 'Bash' }),
    ],
    ['known by its tool alone', (driver: Driver) => driver.hook('PreToolUse', { ...A1, tool: 'Bash' })],
    ['known by its start', (driver: Driver) => driver.hook('SubagentStart', A1)],
  ])('a SubagentStop of an agent %s counts', (_what, make) => {
    const driver = drive();
    driver.begin();
    make(driver);
    expect(driver.hook('SubagentStop', A1)).toBe('applied');
    expect(driver.the()).toMatchObject({ attentions: [], open_tools: [] });
  });

  it('a SubagentStop after the turn’s end makes nothing run', () => {
    const driver = withAgent();
    driver.hook('Stop');
    driver.hook('SubagentStop', A1);
    expect(driver.state()).toBe('done');
  });

  it('the background work lasts until a Stop says otherwise: the client’s own prompt follows', () => {
    const driver = withAgent();
    driver.hook('Stop', { background: [{ id: 'a1', type: 'subagent', status: 'running' }] });
    driver.hook('SubagentStop', A1);
    expect(driver.reason()).toBe('background_task');
    driver.hook('UserPromptSubmit', { prompt_id: 'p2', own_prompt: true });
    driver.hook('Stop', { background: [] });
    expect(driver.state()).toBe('done');
  });

  it('one that starts twice is one; of a flood the last 64 are known', () => {
    const driver = withAgent();
    driver.hook('SubagentStart', A1);
    expect(driver.the().agents).toEqual(['a1']);
    driver.hook('SubagentStart');
    for (let index = 2; index <= 65; index++) driver.hook('SubagentStart', { agent_id: `a${index}` });
    expect(driver.the().agents).toHaveLength(64);
    expect(driver.hook('SubagentStop', A1)).toBe('no_change');
  });
});
