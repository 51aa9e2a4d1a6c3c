import { describe, expect, it } from 'vitest';
import type { EventName } from '../../../protocol/events.ts';
import { drive, type Driver, type Fields, HOUR, MINUTE, SECOND } from '../../support/driving.ts';
import { explained, telling } from '../../support/explaining.ts';
import { says, sent, sentBegin, tells } from '../../support/observing.ts';

const BASH = { tool: 'Bash', digest: '00000000000000aa' };
const PROCESS = { pid: 4711, start: '100', scope: 'here' };

function inTool(): Driver {
  const driver = drive();
  sentBegin(driver);
  sent(driver, 'PreToolUse', BASH);
  return driver;
}

describe('rule 10: an open tool and its process', () => {
  it('one that is known to be alive holds it, however long', () => {
    const driver = inTool();
    expect(tells(driver, 'alive', { process: PROCESS })).toBe('applied');
    driver.wait(9 * HOUR);
    expect([driver.state(), driver.table.nextDeadline()]).toEqual(['running', undefined]);
  });

  it.each<[string, (driver: Driver) => void]>([
    ['nobody tells', () => undefined],
    [
      'nobody tells any more',
      (driver) => {
        tells(driver, 'alive', { process: PROCESS });
        tells(driver, 'unwatched');
      },
    ],
  ])('where %s, at most two hours', (_what, make) => {
    const driver = inTool();
    make(driver);
    driver.wait(2 * HOUR);
    expect(driver.state()).toBe('unknown');
  });

  it('the same word again is no news; another process is', () => {
    const driver = inTool();
    tells(driver, 'alive', { process: PROCESS });
    expect(tells(driver, 'alive', { process: { ...PROCESS } })).toBe('no_change');
    for (const other of [{ pid: 4712 }, { start: '101' }, { scope: 'there' }])
      expect(tells(driver, 'alive', { process: { ...PROCESS, ...other } })).toBe('applied');
    expect(tells(driver, 'unwatched')).toBe('applied');
    expect(tells(driver, 'unwatched')).toBe('no_change');
  });

  it('refreshes nothing, and of a session that nobody knows it is no news', () => {
    const driver = drive();
    expect(tells(driver, 'alive', { process: PROCESS })).toBe('no_change');
    sentBegin(driver);
    tells(driver, 'alive', { process: PROCESS }, { after: 9 * MINUTE });
    driver.wait(MINUTE);
    expect(driver.state()).toBe('unknown');
  });

  it('found dead twice is found dead once', () => {
    const driver = inTool();
    tells(driver, 'alive', { process: PROCESS });
    tells(driver, 'dead');
    expect(tells(driver, 'dead')).toBe('no_change');
    expect(says(driver)).toEqual(['error', 'process_gone', 'blocked']);
    expect(driver.the().process).toBeUndefined();
    // Revived in another process: that one may die too.
    sent(driver, 'UserPromptSubmit', { prompt_id: 'p2' });
    expect(tells(driver, 'dead')).toBe('applied');
  });

  it('explain says so', () => {
    const teller = telling();
    teller.begin();
    teller.hook('PreToolUse', BASH);
    tells(teller, 'alive', { process: PROCESS });
    expect(explained(teller)).toMatchObject({
      held: { by: 'live_tool', words: expect.stringContaining('alive') as string },
      next: [],
    });
    tells(teller, 'dead');
    teller.wait(5 * SECOND);
    expect(explained(teller)).toMatchObject({
      reason: 'process_gone',
      decided_by: {
        rule: 'failed_end',
        words: expect.stringContaining('dead') as string,
        evidence: { origin: 'process', what: 'dead', age_s: 5 },
      },
    });
  });
});

