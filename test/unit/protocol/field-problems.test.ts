import { describe, expect, it } from 'vitest';
import { type Driver, drive, HOUR, MINUTE, SECOND } from '../../support/driving.ts';
import { sent, tells, type When } from '../../support/observing.ts';

/**
 * What users of such systems have met, told from their reports: a sequence of events and what the bus says at each step, as a display reads it: the provider's state and
 * lamp, and how often it has woken.
 */
function bus(driver: Driver, provider = 'claude'): [state: string, lamp: string, alert: number] {
  const { attention, lamp, alert } = driver.table.signal(provider);
  return [attention.state, lamp, alert];
}

const BASH = { tool: 'Bash', digest: '00000000000000aa' };
const EDIT = { tool: 'Edit', digest: '00000000000000bb' };

function prompted(provider = 'claude'): Driver {
  const driver = drive({ defaults: { provider } });
  sent(driver, 'SessionStart', { source: 'startup' });
  sent(driver, 'UserPromptSubmit', { prompt_id: 'p1' });
  expect(bus(driver, provider)).toEqual(['running', 'active', 0]);
  return driver;
}

describe('Esc leaves "running" for ever (problem 1)', () => {
  it('without a second source it decays to unknown and grey, never to done, and wakes nobody', () => {
    const driver = prompted();
    driver.wait(10 * MINUTE - 1);
    expect(bus(driver)).toEqual(['running', 'active', 0]);
    driver.wait(1);
    expect(bus(driver)).toEqual(['unknown', 'stale', 0]);
    driver.wait(20 * MINUTE);
    expect(bus(driver)).toEqual(['idle', 'stale', 0]);
    expect(driver.find()).toBeUndefined();
  });

  it('Esc before the first token leaves no trace but the status', () => {
    const driver = prompted();
    tells(driver, 'busy', {}, { after: 30 });
    tells(driver, 'idle', {}, { after: 150, ago: 20 });
    expect(bus(driver)).toEqual(['idle', 'ready', 0]);
  });
});

describe('late tool hooks repaint an interrupted turn (problem 2)', () => {
  it('a tool’s hooks that were under way at Esc leave it interrupted', () => {
    const driver = prompted('codex');
    sent(driver, 'PreToolUse', { ...BASH, prompt_id: 'p1' });
    sent(driver, 'Interrupt', { prompt_id: 'p1' });
    expect(bus(driver, 'codex')).toEqual(['idle', 'ready', 0]);
    sent(driver, 'PostToolUse', { ...BASH, prompt_id: 'p1' }, { after: 30, ago: 50 });
    sent(driver, 'PreToolUse', { ...EDIT, prompt_id: 'p1' }, { after: 30, ago: 70 });
    sent(driver, 'PreToolUse', { ...EDIT, prompt_id: 'p1' }, { after: 30 });
    expect(bus(driver, 'codex')).toEqual(['idle', 'ready', 0]);
    sent(driver, 'UserPromptSubmit', { prompt_id: 'p2' });
    expect(bus(driver, 'codex')).toEqual(['running', 'active', 0]);
  });
});

describe('the light stays red for the whole approved tool (problem 3)', () => {
  it('the status says that it was answered, minutes before its tool ends', () => {
    const driver = prompted();
    sent(driver, 'PermissionRequest', BASH);
    tells(driver, 'waiting', { waiting_for: 'permission prompt' }, { after: 10 });
    driver.wait(5 * SECOND);
    expect(bus(driver)).toEqual(['needs_user', 'permission', 1]);
    tells(driver, 'busy', {}, { after: 0 });
    expect(bus(driver)).toEqual(['running', 'active', 1]);
    sent(driver, 'PostToolUse', BASH, { after: 161 * SECOND });
    driver.wait(SECOND);
    expect(bus(driver)).toEqual(['running', 'active', 1]);
  });
});

describe('a subagent’s end is taken for the session’s (problems 7 and 8)', () => {
  it('a subagent’s Stop, with the parent’s session id, ends nothing; its SubagentStop after the Stop revives nothing', () => {
    const driver = prompted();
    sent(driver, 'SubagentStart', { agent_id: 'a1' });
    sent(driver, 'Stop', { agent_id: 'a1' });
    expect(bus(driver)).toEqual(['running', 'active', 0]);
    sent(driver, 'Stop', { prompt_id: 'p1' });
    expect(bus(driver)).toEqual(['done', 'completed', 0]);
    sent(driver, 'SubagentStop', { agent_id: 'a1' });
    sent(driver, 'SubagentStop', { agent_id: 'nobody-has-started' });
    sent(driver, 'SubagentStop', {});
    expect(bus(driver)).toEqual(['done', 'completed', 0]);
  });
});

describe('question tools go green (problem 12)', () => {
  it('request_user_input waits until it is answered, although nothing asks for a permission', () => {
    const driver = prompted('codex');
    sent(driver, 'PreToolUse', { tool: 'request_user_input', prompt_id: 'p1', call: 'c1' });
    driver.wait(SECOND);
    expect(bus(driver, 'codex')).toEqual(['needs_user', 'permission', 1]);
    sent(driver, 'PostToolUse', { tool: 'request_user_input', prompt_id: 'p1', call: 'c1' });
    expect(bus(driver, 'codex')).toEqual(['running', 'active', 1]);
  });
});

