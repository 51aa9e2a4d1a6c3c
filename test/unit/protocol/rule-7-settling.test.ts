import { describe, expect, it } from 'vitest';
import type { EventName } from '../../../protocol/events.ts';
import { type Driver, drive, type Fields, SECOND } from '../../support/driving.ts';
import { says, sent, sentBegin, tells } from '../../support/observing.ts';

const BASH = { tool: 'Bash', digest: '00000000000000aa' };

function begun(): Driver {
  const driver = drive();
  sentBegin(driver);
  driver.wait(5 * SECOND);
  return driver;
}

describe('rule 7: a status that is not newer than the last hook', () => {
  it('the hook stands, and 700 ms later the status wins', () => {
    const driver = begun();
    tells(driver, 'busy');
    sent(driver, 'PermissionRequest', BASH, { after: 10 * SECOND, ago: 20 });
    tells(driver, 'idle', {}, { after: 0, ago: 30 });
    expect(driver.state()).toBe('needs_user');
    driver.wait(699);
    expect([driver.state(), driver.table.nextDeadline()]).toEqual(['needs_user', driver.now() + 1]);
    driver.wait(1);
    // The request is newer than the status: it is still open, although the turn is over.
    expect([driver.state(), driver.the().turn.running]).toEqual(['needs_user', false]);
  });

  it('what the hook found to be over may go on: a tool’s end does not hide the wait that stands', () => {
    const driver = begun();
    tells(driver, 'waiting', { waiting_for: 'permission prompt' });
    sent(driver, 'PostToolBatch', {}, { after: SECOND });
    expect(driver.state()).toBe('running');
    driver.wait(700);
    expect(driver.state()).toBe('needs_user');
  });

  it('Esc with hooks still under way: idle 700 ms after the last', () => {
    const driver = begun();
    sent(driver, 'PreToolUse', BASH);
    tells(driver, 'idle', {}, { after: 500 });
    expect(driver.state()).toBe('idle');
    sent(driver, 'PostToolUse', BASH, { after: 100, ago: 20 });
    sent(driver, 'PreToolUse', { tool: 'Read' }, { after: 400 });
    expect(driver.state()).toBe('running');
    driver.wait(699);
    expect(driver.state()).toBe('running');
    driver.wait(1);
    expect(says(driver)).toEqual(['idle', 'interrupted', 'ready']);
  });

  it('unless something newer came: then that hook has its time', () => {
    const driver = begun();
    tells(driver, 'idle');
    sent(driver, 'PreToolUse', BASH);
    sent(driver, 'PostToolUse', BASH, { after: 600 });
    driver.wait(699);
    expect(driver.state()).toBe('running');
    tells(driver, 'busy', {}, { after: 0 });
    driver.wait(10 * SECOND);
    expect(driver.state()).toBe('running');
  });

  it('a status of the hook’s own moment is not newer', () => {
    const driver = begun();
    sent(driver, 'PreToolUse', BASH);
    tells(driver, 'idle', {}, { after: 0 });
    expect(driver.state()).toBe('running');
    driver.wait(700);
    expect(driver.state()).toBe('idle');
  });

  it('a jump of the clock moves its 700 ms, and all that it is compared with', () => {
    for (const by of [3_600_000, -3_600_000]) {
      const driver = begun();
      tells(driver, 'idle');
      sent(driver, 'PreToolUse', BASH);
      const { status } = driver.the();
      driver.table.shift(by);
      expect(driver.the().status).toEqual({
        ...status,
        at: (status?.at ?? 0) + by,
        seen_at: (status?.seen_at ?? 0) + by,
        contested_until: (status?.contested_until ?? 0) + by,
      });
      driver.table.advance(driver.now() + by + 699);
      expect(driver.state()).toBe('running');
      driver.table.advance(driver.now() + by + 700);
      expect(driver.state()).toBe('idle');
      driver.table.shift(by);
      expect(driver.the().status?.at).toBe((status?.at ?? 0) + 2 * by);
    }
  });

  it('one that is read more than 700 ms after the hook wins at once', () => {
    const driver = begun();
    sent(driver, 'PreToolUse', BASH);
    tells(driver, 'idle', {}, { after: 800, ago: 900 });
    expect(driver.state()).toBe('idle');
  });
});

