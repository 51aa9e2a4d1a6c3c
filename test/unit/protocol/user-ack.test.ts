import { describe, expect, it } from 'vitest';
import { type Driver, drive, MINUTE, SECOND } from '../../support/driving.ts';
import { says, sent, sentBegin, tells } from '../../support/observing.ts';
import { ack, storedAs } from '../../support/said.ts';

const BASH = { tool: 'Bash', digest: '00000000000000aa' };
const OTHER = { tool: 'Bash', digest: '00000000000000bb' };

/** A session that waits for a permission and has alerted. */
function waiting(): Driver {
  const driver = drive();
  sentBegin(driver);
  sent(driver, 'PermissionRequest', BASH);
  driver.wait(SECOND);
  expect([driver.state(), driver.lamp(), driver.alert()]).toEqual(['needs_user', 'permission', 1]);
  return driver;
}

describe('ack closes what is open for state, lamp and alert', () => {
  it('and keeps it open until it is answered', () => {
    const driver = waiting();
    expect(ack(driver)).toEqual(['s1']);
    expect(says(driver)).toEqual(['running', 'tool_use', 'active']);
    expect(driver.kinds()).toEqual(['permission']);
    expect(driver.the()).toMatchObject({ acked_by: 'local', acked_at: driver.now() });
    sent(driver, 'PostToolUse', BASH);
    expect([driver.kinds(), driver.the().acked]).toEqual([[], []]);
    expect(driver.alert()).toBe(1);
  });

  it('before the alert is due: there is none', () => {
    const driver = drive();
    sentBegin(driver);
    sent(driver, 'PermissionRequest', BASH);
    driver.wait(499);
    ack(driver);
    driver.wait(MINUTE);
    expect(driver.alert()).toBe(0);
  });

  it('of a wait that is as old as the session’s time, which counts from then on', () => {
    const driver = waiting();
    driver.wait(50 * MINUTE);
    ack(driver);
    expect(says(driver)).toEqual(['running', 'tool_use', 'active']);
    driver.wait(10 * MINUTE);
    expect(driver.state()).toBe('unknown');
  });

  it('a second time there is nothing to know', () => {
    const driver = waiting();
    ack(driver);
    const before = driver.the();
    driver.wait(SECOND);
    expect(ack(driver, 's1')).toEqual([]);
    expect(driver.the()).toBe(before);
  });

  it('says nothing of a session that waits for nobody, or is not there', () => {
    const driver = drive();
    sentBegin(driver);
    expect([ack(driver), ack(driver, 's1'), ack(driver, 'nobody')]).toEqual([[], [], []]);
    const { table, now } = driver;
    const gone = { ...driver.the() };
    tells(driver, 'busy');
    tells(driver, 'gone');
    expect(table.acknowledge([gone], 'local', now())).toEqual([]);
    expect([...table.sessions()]).toEqual([]);
  });
});

describe('the same wait stays acknowledged', () => {
  it.each<[string, (driver: Driver) => void]>([
    [
      'in a notification that confirms it',
      (d) => sent(d, 'Notification', { notification: 'permission_prompt' }),
    ],
    ['in a notification without a type', (d) => sent(d, 'Notification')],
    ['in that again', (d) => [sent(d, 'Notification'), sent(d, 'Notification')]],
    ['in a status', (d) => tells(d, 'waiting', { waiting_for: 'permission prompt' })],
    [
      'in a status that comes again',
      (d) => [tells(d, 'waiting', { waiting_for: 'permission prompt' }), tells(d, 'waiting')],
    ],
    ['when it is asked a second time', (d) => sent(d, 'PermissionRequest', BASH)],
    ['while its turn works on', (d) => sent(d, 'PostToolUse', { tool: 'Read' })],
  ])('%s', (_, then) => {
    const driver = waiting();
    ack(driver);
    then(driver);
    driver.wait(SECOND);
    expect([driver.state(), driver.lamp(), driver.alert()]).toEqual(['running', 'active', 1]);
  });

  it('of which a status has told, when its hook comes later', () => {
    for (const ago of [0, 1_500]) {
      const driver = drive();
      sentBegin(driver);
      driver.wait(SECOND);
      tells(driver, 'waiting', { waiting_for: 'permission prompt' });
      driver.wait(SECOND);
      expect(driver.alert()).toBe(1);
      ack(driver);
      sent(driver, 'PermissionRequest', BASH, { after: 100, ago: ago === 0 ? 0 : 1_500 });
      driver.wait(SECOND);
      expect([driver.state(), driver.kinds(), driver.alert()]).toEqual(['running', ['permission'], 1]);
    }
  });
});