describe('stale events replayed at start-up (problem 15)', () => {
  it('a morning’s spool tells the state and wakes nobody for what is long over', () => {
    const driver = drive();
    const spool = (event: Parameters<typeof sent>[1], fields: object, ago: number) =>
      sent(driver, event, fields, { after: 2, ago, live: false } satisfies When);
    spool('UserPromptSubmit', { prompt_id: 'p1' }, 3 * HOUR);
    spool('PermissionRequest', BASH, 2 * HOUR);
    expect(bus(driver)).toEqual(['needs_user', 'permission', 0]);
    spool('PostToolUse', BASH, HOUR);
    spool('Stop', { prompt_id: 'p1' }, 50 * MINUTE);
    driver.table.drained(driver.now());
    driver.wait(10 * SECOND);
    expect(bus(driver)).toEqual(['done', 'completed', 0]);
  });
});

describe('out-of-order and late async events (problem 16)', () => {
  it('asynchronous hooks of one turn, in any order, end in the same state', () => {
    const orders = [
      [0, 1, 2, 3, 4],
      [4, 3, 2, 1, 0],
      [2, 4, 0, 3, 1],
      [1, 0, 4, 2, 3],
    ];
    const steps = [
      ['UserPromptSubmit', { prompt_id: 'p2' }],
      ['PreToolUse', { ...BASH, prompt_id: 'p2' }],
      ['PermissionRequest', { ...BASH, prompt_id: 'p2' }],
      ['PostToolUse', { ...BASH, prompt_id: 'p2' }],
      ['Stop', { prompt_id: 'p2' }],
    ] as const;
    for (const order of orders) {
      const driver = prompted();
      const begin = driver.now() + SECOND;
      driver.wait(2 * SECOND);
      for (const index of order) {
        const [event, fields] = steps[index] ?? steps[0];
        driver.hook(event, { ...fields, sent_at: begin + index * 50 }, { after: 20 });
      }
      driver.wait(2 * SECOND);
      expect(bus(driver)).toEqual(['done', 'completed', 0]);
    }
  });

  it('a late PostToolUse does not move the completion', () => {
    const driver = prompted();
    sent(driver, 'Stop', { prompt_id: 'p1' });
    const { turn } = driver.the();
    sent(driver, 'PostToolUse', BASH, { after: 10 * SECOND, ago: 11 * SECOND });
    expect(driver.the().turn).toEqual(turn);
    driver.wait(20 * SECOND - 1);
    expect(bus(driver)).toEqual(['done', 'completed', 0]);
    driver.wait(1);
    expect(bus(driver)).toEqual(['done', 'ready', 0]);
  });
});

describe('the client’s own view is wrong at times (problem 20)', () => {
  it('a source that got stuck on "waiting" does not outlive the next prompt', () => {
    const driver = prompted();
    tells(driver, 'waiting', { waiting_for: 'input needed' });
    driver.wait(SECOND);
    expect(bus(driver)).toEqual(['needs_user', 'permission', 1]);
    sent(driver, 'UserPromptSubmit', { prompt_id: 'p2' });
    driver.wait(SECOND);
    expect(bus(driver)).toEqual(['running', 'active', 1]);
    sent(driver, 'Stop', { prompt_id: 'p2' });
    driver.wait(SECOND);
    expect(bus(driver)).toEqual(['done', 'completed', 1]);
  });
});

describe('SessionEnd lost (problem 21), ids that change (problem 24)', () => {
  it('a terminal that was closed: its file goes, its red lamp with it', () => {
    const driver = prompted();
    sent(driver, 'PermissionRequest', BASH);
    tells(driver, 'waiting', { waiting_for: 'permission prompt' });
    tells(driver, 'gone');
    expect(bus(driver)).toEqual(['idle', 'ready', 1]);
    sent(driver, 'SessionEnd', {}, { after: 20, ago: 30 });
    expect([...driver.table.sessions()]).toEqual([]);
  });

  it('/clear: one session goes, the next begins idle; the display shows one', () => {
    const driver = prompted();
    sent(driver, 'Stop', { prompt_id: 'p1' });
    sent(driver, 'SessionEnd', { reason: 'clear' });
    sent(driver, 'SessionStart', { session_id: 's2', source: 'clear' }, { after: 80 });
    expect(bus(driver)).toEqual(['idle', 'ready', 0]);
    expect([...driver.table.sessions()].map(({ session_id }) => session_id)).toEqual(['s2']);
  });
});

describe('several sessions in one directory flap (problem 23)', () => {
  it('each keeps its own state; the display shows the one that matters, and wakes once for each that waits', () => {
    const driver = prompted();
    const other = { session_id: 's2' };
    sent(driver, 'UserPromptSubmit', { ...other, prompt_id: 'q1' });
    sent(driver, 'PermissionRequest', BASH);
    driver.wait(SECOND);
    for (let round = 0; round < 10; round++) {
      sent(driver, 'PreToolUse', { ...other, ...BASH });
      expect(bus(driver)).toEqual(['needs_user', 'permission', 1]);
      sent(driver, 'PostToolUse', { ...other, ...BASH });
    }
    sent(driver, 'Stop', { ...other, prompt_id: 'q1' });
    expect([driver.state('s1'), driver.state('s2')]).toEqual(['needs_user', 'done']);
    expect(bus(driver)).toEqual(['needs_user', 'permission', 1]);
    sent(driver, 'PermissionRequest', { ...other, ...EDIT });
    driver.wait(SECOND);
    expect(bus(driver)).toEqual(['needs_user', 'permission', 2]);
  });
});
