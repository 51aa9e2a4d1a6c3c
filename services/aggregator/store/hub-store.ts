import { statSync } from 'node:fs';
import { SignalboxError } from '../../../protocol/errors.ts';
import type { Pause } from '../../../protocol/pauses.ts';
import type { Session } from '../../../protocol/session.ts';
import type { Span } from '../../../protocol/spans.ts';
import type { AttentionState } from '../../../protocol/states.ts';
import { createCheckpointThread } from './checkpoint-thread.ts';
import type { Connection, DatabaseOptions, Recovered } from '../../../runtime/database/database-store.ts';
import {
  isDamage,
  openDatabase,
  reasonOf,
  replaceDatabase,
  unusable,
} from '../../../runtime/database/database-store.ts';
import type { HubStatements } from './hub-statements-store.ts';
import { prepareHubStatements, readMeta } from './hub-statements-store.ts';
import { MIGRATIONS } from './migrations.ts';
import type { Batch, LastEvent, RefusedTally, StoredEvent, StoredProvider } from './rows.ts';

export interface StoreOptions extends Omit<DatabaseOptions, 'migrations'> {
  /**
   * Called when the database turned out to be damaged while it was in use, once an empty one is in its place and before the call that found it is tried again there: whoever holds
   * the table in memory commits all of it now.
   */
  readonly onRecovered?: (recovered: Recovered) => void;
}

/** The hub's database. One process has it open; every call is synchronous and short. */
export interface Store {
  /** Set when the database was damaged at the start and has been replaced: what the table held is lost. */
  readonly recovered: Recovered | undefined;
  /**
   * Writes everything in one transaction, or nothing; of nothing none. An event whose id is kept already is left out.
   * @throws SignalboxError `not_committed`
   */
  commit(batch: Batch): void;
  /** Has an event with this id been kept? */
  isKnown(provider: string, id: string): boolean;
  /** Every session; one that can't be read back is left out and logged. */
  sessions(): Session[];
  providers<P extends StoredProvider>(): P[];
  /** Every pause, also those that were over just now. */
  pauses(): Pause[];
  /** A session's log from a moment on (unix ms), in the order of moments, those that have the same by arrival. */
  eventsOf(provider: string, key: string, sinceMoment: number, most?: number): StoredEvent[];
  /** Per provider and event: how often and when last. */
  lastEvents(): LastEvent[];
  /** Per provider and code: how often and when last. */
  refusals(): RefusedTally[];
  /** The history of one state: what ended at or after a moment (unix ms), by its end. */
  spansSince(state: AttentionState, since: number): Span[];
  /** When the first state began that the history holds, unix ms. */
  historySince(): number | undefined;
  meta(name: string): string | undefined;
  setMeta(name: string, value: string): void;
  /**
   * Deletes at most `most` entries of the log that arrived before `before` (unix ms), oldest first, and as many of the history.
   * @returns how many of the one or the other; fewer than `most` means that none is left
   */
  prune(before: number, most: number): number;
  /** Of database and write-ahead log [bytes]. */
  size(): number;
  /** Has the write-ahead log copied back into the database, on a thread of its own: for a quiet moment. */
  checkpoint(): void;
  /** Closes the file, its write-ahead log written back. Nothing may be called afterwards. */
  close(): Promise<void>;
}

interface Open {
  readonly connection: Connection;
  readonly statements: HubStatements;
}

/** Opens the hub's database. @throws SignalboxError `database_newer`, `database_unusable` */
export function openStore(options: StoreOptions): Store {
  const { path, log } = options;
  const database: DatabaseOptions = { ...options, migrations: MIGRATIONS };
  const first = openDatabase(database);
  // Kept here too: the hub stays the same hub when its database has to be replaced.
  const meta = new Map<string, string>();
  const checkpoints = createCheckpointThread({ path, log });
  let open: Open | undefined = prepare(first.connection);
  let closed = false;
  if (first.recovered !== undefined) {
    for (const [name, value] of readMeta(first.recovered.movedTo)) open.statements.setMeta(name, value);
  }
  for (const [name, value] of open.statements.allMeta()) meta.set(name, value);

  function prepare(connection: Connection): Open {
    return { connection, statements: prepareHubStatements(connection) };
  }

  function current(): Open {
    if (closed) throw new Error('it is closed');
    open ??= prepare(openDatabase(database).connection);
    return open;
  }

  function replace(damage: unknown): void {
    open?.connection.close();
    open = undefined;
    const { connection, recovered } = replaceDatabase(database, damage);
    log.error('the database was damaged and has been replaced', {
      path: recovered.movedTo,
      reason: recovered.reason,
    });
    open = prepare(connection);
    for (const [name, value] of meta) open.statements.setMeta(name, value);
    options.onRecovered?.(recovered);
  }

  /** Runs a call; on damage once more on the database that took the place of the damaged one. */
  function sound<T>(run: (open: Open) => T): T {
    try {
      return run(current());
    } catch (error) {
      if (!isDamage(error)) throw error;
      replace(error);
      return run(current());
    }
  }

  function read<T>(run: (statements: HubStatements) => T): T {
    try {
      return sound(({ statements }) => run(statements));
    } catch (error) {
      throw unusable(path, error);
    }
  }

  function parse<T>(bodies: readonly string[]): T[] {
    const records: T[] = [];
    for (const body of bodies) {
      try {
        records.push(JSON.parse(body) as T);
      } catch {
        log.error('a record in the database is no JSON and was left out', { path });
      }
    }
    return records;
  }

  return {
    recovered: first.recovered,
    commit(batch) {
      if (isEmpty(batch)) return;
      try {
        checkpoints.written(sound(({ statements }) => statements.commit(batch)));
      } catch (error) {
        throw new SignalboxError('not_committed', { reason: reasonOf(error) }, { cause: error });
      }
    },
    isKnown: (provider, id) => read((statements) => statements.isKnown(provider, id)),
    sessions: () => parse<Session>(read((statements) => statements.sessionBodies())),
    providers: <P extends StoredProvider>() => parse<P>(read((statements) => statements.providerBodies())),
    pauses: () => parse<Pause>(read((statements) => statements.pauseBodies())),
    eventsOf: (provider, key, sinceMoment, most = 10_000) =>
      read((statements) => statements.eventsOf(provider, key, sinceMoment, most)),
    lastEvents: () => read((statements) => statements.lastEvents()),
    refusals: () => read((statements) => statements.refusals()),
    spansSince: (state, since) => read((statements) => statements.spansSince(state, since)),
    historySince: () => read((statements) => statements.historySince()),
    meta: (name) => meta.get(name),
    setMeta(name, value) {
      read((statements) => statements.setMeta(name, value));
      meta.set(name, value);
    },
    prune: (before, most) => read((statements) => statements.prune(before, most)),
    checkpoint: () => checkpoints.request(),
    size: () => [path, `${path}-wal`].reduce((sum, file) => sum + sizeOf(file), 0),
    async close() {
      closed = true;
      await checkpoints.stop();
      open?.connection.close();
      open = undefined;
    },
  };
}

function isEmpty({ events = [], refusals = [], spans = [], sessions, providers, pauses }: Batch): boolean {
  const changes = [sessions, providers, pauses].reduce((sum, changed) => sum + (changed?.size ?? 0), 0);
  return events.length + refusals.length + spans.length + changes === 0;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
