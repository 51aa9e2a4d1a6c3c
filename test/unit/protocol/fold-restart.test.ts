import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CanonicalEvent } from '../../../protocol/events.ts';
import type { LoggedEvent, StoredTable } from '../../../protocol/table-changes.ts';
import { SessionTable } from '../../../protocol/table.ts';
import { drive, type Driver, HOUR, MINUTE, SECOND, T0, tableOptions } from '../../support/driving.ts';
import { says, sent, sentBegin, tells } from '../../support/observing.ts';
import { anyHook, byKey, runTo } from '../../support/stories.ts';

const BASH = { tool: 'Bash', digest: '00000000000000aa' };

/** A table with the log that a hub would have written beside it. */
function logged() {
  const driver = drive();
  const log: LoggedEvent[] = [];
  const { table } = driver;
  const apply = table.apply.bind(table);
  table.apply = (event, received) => {
    const outcome = apply(event, received);
    log.push({ event, arrival: received.now });
    return outcome;
  };
  return { driver, log };
}

/** What a hub reads back: through JSON, with the logs of all its sessions. */
function stored(table: SessionTable, log: readonly LoggedEvent[]): StoredTable {
  const { sessions, providers } = table.everything();
  const recent = new Map(
    [...sessions].map(([id, session]) => [
      id,
      log.filter(({ event }) => event.session_id === session?.session_id),
    ]),
  );
  const plain = { sessions: [...sessions.values()], providers: [...providers.values()] };
  return { ...(JSON.parse(JSON.stringify(plain)) as StoredTable), recent };
}

function restarted(driver: Driver, from: StoredTable): Driver {
  const again = drive();
  again.wait(driver.now() - T0);
  again.table.restore(from, again.now());
  again.wait(0);
  return again;
}