describe('rule 7: it wins only if it was written since the last turn edge', () => {
  /** A status so many ms before the edge's hook; whether it wins in the end. */
  function wins(edge: EventName, fields: Fields, lead: number): { wins: boolean; stuck: boolean } {
    const driver = begun();
    driver.wait(10 * SECOND);
    sent(driver, edge, fields);
    tells(driver, 'waiting', {}, { after: 20, ago: 20 + lead });
    driver.wait(5 * SECOND);
    return { wins: driver.state() === 'needs_user', stuck: driver.the().status?.stuck === true };
  }

  it.each<[string, EventName, Fields, number, boolean]>([
    ['a typed prompt minus 500 ms', 'UserPromptSubmit', { prompt_id: 'p2' }, 500, true],
    ['a typed prompt minus 501 ms', 'UserPromptSubmit', { prompt_id: 'p2' }, 501, false],
    ['a Stop minus 50 ms', 'Stop', { prompt_id: 'p1' }, 50, true],
    ['a Stop minus 51 ms', 'Stop', { prompt_id: 'p1' }, 51, false],
    ['a StopFailure minus 50 ms', 'StopFailure', { error: 'overloaded' }, 50, true],
    ['a StopFailure minus 51 ms', 'StopFailure', { error: 'overloaded' }, 51, false],
  ])('%s', (_what, event, fields, lead, expected) => {
    expect(wins(event, fields, lead)).toEqual({ wins: expected, stuck: !expected });
  });

  it.each<[string, EventName, Fields]>([
    [
      'a Stop with work in the background',
      'Stop',
      { background: [{ id: 'a1', type: 'subagent', status: 'running' }] },
    ],
    ['the client’s own prompt', 'UserPromptSubmit', { prompt_id: 'p2', own_prompt: true }],
    ['a prompt that is queued', 'UserPromptSubmit', { prompt_id: 'p1' }],
    ['a tool', 'PreToolUse', BASH],
  ])('%s is no edge', (_what, event, fields) => {
    expect(wins(event, fields, 2 * SECOND)).toEqual({ wins: true, stuck: false });
  });

  it('otherwise its source is stuck, and hooks stand alone', () => {
    const driver = begun();
    tells(driver, 'waiting', { waiting_for: 'input needed' });
    sent(driver, 'UserPromptSubmit', { prompt_id: 'p2' });
    driver.wait(10 * SECOND);
    expect(driver.the()).toMatchObject({ state: 'running', status: { stuck: true } });
    sent(driver, 'PostToolUse', BASH);
    expect(driver.the().status).toMatchObject({ stuck: true });
    driver.wait(700);
    expect(driver.state()).toBe('running');
    sent(driver, 'Stop', { prompt_id: 'p2' });
    driver.wait(2 * SECOND);
    expect(driver.state()).toBe('done');
  });

  it('until it tells something new', () => {
    const driver = begun();
    tells(driver, 'busy');
    sent(driver, 'UserPromptSubmit', { prompt_id: 'p2' });
    driver.wait(2 * SECOND);
    expect(driver.the().status).toMatchObject({ stuck: true });
    tells(driver, 'waiting', { waiting_for: 'input needed' });
    expect(driver.the().status?.stuck).toBeUndefined();
    expect(driver.reason()).toBe('question');
  });

  it('without an edge everything is since it', () => {
    const driver = drive();
    sent(driver, 'PreToolUse', BASH);
    tells(driver, 'idle', {}, { after: 10, ago: SECOND });
    expect(driver.state()).toBe('running');
    driver.wait(690);
    expect(driver.state()).toBe('idle');
  });
});

describe('rule 7: like is compared with like', () => {
  it('a hook without the sender’s time with the status’s arrival', () => {
    const driver = drive();
    driver.begin();
    driver.hook('PermissionRequest', BASH);
    tells(driver, 'busy', {}, { after: 100, ago: 150 });
    expect([driver.state(), driver.kinds()]).toEqual(['running', []]);
  });

  it('so is its place: what arrived before the status was before it', () => {
    const driver = drive();
    driver.begin();
    tells(driver, 'idle', {}, { after: 500, ago: 100 });
    driver.hook('PreToolUse', BASH, { after: 50 });
    expect(driver.state()).toBe('running');
    driver.wait(700);
    expect(driver.state()).toBe('idle');
  });

  it('and so is the edge', () => {
    const stuck = drive();
    stuck.begin();
    tells(stuck, 'waiting', {}, { after: SECOND });
    stuck.hook('UserPromptSubmit', { prompt_id: 'p2' }, { after: 501 });
    stuck.wait(SECOND);
    expect(stuck.the()).toMatchObject({ state: 'running', status: { stuck: true } });
    const wins = drive();
    wins.begin();
    // Its moment is older, but it was seen within the prompt's lead.
    tells(wins, 'waiting', {}, { after: SECOND, ago: 300 });
    wins.hook('UserPromptSubmit', { prompt_id: 'p2' }, { after: 500 });
    expect(wins.state()).toBe('running');
    wins.wait(700);
    expect(wins.state()).toBe('needs_user');
  });

  it('a hook that has one, with the status’s own', () => {
    const driver = begun();
    sent(driver, 'PermissionRequest', BASH, { ago: 50 });
    tells(driver, 'busy', {}, { after: 100, ago: 250 });
    driver.wait(5 * SECOND);
    expect(driver.state()).toBe('needs_user');
  });

  it('a hook with and one without the sender’s time, either side of a status', () => {
    const driver = begun();
    sent(driver, 'PermissionRequest', BASH, { ago: 20 });
    driver.hook('PreToolUse', { tool: 'Read', agent_id: 'a1' }, { after: 50 });
    tells(driver, 'busy', {}, { after: 10, ago: 40 });
    expect(driver.state()).toBe('running');
    sent(driver, 'PostToolUse', BASH, { after: 10, ago: 30 });
    driver.wait(SECOND);
    expect([driver.state(), driver.kinds()]).toEqual(['running', []]);
  });
});