describe('a new request raises and alerts again', () => {
  it.each<[string, (driver: Driver) => void]>([
    ['of another input', (d) => sent(d, 'PermissionRequest', OTHER)],
    ['of a subagent', (d) => sent(d, 'PermissionRequest', { ...BASH, agent_id: 'a1' })],
    ['of a subagent, in words', (d) => sent(d, 'Notification', { agent_id: 'a1' })],
    ['after the answer', (d) => [sent(d, 'PostToolUse', BASH), sent(d, 'PermissionRequest', BASH)]],
    ['a question', (d) => sent(d, 'PreToolUse', { tool: 'AskUserQuestion' })],
    ['at the end of the turn', (d) => sent(d, 'Stop', { question: true, prompt_id: 'p1' })],
    [
      'of which a status tells',
      (d) => [tells(d, 'busy'), tells(d, 'waiting', { waiting_for: 'permission prompt' })],
    ],
    // It was sent before the word and came after it: nobody can have seen it.
    ['that was under way', (d) => sent(d, 'PermissionRequest', OTHER, { after: 0, ago: 500 })],
    ['that was under way since before the first', (d) => sent(d, 'PermissionRequest', OTHER, { ago: 2_500 })],
  ])('%s', (_, then) => {
    const driver = waiting();
    ack(driver);
    then(driver);
    driver.wait(SECOND);
    expect([driver.state(), driver.alert()]).toEqual(['needs_user', 2]);
  });

  it('one that was held back, and the user could not see', () => {
    const driver = drive();
    sentBegin(driver);
    sent(driver, 'PermissionRequest', BASH);
    sent(driver, 'PermissionRequest', { ...OTHER, entrypoint: 'sdk-ts' });
    driver.wait(100);
    ack(driver);
    expect(driver.state()).toBe('running');
    driver.wait(SECOND);
    expect([driver.state(), driver.alert()]).toEqual(['needs_user', 2]);
  });

  it('a dialog that the user opens beside it calls nobody', () => {
    const driver = waiting();
    sent(driver, 'Stop', { prompt_id: 'p1', question: true });
    driver.wait(SECOND);
    ack(driver);
    sent(driver, 'PreModelSwitch');
    driver.wait(SECOND);
    expect([driver.state(), driver.kinds(), driver.alert()]).toEqual([
      'needs_user',
      ['possible_question', 'dialog'],
      1,
    ]);
  });
});

describe('a late event is put in its place', () => {
  it('an answer from before the word: there was nothing to know', () => {
    const driver = waiting();
    ack(driver);
    sent(driver, 'PostToolUse', BASH, { after: 100, ago: 400 });
    expect([driver.kinds(), driver.the().acked, driver.state()]).toEqual([[], [], 'running']);
  });

  it('something else from before: what was acknowledged stays so', () => {
    const driver = waiting();
    ack(driver);
    for (const ago of [3_500, 2_000, 500]) sent(driver, 'PreToolUse', { tool: 'Read' }, { after: 50, ago });
    driver.wait(SECOND);
    expect([driver.state(), driver.kinds(), driver.alert()]).toEqual(['running', ['permission'], 1]);
  });

  it('also after a restart', () => {
    const driver = waiting();
    ack(driver);
    const again = drive();
    again.wait(driver.now() - again.now());
    again.table.restore(storedAs(driver), again.now());
    sent(again, 'Notification', { notification: 'permission_prompt' });
    sent(again, 'PreToolUse', { tool: 'Read' }, { ago: 1_500 });
    again.wait(SECOND);
    expect([again.state(), again.alert(), again.the().acked_by]).toEqual(['running', 1, 'local']);
    sent(again, 'PermissionRequest', OTHER);
    again.wait(SECOND);
    expect([again.state(), again.alert()]).toEqual(['needs_user', 2]);
  });

  it('a machine whose clock is slow is heard as before', () => {
    const driver = drive();
    const ago = 5 * MINUTE;
    sent(driver, 'UserPromptSubmit', { prompt_id: 'p1' }, { ago });
    sent(driver, 'PermissionRequest', BASH, { ago });
    driver.wait(SECOND);
    ack(driver);
    expect(sent(driver, 'PostToolUse', BASH, { ago })).toBe('applied');
    expect(sent(driver, 'PermissionRequest', OTHER, { ago })).toBe('applied');
    driver.wait(SECOND);
    expect([driver.state(), driver.alert()]).toEqual(['needs_user', 2]);
  });
});

describe('ack ends the latch', () => {
  it.each([
    ['permission', 'PermissionRequest', BASH],
    ['needs_review', 'Notification', {}],
  ] as const)('%s, which only a Stop has closed', (lamp, event, fields) => {
    const driver = drive();
    sentBegin(driver);
    sent(driver, event, fields);
    sent(driver, 'Stop', { prompt_id: 'p1' });
    driver.wait(MINUTE);
    expect(driver.lamp()).toBe(lamp);
    expect(ack(driver)).toEqual(['s1']);
    expect(says(driver)).toEqual(['done', 'stop', 'ready']);
  });

  it('not one that nobody had seen: what was said of nothing, or of something else, is not said of it', () => {
    for (const withWait of [false, true]) {
      const driver = drive();
      sentBegin(driver);
      if (withWait) {
        sent(driver, 'Stop', { question: true, prompt_id: 'p1' });
        driver.wait(SECOND);
      } else sent(driver, 'Stop', { prompt_id: 'p1' }, { after: 2 * SECOND });
      expect(ack(driver, 's1')).toEqual(withWait ? ['s1'] : []);
      // It was asked before the Stop, which has closed it, and nobody has heard of it before.
      sent(driver, 'PermissionRequest', BASH, { after: 100, ago: withWait ? 1_600 : 600 });
      expect(driver.lamp()).toBe('permission');
    }
  });

  it('what was acknowledged leaves none', () => {
    const driver = waiting();
    ack(driver);
    sent(driver, 'Stop', { prompt_id: 'p1' });
    expect(driver.lamp()).toBe('completed');
  });

  it('a script’s `paused` and `stale` only when the session is named', () => {
    for (const signal of ['paused', 'stale'] as const) {
      const driver = drive();
      driver.begin();
      driver.signal(signal);
      expect([ack(driver), driver.lamp()]).toEqual([[], signal]);
      expect(ack(driver, 's1')).toEqual(['s1']);
      expect(driver.the().latch).toBeUndefined();
    }
  });

  it('and leaves the fallback to the next event', () => {
    const driver = waiting();
    driver.signal('stale', { session_id: undefined, cwd: undefined });
    ack(driver);
    tells(driver, 'gone');
    expect(driver.table.lamp('claude')).toBe('stale');
  });
});
