import { describe, expect, it } from 'vitest';
import { type Driver, drive, HOUR, MINUTE, SECOND } from '../../support/driving.ts';
import { sent, tells } from '../../support/observing.ts';

/**
 * What users of such systems have met, told from their reports: a sequence of events and what the bus says at each step, as a display reads it: the provider's state and
 * lamp, and how often it has woken.
 */
function bus(driver: Driver, provider = 'claude'): [state: string, lamp: string, alert: number] {
  const { attention, lamp, alert } = driver.table.signal(provider);
  return [attention.state, lamp, alert];
}

const BASH = { tool: 'Bash', digest: '00000000000000aa' };

function prompted(provider = 'claude'): Driver {
  const driver = drive({ defaults: { provider } });
  sent(driver, 'SessionStart', { source: 'startup' });
  sent(driver, 'UserPromptSubmit', { prompt_id: 'p1' });
  expect(bus(driver, provider)).toEqual(['running', 'active', 0]);
  return driver;
}

describe('a concurrent subagent’s tool clears a real prompt (problem 4)', () => {
  it('the prompt stands through other agents’ tools, their end and the main agent’s Stop', () => {
    const driver = prompted();
    sent(driver, 'SubagentStart', { agent_id: 'a1' });
    sent(driver, 'SubagentStart', { agent_id: 'a2' });
    sent(driver, 'PermissionRequest', { ...BASH, agent_id: 'a1' });
    driver.wait(SECOND);
    expect(bus(driver)).toEqual(['needs_user', 'permission', 1]);
    const background = [{ id: 'a1', type: 'subagent', status: 'running' }];
    for (const step of [
      () => sent(driver, 'PreToolUse', { ...BASH, agent_id: 'a2' }),
      () => sent(driver, 'PostToolUse', { ...BASH, agent_id: 'a2' }),
      () => sent(driver, 'PostToolBatch', { agent_id: 'a2' }),
      () => sent(driver, 'SubagentStop', { agent_id: 'a2' }),
      () => sent(driver, 'PreToolUse', BASH),
      () => sent(driver, 'PostToolUse', BASH),
      () => sent(driver, 'Stop', { prompt_id: 'p1', background }),
      () => sent(driver, 'UserPromptSubmit', { prompt_id: 'p2', own_prompt: true }),
      () => sent(driver, 'Stop', { prompt_id: 'p2', background }),
    ]) {
      step();
      expect(bus(driver)).toEqual(['needs_user', 'permission', 1]);
    }
    sent(driver, 'PostToolUse', { ...BASH, agent_id: 'a1' });
    expect(bus(driver)).toEqual(['running', 'active', 1]);
  });
});

describe('an allowed tool’s request flashes red (problem 6)', () => {
  it('one that answers itself within the settle time wakes nobody', () => {
    const driver = prompted();
    for (let round = 0; round < 5; round++) {
      sent(driver, 'PreToolUse', BASH);
      sent(driver, 'PermissionRequest', BASH, { after: 50 });
      sent(driver, 'PostToolUse', BASH, { after: 300 });
    }
    driver.wait(5 * SECOND);
    expect(bus(driver)).toEqual(['running', 'active', 0]);
  });

  it('with everything allowed there is no red at all', () => {
    const driver = prompted();
    driver.table.takeChanges();
    sent(driver, 'PermissionRequest', { ...BASH, permission_mode: 'bypassPermissions' });
    driver.wait(5 * SECOND);
    expect(bus(driver)).toEqual(['running', 'active', 0]);
    expect(driver.table.takeChanges().transitions).toEqual([]);
  });
});

describe('Stop while work runs in the background: four banners (problem 9)', () => {
  it('is done once, when the last of it has ended, and wakes nobody on the way', () => {
    const driver = prompted();
    const work = (...ids: string[]) => ids.map((id) => ({ id, type: 'shell', status: 'running' }));
    driver.table.takeChanges();
    sent(driver, 'Stop', { prompt_id: 'p1', background: work('b1', 'b2', 'b3') });
    for (const left of [work('b2', 'b3'), work('b3')]) {
      expect(bus(driver)).toEqual(['running', 'active', 0]);
      sent(driver, 'UserPromptSubmit', { prompt_id: 'p2', own_prompt: true });
      sent(driver, 'Stop', { prompt_id: 'p2', background: left });
    }
    expect(bus(driver)).toEqual(['running', 'active', 0]);
    sent(driver, 'UserPromptSubmit', { prompt_id: 'p3', own_prompt: true });
    sent(driver, 'Stop', { prompt_id: 'p3', background: [] });
    expect(bus(driver)).toEqual(['done', 'completed', 0]);
    const ends = driver.table.takeChanges().transitions.filter(({ event_type }) => event_type === 'done');
    expect(ends).toHaveLength(1);
  });
});

