import Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../../../../protocol/session.ts';
import { createLog } from '../../../../../runtime/log.ts';
import { openStore } from '../../../../../services/aggregator/store/hub-store.ts';
import type { StoredProvider } from '../../../../../services/aggregator/store/rows.ts';
import { eventRow, keyOf, nameOf, scratchFolder, sessionRecord, START } from './rows-of.ts';
import { outside, useScratch } from './scratch.ts';

const scratch = useScratch();

describe('what is committed', () => {
  it('is there after a restart', async () => {
    const store = scratch.open();
    const session = sessionRecord(1);
    store.commit({
      events: [eventRow(1)],
      refusals: [{ provider: 'claude', code: 'bad_json', at: START }],
      sessions: new Map([[nameOf(session), session]]),
      providers: new Map([['claude', { slug: 'claude', alert: 17 }]]),
    });
    store.setMeta('hub_id', 'c0ffee');
    const again = await scratch.reopened(store);
    expect(again.recovered).toBeUndefined();
    expect(again.sessions()).toEqual([session]);
    expect(again.providers()).toEqual([{ slug: 'claude', alert: 17 }]);
    expect(again.eventsOf('claude', keyOf(1), 0)).toEqual([{ ...eventRow(1), seq: 1 }]);
    expect(again.lastEvents()).toEqual([
      { provider: 'claude', event: 'PreToolUse', count: 1, last_at: START + 1 },
    ]);
    expect(again.refusals()).toEqual([{ provider: 'claude', code: 'bad_json', count: 1, last_at: START }]);
    expect(again.meta('hub_id')).toBe('c0ffee');
    expect(again.meta('nothing')).toBeUndefined();
  });

  it('is what a model holds, whatever comes in what order', async () => {
    const change = fc.record({
      number: fc.integer({ min: 0, max: 5 }),
      remove: fc.boolean(),
      reason: fc.string({ unit: 'binary' }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 8 }), async (batches) => {
        const own = scratchFolder();
        const log = createLog({ level: 'silent', format: 'json', stream: { write: () => undefined } });
        const options = { path: own.path, synchronous: 'normal', log, now: () => START } as const;
        const model = new Map<string, Session>();
        const providers = new Map<string, StoredProvider>();
        const store = openStore(options);
        for (const batch of batches) {
          const sessions = new Map<string, Session | undefined>();
          const changed = new Map<string, StoredProvider | undefined>();
          for (const { number, remove, reason } of batch) {
            const session = sessionRecord(number, { reason });
            sessions.set(nameOf(session), remove ? undefined : session);
            changed.set(`p${number}`, remove ? undefined : { slug: `p${number}` });
          }
          store.commit({ sessions, providers: changed });
          for (const [name, session] of sessions) {
            if (session === undefined) model.delete(name);
            else model.set(name, session);
          }
          for (const [slug, provider] of changed) {
            if (provider === undefined) providers.delete(slug);
            else providers.set(slug, provider);
          }
        }
        await store.close();
        const again = openStore(options);
        const held = [again.sessions(), again.providers()];
        await again.close();
        own.remove();
        expect(new Map(held[0]?.map((session) => [nameOf(session as Session), session]))).toEqual(
          new Map(
            [...model].map(([name, session]) => [name, JSON.parse(JSON.stringify(session)) as Session]),
          ),
        );
        expect(new Map(held[1]?.map((provider) => [(provider as StoredProvider).slug, provider]))).toEqual(
          providers,
        );
      }),
      { numRuns: 25 },
    );
  });

  it('is all of a batch or nothing', () => {
    const store = scratch.open();
    const session = sessionRecord(1);
    const odd = eventRow(2, { received_at: 1.5 });
    expect(() => {
      store.commit({ events: [eventRow(1), odd], sessions: new Map([[nameOf(session), session]]) });
    }).toThrow(expect.objectContaining({ code: 'not_committed' }));
    expect(store.isKnown('claude', 'event-1')).toBe(false);
    expect(store.sessions()).toEqual([]);
    expect(store.lastEvents()).toEqual([]);
    store.commit({ events: [eventRow(1)] });
    expect(store.isKnown('claude', 'event-1')).toBe(true);
  });

  it('is refused while another program holds the lock, and taken afterwards', () => {
    const store = scratch.open({ busyTimeoutMs: 1 });
    const other = new Database(scratch.path);
    other.exec('BEGIN IMMEDIATE');
    expect(() => store.commit({ events: [eventRow(1)] })).toThrow(/SQLITE_BUSY/);
    other.exec('ROLLBACK');
    other.close();
    store.commit({ events: [eventRow(1)] });
    expect(store.isKnown('claude', 'event-1')).toBe(true);
  });

  it('leaves out a record that is no JSON, and says so', () => {
    const store = scratch.open();
    const sessions = [sessionRecord(1), sessionRecord(2)];
    store.commit({ sessions: new Map(sessions.map((session) => [nameOf(session), session])) });
    outside(scratch.path, (database) =>
      database.prepare("UPDATE session SET body = '{' WHERE key = ?").run(keyOf(1)),
    );
    expect(store.sessions()).toEqual([sessions[1]]);
    expect(scratch.lines.join('')).toContain('no JSON');
  });

  it('can not be reached after the end', async () => {
    const store = scratch.open();
    await store.close();
    expect(() => store.sessions()).toThrow(expect.objectContaining({ code: 'database_unusable' }));
    expect(() => store.commit({ events: [eventRow(1)] })).toThrow(
      expect.objectContaining({ code: 'not_committed' }),
    );
    await store.close();
  });
});

