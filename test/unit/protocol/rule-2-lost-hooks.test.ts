import { describe, expect, it } from 'vitest';
import { drive } from '../../support/driving.ts';

describe('rule 2, when a hook was lost on the way', () => {
  it('the first that is heard of a session is its prompt: it starts the turn and is not queued', () => {
    const driver = drive();
    driver.hook('UserPromptSubmit', { prompt_id: 'p1' });
    driver.hook('Stop', { prompt_id: 'p1' });
    expect(driver.state()).toBe('done');
  });

  it('a subagent’s prompt comes in the middle of a turn', () => {
    const driver = drive();
    driver.hook('UserPromptSubmit', { agent_id: 'a1', prompt_id: 'p1' });
    expect(driver.state()).toBe('running');
  });

  it.each(['Interrupt', 'StopFailure'] as const)(
    'a Stop of another turn than the one that %s ended is no echo',
    (end) => {
      const driver = drive();
      driver.begin();
      driver.hook(end, { prompt_id: 'p1' });
      driver.hook('Stop', { prompt_id: 'p2' });
      expect(driver.state()).toBe('done');
    },
  );

  it.each([{ prompt_id: 'p1' }, {}])('a Stop that names the ended turn or none %j is one', (names) => {
    const driver = drive();
    driver.begin();
    driver.hook('Interrupt', { prompt_id: 'p1' });
    driver.hook('Stop', names);
    expect(driver.state()).toBe('idle');
  });
});

describe('a queued prompt, when a Stop was lost', () => {
  it.each([
    ['p1', 'running'],
    ['p2', 'done'],
    [undefined, 'running'],
  ])('a Stop that names %s leaves %s', (prompt_id, state) => {
    const driver = drive();
    driver.begin();
    driver.hook('UserPromptSubmit', { prompt_id: 'p1' });
    driver.hook('Stop', { prompt_id });
    expect(driver.state()).toBe(state);
  });
});
