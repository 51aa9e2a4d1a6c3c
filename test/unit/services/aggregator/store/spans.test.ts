import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Span } from '../../../../../protocol/spans.ts';
import { MIGRATIONS } from '../../../../../services/aggregator/store/migrations.ts';
import { eventRow, keyOf, START } from './rows-of.ts';
import { outside, useScratch } from './scratch.ts';

const scratch = useScratch();

function span(number: number, fields: Partial<Span> = {}): Span {
  return {
    provider: 'claude',
    key: keyOf(1),
    project: 'web-shop',
    state: 'needs_user',
    reason: 'permission_request',
    by_user: false,
    started_at: START + number,
    ended_at: START + number + 1,
    ended_by: 'tool_use',
    ...fields,
  };
}

describe('the history', () => {
  it('is kept over a restart, in the order of its ends', async () => {
    const store = scratch.open();
    expect([store.spansSince('needs_user', 0), store.historySince()]).toEqual([[], undefined]);
    const names = 'évil\u0000\u001b[31m"; DROP TABLE span; --';
    store.commit({ spans: [span(5, { project: names }), span(2, { by_user: true })] });
    const again = await scratch.reopened(store);
    expect(again.spansSince('needs_user', 0)).toEqual([
      span(2, { by_user: true }),
      span(5, { project: names }),
    ]);
    expect(again.historySince()).toBe(START + 5);
  });

  it('is asked for by state and end: a long wait is found by what of it lies in the time', () => {
    const store = scratch.open();
    const long = span(0, { ended_at: START + 1_000 });
    store.commit({ spans: [span(0), span(1, { state: 'running' }), long] });
    expect(store.spansSince('needs_user', START + 2)).toEqual([long]);
    expect(store.spansSince('running', 0)).toHaveLength(1);
  });

  it('is committed with what it comes from, or not at all', () => {
    const store = scratch.open({ busyTimeoutMs: 1 });
    const batch = { events: [eventRow(1)], spans: [span(1)] };
    outside(scratch.path, (other) => {
      other.exec('BEGIN IMMEDIATE');
      expect(() => store.commit(batch)).toThrow(expect.objectContaining({ code: 'not_committed' }));
      other.exec('ROLLBACK');
    });
    expect(store.spansSince('needs_user', 0)).toEqual([]);
    store.commit(batch);
    expect([store.spansSince('needs_user', 0).length, store.isKnown('claude', 'event-1')]).toEqual([1, true]);
  });

  it('goes with the event log, in slices', () => {
    const store = scratch.open();
    store.commit({
      events: [eventRow(1)],
      spans: Array.from({ length: 25 }, (_, index) => span(index)),
    });
    // 20 ended before; the event log has but one.
    expect(store.prune(START + 21, 15)).toBe(15);
    expect(store.prune(START + 21, 15)).toBe(5);
    expect(store.prune(START + 21, 15)).toBe(0);
    expect(store.spansSince('needs_user', 0)).toHaveLength(5);
  });
});

it('a database from before there was one is brought up, with a copy beside it', () => {
  mkdirSync(dirname(scratch.path), { recursive: true });
  const old = new Database(scratch.path);
  for (const { sql } of MIGRATIONS.slice(0, 2)) old.exec(sql);
  old.pragma('user_version = 2');
  old.prepare("INSERT INTO meta VALUES ('hub_id', 'c0ffee')").run();
  old.close();
  const store = scratch.open();
  expect([store.meta('hub_id'), store.spansSince('needs_user', 0)]).toEqual(['c0ffee', []]);
  store.commit({ spans: [span(1)] });
  expect(store.spansSince('needs_user', 0)).toHaveLength(1);
  const copy = `${scratch.path}.before-3`;
  expect(existsSync(copy)).toBe(true);
  const before = outside(copy, (database) => ({
    version: database.pragma('user_version', { simple: true }),
    hub: database.prepare('SELECT value FROM meta').pluck().get(),
    history: database.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'span'").pluck().get(),
  }));
  expect(before).toEqual({ version: 2, hub: 'c0ffee', history: 0 });
});