describe('the event log', () => {
  it('keeps an id once a provider, counts it once, and knows it after a restart', async () => {
    const store = scratch.open();
    expect(store.isKnown('claude', 'event-1')).toBe(false);
    store.commit({ events: [eventRow(1), eventRow(1)] });
    store.commit({ events: [eventRow(1, { received_at: START + 500 })] });
    store.commit({ events: [eventRow(1, { provider: 'codex' })] });
    const again = await scratch.reopened(store);
    expect(again.isKnown('claude', 'event-1')).toBe(true);
    expect(again.isKnown('codex', 'event-1')).toBe(true);
    expect(again.isKnown('gemini', 'event-1')).toBe(false);
    expect(again.eventsOf('claude', keyOf(1), 0)).toHaveLength(1);
    expect(again.lastEvents().map(({ provider, count }) => [provider, count])).toEqual([
      ['claude', 1],
      ['codex', 1],
    ]);
  });

  it('keeps every event without an id, and leaves out what it has not', () => {
    const store = scratch.open();
    const { id: _id, sent_at: _sentAt, ...bare } = eventRow(1, { live: false });
    store.commit({ events: [bare, bare] });
    expect(store.eventsOf('claude', keyOf(1), 0)).toStrictEqual([
      { ...bare, seq: 1 },
      { ...bare, seq: 2 },
    ]);
  });

  it("gives a session's events from a moment on, in the order of moments", () => {
    const store = scratch.open();
    const moments = [START + 30, START + 10, START + 20, START + 20, START - 5];
    store.commit({
      events: [
        ...moments.map((moment, number) => eventRow(number, { moment })),
        eventRow(90, { key: keyOf(2) }),
        eventRow(91, { provider: 'codex' }),
      ],
    });
    const found = store.eventsOf('claude', keyOf(1), START + 10);
    expect(found.map(({ id }) => id)).toEqual(['event-1', 'event-2', 'event-3', 'event-0']);
    expect(store.eventsOf('claude', keyOf(1), 0, 2).map(({ id }) => id)).toEqual(['event-4', 'event-1']);
  });

  it('forgets in slices what is too old, and nothing else', () => {
    const store = scratch.open();
    const session = sessionRecord(1);
    store.commit({
      events: Array.from({ length: 10 }, (_, number) => eventRow(number)),
      sessions: new Map([[nameOf(session), session]]),
    });
    const slices = [1, 2, 3, 4].map(() => store.prune(START + 7, 3));
    expect(slices).toEqual([3, 3, 1, 0]);
    expect(store.eventsOf('claude', keyOf(1), 0).map(({ id }) => id)).toEqual([
      'event-7',
      'event-8',
      'event-9',
    ]);
    expect(store.isKnown('claude', 'event-0')).toBe(false);
    expect(store.sessions()).toEqual([session]);
    expect(store.lastEvents()).toEqual([
      { provider: 'claude', event: 'PreToolUse', count: 10, last_at: START + 9 },
    ]);
  });

  it('adds up what happened and what was refused', () => {
    const store = scratch.open();
    store.commit({
      events: [eventRow(3), eventRow(1), eventRow(2, { event: 'Stop' })],
      refusals: [
        { provider: 'claude', code: 'bad_json', at: START + 9 },
        { provider: 'claude', code: 'bad_json', at: START + 5 },
        { provider: '', code: 'unknown_provider', at: START },
      ],
    });
    store.commit({
      // No hook was heard with what a second source has found.
      events: [eventRow(4), eventRow(5, { found: true }), eventRow(6, { event: 'StopFailure', found: true })],
      refusals: [{ provider: 'claude', code: 'bad_json', at: START + 7 }],
    });
    expect(store.lastEvents()).toEqual([
      { provider: 'claude', event: 'PreToolUse', count: 3, last_at: START + 4 },
      { provider: 'claude', event: 'Stop', count: 1, last_at: START + 2 },
    ]);
    expect(store.refusals()).toEqual([
      { provider: '', code: 'unknown_provider', count: 1, last_at: START },
      { provider: 'claude', code: 'bad_json', count: 3, last_at: START + 9 },
    ]);
  });
});