describe('rule 6 after a restart', () => {
  it('a late event is put in its place as before', () => {
    const { driver, log } = logged();
    sentBegin(driver);
    sent(driver, 'PostToolUse', BASH);
    const again = restarted(driver, stored(driver.table, log));
    sent(again, 'PermissionRequest', BASH, { after: 100, ago: 500 });
    again.wait(5 * SECOND);
    expect([again.state(), again.kinds(), again.alert()]).toEqual(['running', [], 0]);
  });

  it('one that is too old is late as before', () => {
    const { driver, log } = logged();
    sentBegin(driver);
    sent(driver, 'Stop', { prompt_id: 'p1' }, { after: MINUTE });
    for (const from of [stored(driver.table, log), { ...stored(driver.table, log), recent: new Map() }]) {
      const again = restarted(driver, from);
      expect(sent(again, 'UserPromptSubmit', { prompt_id: 'p0' }, { ago: 40 * SECOND })).toBe('late');
      expect(again.state()).toBe('done');
      expect(sent(again, 'UserPromptSubmit', { prompt_id: 'p2' })).toBe('applied');
    }
  });

  it('an alert that was given or due is neither given again nor lost', () => {
    const { driver, log } = logged();
    sentBegin(driver);
    sent(driver, 'PermissionRequest', BASH);
    driver.wait(300);
    const due = restarted(driver, stored(driver.table, log));
    sent(due, 'PreToolUse', BASH, { after: 100, ago: 450 });
    expect(due.alert()).toBe(0);
    due.wait(100);
    expect(due.alert()).toBe(1);
    driver.wait(SECOND);
    const given = restarted(driver, stored(driver.table, log));
    sent(given, 'PreToolUse', BASH, { after: 100, ago: 1_450 });
    given.wait(5 * SECOND);
    expect(given.alert()).toBe(1);
  });

  it('display events in the log are passed over', () => {
    const { driver, log } = logged();
    sentBegin(driver);
    for (let index = 0; index < 70; index++)
      sent(driver, 'Other', { native: 'MessageDisplay' }, { after: 10 });
    sent(driver, 'Stop', { prompt_id: 'p1' });
    const again = restarted(driver, stored(driver.table, log));
    sent(again, 'PreToolUse', BASH, { after: 0, ago: 500 });
    expect(again.state()).toBe('done');
  });

  it('without its log, with half of it, or with more than it tells, a session is what was stored', () => {
    const { driver, log } = logged();
    sentBegin(driver);
    sent(driver, 'PermissionRequest', BASH);
    tells(driver, 'waiting', { waiting_for: 'permission prompt' });
    const from = stored(driver.table, log);
    const [id = ''] = from.recent?.keys() ?? [];
    const { recent: _without, ...bare } = from;
    for (const given of [from, bare, { ...from, recent: new Map([[id, log.slice(1)]]) }]) {
      const again = restarted(driver, given);
      expect(JSON.parse(JSON.stringify(again.the()))).toEqual(JSON.parse(JSON.stringify(driver.the())));
      // What comes late is taken as it comes.
      sent(again, 'PostToolUse', BASH, { after: 100, ago: 200 });
      expect(says(again)).toEqual(['running', 'tool_use', 'active']);
    }
  });

  it('a clock that was set back meanwhile leaves no window', () => {
    const { driver, log } = logged();
    sentBegin(driver);
    const again = drive();
    again.table.restore(stored(driver.table, log), T0 - HOUR);
    const now = T0 - HOUR + SECOND;
    const stop = { v: 1, event: 'Stop', provider: 'claude', session_id: 's1', host: 'studio' } as const;
    expect(again.table.apply({ ...stop, sent_at: now }, { now, live: true })).toBe('applied');
    expect(again.state()).toBe('done');
  });

  it('has the same future, whatever comes and however late', () => {
    const event = fc
      .tuple(
        anyHook,
        fc.constantFrom('s1', 's2'),
        fc.integer({ min: 0, max: 40 * SECOND }),
        fc.integer({ min: 0, max: 2 * SECOND }),
      )
      .map(([hook, session_id, ago, after]) => {
        const { notify: _notify, ...rest } = hook;
        return { event: { ...rest, provider: 'claude', session_id, host: 'studio' }, ago, after };
      });
    type Step = { readonly event: CanonicalEvent; readonly ago: number; readonly after: number };

    function play(table: SessionTable, steps: readonly Step[], from: number, log: LoggedEvent[]): number {
      let now = from;
      for (const { event: what, ago, after } of steps) {
        now += after;
        runTo(table, now);
        // Every third is written by hand, without the sender's time.
        const one = ago % 3 === 0 ? what : { ...what, sent_at: now - ago };
        table.apply(one, { now, live: true });
        log.push({ event: one, arrival: now });
      }
      return now;
    }
    const shown = (table: SessionTable) =>
      [...table.sessions()].toSorted(byKey).map((session) => JSON.parse(JSON.stringify(session)) as unknown);

    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 30 }),
        fc.array(event, { minLength: 1, maxLength: 15 }),
        (past, future) => {
          const table = new SessionTable(tableOptions());
          const log: LoggedEvent[] = [];
          const now = play(table, past, T0, log);
          // A SessionStart clears its project's other session: what the log tells of that one is another life.
          const cleared = table.takeChanges().transitions.some(({ to }) => to === null);
          fc.pre(!cleared);
          const again = new SessionTable(tableOptions());
          again.restore(stored(table, log), now);
          again.advance(now);
          // A session that nothing has made yet leaves nothing to restore.
          const known = new Set([...table.sessions()].map((session) => session.session_id));
          const rest = future.filter(({ event: { session_id } }) => known.has(session_id));
          const end = play(table, rest, now, []);
          play(again, rest, now, []);
          expect(shown(again)).toEqual(shown(table));
          expect(again.signal('claude')).toEqual(table.signal('claude'));
          runTo(table, end + 5 * SECOND);
          runTo(again, end + 5 * SECOND);
          expect(shown(again)).toEqual(shown(table));
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('a restart keeps', () => {
  it('what a status has said, and what it was waiting for', () => {
    const { driver, log } = logged();
    sentBegin(driver);
    tells(driver, 'busy');
    sent(driver, 'PreToolUse', BASH);
    const again = restarted(driver, stored(driver.table, log));
    again.wait(SECOND);
    expect(again.the().status).toMatchObject({ value: 'busy' });
    expect(again.the().status?.contested_until).toBeUndefined();
    again.wait(HOUR);
    expect(again.state()).toBe('running');
  });

  it('a status that waits for its hook: it still wins in time', () => {
    const { driver, log } = logged();
    sentBegin(driver);
    tells(driver, 'idle');
    sent(driver, 'PreToolUse', BASH);
    driver.wait(300);
    const again = restarted(driver, stored(driver.table, log));
    again.wait(399);
    expect(again.state()).toBe('running');
    again.wait(1);
    expect(again.state()).toBe('idle');
  });
});

describe('a restart remembers what a client has removed', () => {
  function goneBefore(): Driver {
    const driver = drive();
    sentBegin(driver);
    tells(driver, 'busy');
    tells(driver, 'gone');
    return restarted(driver, stored(driver.table, []));
  }

  it('its late hooks don’t bring it back, nor does a prompt sent before', () => {
    const driver = goneBefore();
    for (const event of ['PostToolUse', 'Stop', 'SessionEnd', 'PermissionRequest'] as const)
      expect(sent(driver, event, BASH)).toBe('no_change');
    expect(sent(driver, 'UserPromptSubmit', { prompt_id: 'p2' }, { after: 0, ago: 30 * SECOND })).toBe(
      'late',
    );
    expect(tells(driver, 'waiting', {}, { after: 0, ago: 30 * SECOND })).toBe('no_change');
    expect([...driver.table.sessions()]).toEqual([]);
  });

  it('a new prompt does, or a newer status', () => {
    const prompt = goneBefore();
    sent(prompt, 'UserPromptSubmit', { prompt_id: 'p2' });
    expect(says(prompt)).toEqual(['running', 'user_prompt', 'active']);
    const status = goneBefore();
    tells(status, 'busy');
    expect(says(status)).toEqual(['running', 'status', 'active']);
    // What has come back is not remembered as gone.
    const again = restarted(status, stored(status.table, []));
    sent(again, 'PostToolUse', BASH);
    expect(again.state()).toBe('running');
  });

  it('for what is left of its ten minutes, also when the clock was set', () => {
    const driver = goneBefore();
    driver.wait(10 * MINUTE - 1);
    expect(driver.table.nextDeadline()).toBe(driver.now() + 1);
    driver.wait(1);
    expect(driver.table.nextDeadline()).toBeUndefined();
    sent(driver, 'PostToolUse', BASH);
    expect(driver.state()).toBe('running');

    const before = goneBefore();
    before.table.shift(HOUR);
    const shifted = drive();
    const now = before.now() + HOUR;
    shifted.table.restore(stored(before.table, []), now);
    expect(shifted.table.nextDeadline()).toBe(now + 10 * MINUTE);
    const back = drive();
    back.table.restore(stored(before.table, []), now - 2 * HOUR);
    expect(back.table.nextDeadline()).toBe(now - 2 * HOUR + 10 * MINUTE);
  });

  it('of a flood, the last 64', () => {
    const driver = drive();
    for (let index = 0; index < 70; index++) {
      const id = { session_id: `s${index}`, cwd: `/srv/${index}` };
      tells(driver, 'busy', id, { after: 1 });
      tells(driver, 'gone', id, { after: 1 });
      tells(driver, 'gone', id, { after: 1 });
    }
    const again = restarted(driver, stored(driver.table, []));
    for (let index = 0; index < 70; index++)
      sent(again, 'PostToolUse', { ...BASH, session_id: `s${index}`, cwd: `/srv/${index}` }, { after: 1 });
    expect([...again.table.sessions()].map(({ session_id }) => session_id)).toEqual(
      Array.from({ length: 6 }, (_, index) => `s${index}`),
    );
  });
});
