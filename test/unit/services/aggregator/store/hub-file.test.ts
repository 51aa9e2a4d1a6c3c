import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Store } from '../../../../../services/aggregator/store/hub-store.ts';
import { eventRow } from './rows-of.ts';
import { outside, useScratch } from './scratch.ts';

const scratch = useScratch();
const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('the file', () => {
  it('is closed to other users, with its companions and its folder', () => {
    scratch.open().setMeta('hub_id', 'c0ffee');
    expect(readdirSync(dirname(scratch.path)).toSorted()).toEqual(['hub.db', 'hub.db-shm', 'hub.db-wal']);
    for (const end of ['', '-wal', '-shm']) expect(modeOf(scratch.path + end)).toBe(0o600);
    expect(modeOf(dirname(scratch.path))).toBe(0o700);
  });

  it('is closed to other users when it was open to them', async () => {
    await scratch.open().close();
    chmodSync(scratch.path, 0o644);
    scratch.open();
    expect(modeOf(scratch.path)).toBe(0o600);
  });

  it('is in WAL mode, and alone after an orderly end', async () => {
    const store = scratch.open();
    store.commit({ events: [eventRow(1)] });
    await store.close();
    expect(outside(scratch.path, (database) => database.pragma('journal_mode', { simple: true }))).toBe(
      'wal',
    );
    expect(readdirSync(dirname(scratch.path))).toEqual(['hub.db']);
  });

  it('tells its size', () => {
    const store = scratch.open();
    const before = store.size();
    store.commit({ events: Array.from({ length: 200 }, (_, number) => eventRow(number)) });
    expect(store.size()).toBeGreaterThan(before);
  });
});

describe('the write-ahead log', () => {
  it.each([
    ['by itself after many rows', 1000, (_store: Store) => undefined],
    ['when asked', 20, (store: Store) => store.checkpoint()],
  ])('is copied back %s', async (_when, rows, ask) => {
    const store = scratch.open();
    const before = statSync(scratch.path).size;
    store.commit({
      events: Array.from({ length: rows }, (_, number) => eventRow(number, { body: 'x'.repeat(900) })),
    });
    ask(store);
    await vi.waitFor(() => expect(statSync(scratch.path).size).toBeGreaterThan(before + rows * 900), {
      interval: 5,
    });
    store.commit({ events: [eventRow(9999)] });
    expect((await scratch.reopened(store)).isKnown('claude', 'event-9999')).toBe(true);
  });
});

describe('a database that can not be used', () => {
  it('is named with the reason when the path is a folder', () => {
    mkdirSync(scratch.path, { recursive: true });
    expect(() => scratch.open()).toThrow(expect.objectContaining({ code: 'database_unusable' }));
  });

  it('is named with the reason when the folder is a file', () => {
    writeFileSync(dirname(scratch.path), '');
    expect(() => scratch.open()).toThrow(/hub\.db/);
    expect(() => scratch.open()).toThrow(expect.objectContaining({ code: 'database_unusable' }));
  });

  it('is left alone when a newer Signalbox wrote it', async () => {
    await scratch.open().close();
    outside(scratch.path, (database) => database.pragma('user_version = 99'));
    expect(() => scratch.open()).toThrow(expect.objectContaining({ code: 'database_newer' }));
    expect(() => scratch.open()).toThrow(/schema 99/);
    expect(outside(scratch.path, (database) => database.pragma('user_version', { simple: true }))).toBe(99);
    expect(existsSync(`${scratch.path}-wal`)).toBe(false);
    expect(readdirSync(dirname(scratch.path))).toEqual(['hub.db']);
  });
});
