import {
  mkdirSync,
  openSync,
  closeSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { setAside } from '../../../../../runtime/database/database-file.ts';
import type { Recovered } from '../../../../../runtime/database/database-store.ts';
import type { Store } from '../../../../../services/aggregator/store/hub-store.ts';
import { eventRow, keyOf, nameOf, sessionRecord } from './rows-of.ts';
import { useScratch } from './scratch.ts';

const PAGE = 4096;
const scratch = useScratch();

/** Writes nonsense over the file from a page on (the first page is 0), as a failing disk would. */
function damageFrom(page: number): void {
  const file = openSync(scratch.path, 'r+');
  writeSync(file, Buffer.alloc(statSync(scratch.path).size - page * PAGE, 0xa5), 0, undefined, page * PAGE);
  closeSync(file);
}

/** A database of about 16 MB: more than SQLite keeps in memory. */
async function filled(): Promise<void> {
  const store = scratch.open();
  store.setMeta('hub_id', 'c0ffee');
  const body = 'x'.repeat(8000);
  store.commit({ events: Array.from({ length: 2000 }, (_, number) => eventRow(number, { body })) });
  await store.close();
}

const asideOf = () =>
  readdirSync(dirname(scratch.path))
    .filter((file) => file.includes('.damaged-'))
    .toSorted();

describe('a database found damaged at the start', () => {
  it.each([
    ['other data', 'not a database at all\n'.repeat(400)],
    ['three bytes', 'abc'],
  ])('%s is moved aside with its date, byte for byte, and a fresh one is there', (_what, content) => {
    mkdirSync(dirname(scratch.path), { recursive: true });
    writeFileSync(scratch.path, content);
    const store = scratch.open();
    expect(store.recovered?.reason).toContain('SQLITE_NOTADB');
    expect(basename(store.recovered?.movedTo ?? '')).toBe('hub.db.damaged-2026-11-30T10-00-00');
    expect(readFileSync(store.recovered?.movedTo ?? '', 'utf8')).toBe(content);
    store.commit({ events: [eventRow(1)] });
    expect(store.isKnown('claude', 'event-1')).toBe(true);
  });

  it('is recognised by a page that is no page, and the hub stays the same hub', async () => {
    await filled();
    damageFrom(40);
    const store = scratch.open();
    expect(store.recovered?.reason).toContain('quick_check');
    expect(store.meta('hub_id')).toBe('c0ffee');
    expect(store.eventsOf('claude', keyOf(1), 0)).toEqual([]);
    await store.close();
    const again = scratch.open();
    expect([again.recovered, again.meta('hub_id')]).toEqual([undefined, 'c0ffee']);
  });

  it('has nothing to give when its first page is gone', async () => {
    await filled();
    damageFrom(0);
    const store = scratch.open();
    expect(store.recovered?.reason).toContain('SQLITE_NOTADB');
    expect(store.meta('hub_id')).toBeUndefined();
  });

  it('never overwrites an earlier one', () => {
    mkdirSync(dirname(scratch.path), { recursive: true });
    const earlier = `${scratch.path}.damaged-2026-11-30T10-00-00`;
    writeFileSync(earlier, 'earlier');
    writeFileSync(scratch.path, 'later');
    const { recovered } = scratch.open();
    expect(recovered?.movedTo).toBe(`${earlier}.2`);
    expect(readFileSync(earlier, 'utf8')).toBe('earlier');
    expect(readFileSync(recovered?.movedTo ?? '', 'utf8')).toBe('later');
  });

  it('takes its companions along', () => {
    mkdirSync(dirname(scratch.path), { recursive: true });
    for (const end of ['', '-wal']) writeFileSync(scratch.path + end, `junk${end}`);
    const target = setAside(scratch.path, Date.UTC(2026, 10, 30, 10, 0, 0));
    expect(readdirSync(dirname(scratch.path)).toSorted()).toEqual([
      basename(target),
      `${basename(target)}-wal`,
    ]);
  });
});

describe('a database that turns out damaged in use', () => {
  it('is replaced under the reader, and its owner writes the table anew', async () => {
    await filled();
    const told: Recovered[] = [];
    const session = sessionRecord(1);
    const store: Store = scratch.open({
      onRecovered(recovered) {
        told.push(recovered);
        store.commit({ sessions: new Map([[nameOf(session), session]]) });
      },
    });
    damageFrom(1);
    expect(store.eventsOf('claude', keyOf(1), 0)).toEqual([]);
    expect(told).toHaveLength(1);
    expect(asideOf()).toContain(basename(told[0]?.movedTo ?? ''));
    expect(store.sessions()).toEqual([session]);
    expect(store.meta('hub_id')).toBe('c0ffee');
    await store.close();
    const again = scratch.open();
    expect([again.recovered, again.meta('hub_id'), again.sessions()]).toEqual([
      undefined,
      'c0ffee',
      [session],
    ]);
  });

  it('does not lose the batch that found it', async () => {
    await filled();
    const told: Recovered[] = [];
    const store = scratch.open({ onRecovered: (recovered) => told.push(recovered) });
    damageFrom(1);
    const events = Array.from({ length: 50 }, (_, number) =>
      eventRow(5000 + number, { id: `${number}-new` }),
    );
    store.commit({ events });
    expect(told).toHaveLength(1);
    expect(events.every(({ id }) => store.isKnown('claude', id ?? ''))).toBe(true);
  });
});