describe('loops and idle prompts read as "needs you" (problems 10 and 11)', () => {
  it('a session that waits for its own wake-up is idle for a day, however often it is told', () => {
    const driver = prompted();
    sent(driver, 'Stop', { prompt_id: 'p1', crons: 1 });
    expect(bus(driver)).toEqual(['idle', 'ready', 0]);
    for (let round = 0; round < 3; round++) {
      sent(driver, 'Notification', { notification: 'idle_prompt' }, { after: MINUTE });
      expect(bus(driver)).toEqual(['idle', 'ready', 0]);
    }
    driver.wait(12 * HOUR);
    expect(driver.reason()).toBe('scheduled');
    sent(driver, 'UserPromptSubmit', { prompt_id: 'p2' });
    sent(driver, 'Stop', { prompt_id: 'p2', crons: 1 });
    expect(bus(driver)).toEqual(['idle', 'ready', 0]);
  });

  it('idle_prompt after a Stop, an error or a question is no news', () => {
    for (const [event, fields, state] of [
      ['Stop', {}, 'done'],
      ['StopFailure', { error: 'overloaded' }, 'error'],
      ['Stop', { question: true }, 'needs_user'],
    ] as const) {
      const driver = prompted();
      sent(driver, event, { prompt_id: 'p1', ...fields });
      driver.wait(SECOND);
      const before = bus(driver);
      expect(before[0]).toBe(state);
      sent(driver, 'Notification', { notification: 'idle_prompt' }, { after: 20 * SECOND });
      driver.wait(SECOND);
      expect(bus(driver)).toEqual([before[0], before[1], before[2]]);
    }
  });
});

describe('false "stale" on long tools (problem 14)', () => {
  it('a build of an hour and a half is work', () => {
    const driver = prompted();
    sent(driver, 'PreToolUse', BASH);
    driver.wait(90 * MINUTE);
    expect(bus(driver)).toEqual(['running', 'active', 0]);
    sent(driver, 'PostToolUse', BASH);
    sent(driver, 'Stop', { prompt_id: 'p1' });
    expect(bus(driver)).toEqual(['done', 'completed', 0]);
  });
});

describe('an API error shown as waiting or running (problem 19)', () => {
  it('a rate limit is red and says which; a login that failed waits for the user', () => {
    const limited = prompted();
    sent(limited, 'StopFailure', { prompt_id: 'p1', error: 'rate_limit' });
    expect([...bus(limited), limited.reason()]).toEqual(['error', 'blocked', 0, 'rate_limit']);
    sent(limited, 'UserPromptSubmit', { prompt_id: 'p2' });
    expect(bus(limited)).toEqual(['running', 'active', 0]);
    const loggedOut = prompted();
    sent(loggedOut, 'StopFailure', { prompt_id: 'p1', error: 'authentication_failed' });
    tells(loggedOut, 'idle', {}, { after: 80 });
    loggedOut.wait(SECOND);
    expect([...bus(loggedOut), loggedOut.reason()]).toEqual([
      'needs_user',
      'permission',
      1,
      'authentication_failed',
    ]);
  });
});

describe('alerts after sleep and wake (problem 44)', () => {
  it('what a suspend of a night made due is settled once, and wakes nobody', () => {
    const driver = prompted();
    sent(driver, 'PermissionRequest', BASH);
    driver.wait(SECOND);
    expect(bus(driver)).toEqual(['needs_user', 'permission', 1]);
    const night = 9 * HOUR;
    driver.table.shift(night);
    driver.table.advance(driver.now() + night);
    expect(bus(driver)).toEqual(['needs_user', 'permission', 1]);
  });
});