describe('section 5: a new session in the same project', () => {
  function second(make: (driver: Driver) => void, fields = {}): Driver {
    const driver = drive();
    sentBegin(driver);
    make(driver);
    sent(driver, 'SessionStart', { source: 'startup', session_id: 's2', ...fields });
    return driver;
  }

  it('leaves an earlier one whose process is known to be alive', () => {
    const driver = second((before) => tells(before, 'alive', { process: PROCESS }), { pid: 4712 });
    expect([driver.state('s1'), driver.state('s2')]).toEqual(['running', 'running']);
  });

  it.each<[string, (driver: Driver) => void]>([
    ['is not known', () => undefined],
    ['is its own', (driver) => tells(driver, 'alive', { process: PROCESS })],
    [
      'is dead',
      (driver) => {
        tells(driver, 'alive', { process: PROCESS });
        tells(driver, 'dead');
      },
    ],
  ])('clears one whose process %s', (_what, make) => {
    const driver = second(make, { pid: 4711 });
    expect([driver.state('s1'), driver.state('s2')]).toEqual([undefined, 'running']);
  });
});

describe('rule 10: a status that is withdrawn', () => {
  it('holds nothing any more; time runs from then on', () => {
    const driver = drive();
    sentBegin(driver);
    tells(driver, 'busy');
    expect(tells(driver, 'withdrawn', {}, { after: 3 * HOUR })).toBe('applied');
    expect([driver.state(), driver.the().status]).toEqual(['running', undefined]);
    driver.wait(10 * MINUTE);
    expect(driver.state()).toBe('unknown');
  });

  it('what it has opened stays open until somebody answers', () => {
    const driver = drive();
    sentBegin(driver);
    tells(driver, 'waiting', { waiting_for: 'permission prompt' });
    tells(driver, 'withdrawn');
    expect(says(driver)).toEqual(['needs_user', 'permission_request', 'permission']);
    sent(driver, 'Stop', { prompt_id: 'p1' });
    expect(driver.state()).toBe('done');
  });

  it.each<[string, EventName, Fields]>([
    ['a tool’s end', 'PostToolUse', { tool: 'Bash', digest: '00000000000000aa' }],
    ['a tool’s failure', 'PostToolUseFailure', { tool: 'Bash' }],
    ['a refusal', 'PermissionDenied', { tool: 'Bash' }],
    ['a batch’s end', 'PostToolBatch', {}],
  ])('what it has opened is closed by %s: no status will', (_what, event, fields) => {
    const driver = drive();
    sentBegin(driver);
    tells(driver, 'waiting', { waiting_for: 'permission prompt' });
    tells(driver, 'withdrawn');
    expect(driver.state()).toBe('needs_user');
    sent(driver, event, fields);
    expect(driver.state()).toBe('running');
  });

  it('what a hook has opened is closed by its own tool alone, as before', () => {
    const driver = drive();
    sentBegin(driver);
    sent(driver, 'PermissionRequest', BASH);
    tells(driver, 'waiting', { waiting_for: 'permission prompt' });
    tells(driver, 'withdrawn');
    sent(driver, 'PostToolUse', { tool: 'Read' });
    expect(driver.state()).toBe('needs_user');
    sent(driver, 'PostToolUse', BASH);
    expect(driver.state()).toBe('running');
  });

  it('where it is there again, its own word counts again', () => {
    const driver = drive();
    sentBegin(driver);
    tells(driver, 'waiting', { waiting_for: 'permission prompt' });
    tells(driver, 'withdrawn');
    tells(driver, 'waiting', { waiting_for: 'permission prompt' });
    sent(driver, 'PostToolUse', { tool: 'Read' });
    driver.wait(SECOND);
    expect(driver.state()).toBe('needs_user');
    expect(driver.alert()).toBe(1);
    tells(driver, 'busy');
    expect(driver.state()).toBe('running');
  });

  it('without a status, or without a session, it is no news', () => {
    const driver = drive();
    expect(tells(driver, 'withdrawn')).toBe('no_change');
    sentBegin(driver);
    expect(tells(driver, 'withdrawn')).toBe('no_change');
    tells(driver, 'busy');
    tells(driver, 'gone');
    expect(tells(driver, 'withdrawn')).toBe('no_change');
  });
});
