import { statSync } from 'node:fs';
import {
  type Connection,
  damageOf,
  isDamage,
  reasonOf,
  schemaOf,
} from '../../../runtime/database/database-store.ts';
import { MIGRATIONS } from './migrations.ts';
import { openToRead } from './read-store.ts';
import type { LastEvent, RefusedTally } from './rows.ts';

/** What a look at a hub's database finds. */
export type Inspected =
  | { readonly kind: 'missing' }
  | { readonly kind: 'damaged'; readonly reason: string }
  | { readonly kind: 'newer'; readonly found: number; readonly known: number }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | SoundDatabase;

export interface SoundDatabase {
  readonly kind: 'sound';
  /** Of database and write-ahead log. */
  readonly bytes: number;
  /** Per provider and event: how often and when last. */
  readonly events: readonly LastEvent[];
  /** Per provider and code: how often and when last. */
  readonly refused: readonly RefusedTally[];
  readonly meta: ReadonlyMap<string, string>;
}

/**
 * Looks at the hub's database and changes nothing: no repair, no moving aside, no file beside it.
 * @param inUse a running hub has it open
 */
export function inspectDatabase(path: string, inUse: boolean): Inspected {
  const bytes = sizeOf(path);
  if (bytes === undefined) return { kind: 'missing' };
  try {
    const { connection, close } = openToRead(path, inUse);
    try {
      return inspect(connection, path, bytes + (sizeOf(`${path}-wal`) ?? 0));
    } finally {
      close();
    }
  } catch (error) {
    return { kind: isDamage(error) ? 'damaged' : 'unreadable', reason: reasonOf(error) };
  }
}

function inspect(connection: Connection, path: string, bytes: number): Inspected {
  const found = schemaOf(connection);
  const known = MIGRATIONS.at(-1)?.number ?? 0;
  if (found > known) return { kind: 'newer', found, known };
  const reason = damageOf(connection, path);
  if (reason !== undefined) return { kind: 'damaged', reason };
  // A hub that was ended in its first start has left an empty one.
  if (found === 0) return { kind: 'sound', bytes, events: [], refused: [], meta: new Map() };
  return {
    kind: 'sound',
    bytes,
    events: connection
      .prepare<[], LastEvent>('SELECT provider, event, count, last_at FROM seen ORDER BY last_at DESC')
      .all(),
    refused: connection
      .prepare<[], RefusedTally>('SELECT provider, code, count, last_at FROM refused ORDER BY last_at DESC')
      .all(),
    meta: new Map(connection.prepare<[], [string, string]>('SELECT name, value FROM meta').raw().all()),
  };
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}
