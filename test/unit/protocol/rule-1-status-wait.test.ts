import { describe, expect, it } from 'vitest';
import { type Driver, drive } from '../../support/driving.ts';

/** A wait of which only the status tells: whose it is can't be known. */
function waiting(): Driver {
  const driver = drive();
  driver.begin();
  driver.hook('SubagentStart', { agent_id: 'a1' });
  driver.table.observe(
    {
      provider: 'claude',
      session_id: 's1',
      host: 'studio',
      value: 'waiting',
      waiting_for: 'permission prompt',
    },
    driver.now() + 10,
    { now: driver.now() + 10, live: true },
  );
  expect(driver.state()).toBe('needs_user');
  return driver;
}

const work = (type: string, status = 'running'): object[] => [{ id: 'a1', type, status }];

describe('rule 1: a wait that a status has told of, at the end of the main agent’s turn', () => {
  it.each([
    ['a subagent works on', 'Stop', { background: work('subagent') }, 'needs_user'],
    ['only a shell runs on', 'Stop', { background: work('shell') }, 'running'],
    ['the subagent is done', 'Stop', { background: work('subagent', 'completed') }, 'done'],
    ['nothing is listed', 'Stop', { background: [] }, 'done'],
    ['a subagent has not stopped', 'Stop', {}, 'needs_user'],
    ['the turn failed, a subagent has not stopped', 'StopFailure', { error: 'rate_limit' }, 'needs_user'],
    ['the user has typed a prompt', 'UserPromptSubmit', { prompt_id: 'p2' }, 'running'],
  ] as const)('when %s: %s %j leaves %s', (_, event, fields, state) => {
    const driver = waiting();
    driver.hook(event, fields as Parameters<Driver['hook']>[1], { after: 100 });
    expect(driver.state()).toBe(state);
  });

  it('is over with the turn when no subagent is known', () => {
    const driver = waiting();
    driver.hook('SubagentStop', { agent_id: 'a1' }, { after: 100 });
    driver.hook('Stop', {}, { after: 100 });
    expect(driver.state()).toBe('done');
  });
});
