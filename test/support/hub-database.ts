import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { CanonicalEvent } from '../../protocol/events.ts';
import type { Session } from '../../protocol/session.ts';

/** Everything the hub has written that can be asked for, read beside it and without writing. */
export interface HubDatabase {
  /** The cut-down events of the log, in order. */
  readonly events: readonly CanonicalEvent[];
  readonly sessions: readonly Session[];
  /** How often each code was refused. */
  readonly refused: Readonly<Record<string, number>>;
}

/** Reads a data folder's database; the hub may be running or dead. */
export function readHubDatabase(home: string): HubDatabase {
  const database = new Database(join(home, 'signalbox.db'), { readonly: true, fileMustExist: true });
  try {
    return {
      events: bodies(database, 'SELECT body FROM event ORDER BY seq'),
      sessions: bodies(database, 'SELECT body FROM session'),
      refused: Object.fromEntries(
        database
          .prepare<[], [string, number]>('SELECT code, sum(count) FROM refused GROUP BY code')
          .raw()
          .all(),
      ),
    };
  } finally {
    database.close();
  }
}

function bodies<T>(database: Database.Database, sql: string): T[] {
  return database
    .prepare<[], string>(sql)
    .pluck()
    .all()
    .map((body) => JSON.parse(body) as T);
}
