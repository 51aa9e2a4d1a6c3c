import {
  type Connection,
  type DatabaseOptions,
  isDamage,
  type Migration,
  openDatabase,
  replaceDatabase,
} from '../../runtime/database/database-store.ts';
import type { Case } from './case.ts';
import type { Entry } from './ledger.ts';
import type { Item } from './outbox.ts';
import { isCase, isEntry, isItem, parseRecord } from './record-shapes.ts';

/**
 * What the notifier has to know after a restart: what it has told, what it still has to tell, and why. `seen` holds the requests that were told of: the dedupe key of the
 * contract (spec: consumers, section 2).
 */
const MIGRATIONS: readonly Migration[] = [
  {
    number: 1,
    sql: `
      CREATE TABLE told (session TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE outbox (place TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE seen (session TEXT NOT NULL, attention TEXT NOT NULL, at INTEGER NOT NULL,
        PRIMARY KEY (session, attention)) WITHOUT ROWID;
      CREATE TABLE ledger (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, session TEXT NOT NULL, body TEXT NOT NULL);
      CREATE INDEX ledger_session ON ledger (session, seq);
      CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    `,
  },
];

/** The tables that a start reads. */
const READ_AT_START = ['told', 'outbox', 'seen', 'meta'] as const;

/** What is written together, or not at all. `undefined`: taken away. */
export interface Batch {
  readonly cases: ReadonlyMap<string, Case | undefined>;
  readonly items: ReadonlyMap<string, Item | undefined>;
  readonly seen: readonly { readonly session: string; readonly attention: string; readonly at: number }[];
  readonly entries: readonly Entry[];
  readonly meta: ReadonlyMap<string, string>;
}

/** What a former run has left. */
export interface Remembered {
  /** Nothing at all: the file was made just now. */
  readonly fresh: boolean;
  readonly cases: readonly Case[];
  readonly items: readonly Item[];
  /** `session attention` of each, and when [unix ms]. */
  readonly seen: readonly (readonly [string, number])[];
  readonly meta: ReadonlyMap<string, string>;
}

export interface NotifierStore {
  /** A record that can't be read is left out. Throws SQLite's error. */
  read(): Remembered;
  /** @param batch asked for again when an empty database has taken the place of a damaged one. Throws SQLite's error. */
  write(batch: () => Batch): void;
  /** Newest last. */
  entriesOf(session: string, most: number): Entry[];
  prune(before: number): void;
  close(): void;
}

export type StoreOptions = Omit<DatabaseOptions, 'migrations'>;

/**
 * Opens the notifier's database; a damaged one is moved aside and an empty one takes its place, also while it is in use.
 * @param onReplaced it was, while in use: everything has to be written again
 * @throws SignalboxError `database_newer`, `database_unusable`
 */
export function openNotifierStore(options: StoreOptions, onReplaced: () => void): NotifierStore {
  const database: DatabaseOptions = { ...options, migrations: MIGRATIONS, checked: READ_AT_START };
  const { connection, recovered } = openDatabase(database);
  if (recovered !== undefined)
    options.log.error('the notifier’s database was damaged and has been replaced', {
      path: recovered.movedTo,
      reason: recovered.reason,
    });
  let open = prepare(connection);
  let fresh = open.isEmpty();
  open.setMeta('began', String(options.now()));

  /** On damage an empty database takes its place, and the caller writes all it knows. */
  function sound<T>(run: (statements: Statements) => T): T {
    try {
      return run(open);
    } catch (error) {
      if (!isDamage(error)) throw error;
      open.close();
      const replaced = replaceDatabase(database, error);
      options.log.error('the notifier’s database was damaged and has been replaced', {
        path: replaced.recovered.movedTo,
        reason: replaced.recovered.reason,
      });
      open = prepare(replaced.connection);
      fresh = true;
      open.setMeta('began', String(options.now()));
      onReplaced();
      return run(open);
    }
  }

  return {
    read: () => {
      const { cases, items, seen, meta } = sound((statements) => statements.read());
      const rest = { seen, meta: new Map(meta) };
      return { fresh, cases: parsed(cases, isCase), items: parsed(items, isItem), ...rest };
    },
    write: (batch) => sound((statements) => statements.write(batch())),
    entriesOf: (session, most) =>
      parsed(
        sound((statements) => statements.entriesOf(session, most)),
        isEntry,
      ).toReversed(),
    prune: (before) => sound((statements) => statements.prune(before)),
    close: () => open.close(),
  };
}

type Statements = ReturnType<typeof prepare>;

function prepare(connection: Connection) {
  const put = {
    told: connection.prepare<[string, string]>('INSERT OR REPLACE INTO told VALUES (?, ?)'),
    outbox: connection.prepare<[string, string]>('INSERT OR REPLACE INTO outbox VALUES (?, ?)'),
    seen: connection.prepare<[string, string, number]>('INSERT OR IGNORE INTO seen VALUES (?, ?, ?)'),
    ledger: connection.prepare<[number, string, string]>(
      'INSERT INTO ledger (at, session, body) VALUES (?, ?, ?)',
    ),
    meta: connection.prepare<[string, string]>('INSERT OR REPLACE INTO meta VALUES (?, ?)'),
  };
  const take = {
    told: connection.prepare<[string]>('DELETE FROM told WHERE session = ?'),
    outbox: connection.prepare<[string]>('DELETE FROM outbox WHERE place = ?'),
  };
  const entries = connection
    .prepare<[string, number], string>('SELECT body FROM ledger WHERE session = ? ORDER BY seq DESC LIMIT ?')
    .pluck();
  const pruned = [
    connection.prepare<[number]>('DELETE FROM ledger WHERE at < ?'),
    connection.prepare<[number]>('DELETE FROM seen WHERE at < ?'),
  ];
  const all = (sql: string): string[] => connection.prepare<[], string>(sql).pluck().all();
  return {
    isEmpty: () => all("SELECT value FROM meta WHERE name = 'began'").length === 0,
    setMeta: (name: string, value: string) => void put.meta.run(name, value),
    read: () => ({
      cases: all('SELECT body FROM told'),
      items: all('SELECT body FROM outbox'),
      seen: connection
        .prepare<[], [string, number]>("SELECT session || ' ' || attention, at FROM seen")
        .raw()
        .all(),
      meta: connection.prepare<[], [string, string]>('SELECT name, value FROM meta').raw().all(),
    }),
    write: connection.transaction(({ cases, items, seen, entries: notes, meta }: Batch) => {
      for (const [session, body] of cases)
        if (body === undefined) take.told.run(session);
        else put.told.run(session, JSON.stringify(body));
      for (const [place, body] of items)
        if (body === undefined) take.outbox.run(place);
        else put.outbox.run(place, JSON.stringify(body));
      for (const { session, attention, at } of seen) put.seen.run(session, attention, at);
      for (const note of notes) put.ledger.run(note.at, `${note.provider} ${note.key}`, JSON.stringify(note));
      for (const [name, value] of meta) put.meta.run(name, value);
    }),
    entriesOf: (session: string, most: number) => entries.all(session, most),
    prune: (before: number) => {
      for (const statement of pruned) statement.run(before);
    },
    close: () => void connection.close(),
  };
}

/** A record that is no JSON, or not of its kind, is lost, and no reason to stop. */
function parsed<T>(bodies: readonly string[], isKind: (body: unknown) => body is T): T[] {
  return bodies.flatMap((text) => {
    const body = parseRecord(text);
    return isKind(body) ? [body] : [];
  });
}
