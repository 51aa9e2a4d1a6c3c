import { describe, expect, it } from 'vitest';
import { type Driver, drive, SECOND } from '../../support/driving.ts';
import { says, sent, sentBegin, tells } from '../../support/observing.ts';

const BASH = { tool: 'Bash', digest: '00000000000000aa' };

function begun(): Driver {
  const driver = drive();
  sentBegin(driver);
  return driver;
}

describe('rule 6: a late event is put in its place by its moment', () => {
  it('a tool that came late does not repaint the turn that has ended', () => {
    const driver = begun();
    sent(driver, 'PreToolUse', BASH);
    sent(driver, 'Stop', { prompt_id: 'p1' });
    expect(driver.state()).toBe('done');
    sent(driver, 'PreToolUse', { tool: 'Write' }, { after: 100, ago: 600 });
    expect(says(driver)).toEqual(['done', 'stop', 'completed']);
    expect(driver.the().turn.running).toBe(false);
  });

  it('a request whose answer is known already opens nothing, and nobody hears of it', () => {
    const driver = begun();
    sent(driver, 'PreToolUse', BASH);
    sent(driver, 'PostToolUse', BASH, { after: 3 * SECOND });
    driver.table.takeChanges();
    sent(driver, 'PermissionRequest', BASH, { after: 200, ago: SECOND });
    driver.wait(5 * SECOND);
    expect([driver.state(), driver.kinds(), driver.alert()]).toEqual(['running', [], 0]);
    expect(driver.table.takeChanges().transitions).toEqual([]);
  });

  it('an answer that overtook its request closes it', () => {
    const driver = begun();
    sent(driver, 'Stop', {
      prompt_id: 'p1',
      background: [{ id: 'a1', type: 'subagent', status: 'running' }],
    });
    sent(driver, 'PostToolUse', { ...BASH, agent_id: 'a1' });
    sent(driver, 'PermissionRequest', { ...BASH, agent_id: 'a1' }, { after: 100, ago: 500 });
    expect([driver.reason(), driver.kinds()]).toEqual(['background_task', []]);
  });

  it('a wait that a late answer ends is over at once, and its alert with it', () => {
    const driver = begun();
    sent(driver, 'PermissionRequest', BASH);
    sent(driver, 'PreToolUse', { tool: 'Read', digest: '00000000000000bb', agent_id: 'a1' }, { after: 200 });
    sent(driver, 'PostToolUse', BASH, { after: 200, ago: 300 });
    driver.wait(5 * SECOND);
    expect([driver.state(), driver.alert()]).toEqual(['running', 0]);
  });

  it('a wait that a late request opens and nothing has answered alerts once', () => {
    const driver = begun();
    sent(driver, 'PostToolUse', { tool: 'Read' });
    sent(driver, 'PermissionRequest', BASH, { after: 100, ago: 300 });
    expect(driver.state()).toBe('needs_user');
    driver.wait(5 * SECOND);
    expect(driver.alert()).toBe(1);
  });

  it('what has not alerted yet and is found again keeps the time of its alert', () => {
    const driver = begun();
    sent(driver, 'PermissionRequest', BASH);
    sent(driver, 'PreToolUse', BASH, { after: 300, ago: 400 });
    expect(driver.state()).toBe('needs_user');
    driver.wait(199);
    expect(driver.alert()).toBe(0);
    driver.wait(1);
    expect(driver.alert()).toBe(1);
  });

  it('what has alerted and is found again does not alert again', () => {
    const driver = begun();
    sent(driver, 'PermissionRequest', BASH);
    driver.wait(SECOND);
    sent(driver, 'PreToolUse', BASH, { after: 0, ago: SECOND + 50 });
    driver.wait(5 * SECOND);
    expect([driver.state(), driver.alert()]).toEqual(['needs_user', 1]);
  });

  it('equal moments keep the order of arrival', () => {
    const first = begun();
    const at = first.now() + SECOND;
    first.hook('PermissionRequest', { ...BASH, sent_at: at });
    first.hook('PostToolUse', { ...BASH, sent_at: at }, { after: 10 });
    expect(first.state()).toBe('running');
    const other = begun();
    other.hook('PostToolUse', { ...BASH, sent_at: at });
    other.hook('PermissionRequest', { ...BASH, sent_at: at }, { after: 10 });
    expect(other.state()).toBe('needs_user');
  });

  it('an event without the sender’s time happened when it arrived', () => {
    const driver = begun();
    driver.hook('Stop', { prompt_id: 'p1' }, { after: 2 * SECOND });
    sent(driver, 'PreToolUse', BASH, { after: 100, ago: 500 });
    expect(driver.state()).toBe('done');
    driver.hook('PreToolUse', { tool: 'Read', prompt_id: 'p2' });
    expect(driver.state()).toBe('running');
  });

  it('a sender’s time ahead of the arrival counts as the arrival', () => {
    const driver = begun();
    sent(driver, 'Stop', { prompt_id: 'p1' }, { ago: -60 * SECOND });
    sent(driver, 'UserPromptSubmit', { prompt_id: 'p2' });
    expect(driver.state()).toBe('running');
  });

  it('a session’s first event may be the one that comes late', () => {
    const driver = drive();
    sent(driver, 'Stop', { prompt_id: 'p1' });
    sent(driver, 'UserPromptSubmit', { prompt_id: 'p1' }, { after: 100, ago: SECOND });
    sent(driver, 'SessionStart', { cwd: '/home/dev/first' }, { after: 100, ago: 2 * SECOND });
    expect(says(driver)).toEqual(['done', 'stop', 'completed']);
    expect(driver.the().cwd).toBe('/home/dev/first');
  });

  it('what makes no session is remembered for the one that comes after', () => {
    const driver = drive();
    expect(sent(driver, 'PostCompact')).toBe('no_change');
    expect(driver.find()).toBeUndefined();
    sent(driver, 'Stop', { prompt_id: 'p1' }, { after: 10, ago: 2 * SECOND });
    sent(driver, 'PreCompact', {}, { after: 10, ago: SECOND });
    expect(says(driver)).toEqual(['done', 'stop', 'completed']);
  });

  it('refolding lets a status that has settled stay settled', () => {
    const driver = begun();
    tells(driver, 'idle', {}, { after: 4 * SECOND });
    sent(driver, 'PostToolUse', BASH, { after: 100 });
    driver.wait(2 * SECOND);
    expect(driver.state()).toBe('idle');
    sent(driver, 'PreToolUse', BASH, { after: 0, ago: 3 * SECOND });
    expect(says(driver)).toEqual(['idle', 'interrupted', 'ready']);
  });
});

describe('rule 6: how far back', () => {
  it.each<[number, 'done' | 'needs_user', string]>([
    [30 * SECOND, 'needs_user', 'applied'],
    [30 * SECOND + 1, 'done', 'late'],
  ])('a request %i ms older than the newest event: %s', (ago, state, outcome) => {
    const driver = drive();
    sentBegin(driver, { prompt_id: 'p1' });
    driver.wait(60 * SECOND);
    sent(driver, 'Stop', { prompt_id: 'p1' }, { after: 0 });
    expect(sent(driver, 'PermissionRequest', { ...BASH, agent_id: 'a1' }, { after: 0, ago })).toBe(outcome);
    expect(driver.state()).toBe(state);
  });

  it('one that is too old changes nothing at all', () => {
    const driver = begun();
    sent(driver, 'Stop', { prompt_id: 'p1' }, { after: 60 * SECOND });
    const before = driver.the();
    driver.table.takeChanges();
    for (const event of ['UserPromptSubmit', 'SessionEnd', 'StopFailure', 'PermissionRequest'] as const)
      expect(sent(driver, event, { tool: 'Bash' }, { after: 100, ago: 31 * SECOND })).toBe('late');
    expect(driver.the()).toBe(before);
    expect(driver.table.takeChanges().sessions.size).toBe(0);
  });

  it('what was spooled for an hour is put in order too: the window is the session’s own', () => {
    const driver = drive();
    const old = { live: false, after: 5 };
    sent(driver, 'UserPromptSubmit', { prompt_id: 'p1' }, { ...old, ago: 3_600_000 });
    sent(driver, 'PostToolUse', BASH, { ...old, ago: 3_590_000 });
    expect(sent(driver, 'PermissionRequest', BASH, { ...old, ago: 3_595_000 })).toBe('applied');
    expect([driver.state(), driver.kinds()]).toEqual(['running', []]);
  });

  it('an old one is taken when the session has nothing newer', () => {
    const driver = begun();
    driver.wait(5 * 60 * SECOND);
    expect(sent(driver, 'Stop', { prompt_id: 'p1' }, { after: 0, ago: 4 * 60 * SECOND })).toBe('applied');
    expect(driver.state()).toBe('done');
  });

  it('of more than 64 events the last 64 are folded again', () => {
    const driver = begun();
    for (let index = 0; index < 70; index++)
      sent(driver, 'PostToolUse', { tool: `t${index}`, agent_id: 'a1' }, { after: 100 });
    expect(sent(driver, 'PermissionRequest', BASH, { after: 0, ago: 6_401 })).toBe('late');
    expect(driver.state()).toBe('running');
    expect(sent(driver, 'PermissionRequest', BASH, { after: 0, ago: 6_400 })).toBe('applied');
    expect(driver.state()).toBe('needs_user');
  });

  it('display events take no place among the 64', () => {
    const driver = begun();
    for (let index = 0; index < 70; index++)
      expect(sent(driver, 'Other', { native: 'MessageDisplay' }, { after: 100 })).toBe('no_change');
    sent(driver, 'Stop', { prompt_id: 'p1' }, { after: 100 });
    expect(sent(driver, 'PreToolUse', BASH, { after: 0, ago: 7_000 })).toBe('applied');
    expect(driver.state()).toBe('done');
  });

  it('after a jump of the clock nothing of before is late, and nothing after it', () => {
    for (const by of [3_600_000, -3_600_000]) {
      const driver = begun();
      sent(driver, 'PostToolUse', BASH, { after: 60 * SECOND });
      driver.table.shift(by);
      const now = driver.now() + by + SECOND;
      const stop = { v: 1, event: 'Stop', provider: 'claude', session_id: 's1', host: 'studio' } as const;
      expect(driver.table.apply({ ...stop, sent_at: now - 10 }, { now, live: true })).toBe('applied');
      expect(driver.state()).toBe('done');
    }
  });
});
