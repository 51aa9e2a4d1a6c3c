import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { SignalboxError } from '../../protocol/errors.ts';
import type { Log } from '../log.ts';
import { makeEmpty, makePrivate, setAside } from './database-file.ts';

export type Connection = Database.Database;

/** One step of a schema. Steps are only ever added: a database remembers the number of its last one (`user_version`). */
export interface Migration {
  /** 1, 2, 3, ... */
  readonly number: number;
  readonly sql: string;
}

export interface DatabaseOptions {
  readonly path: string;
  /** `normal` survives any crash of a process, `full` a power cut too (spec: bus, "Durability" 5). */
  readonly synchronous: 'normal' | 'full';
  readonly migrations: readonly Migration[];
  readonly log: Log;
  /** Unix ms: names a damaged file. */
  readonly now: () => number;
  /** Tables that the start reads: they are checked even where the file is too large to be checked as a whole. */
  readonly checked?: readonly string[];
  /** How long a lock of another process is waited for [ms]; the whole hub waits with it. */
  readonly busyTimeoutMs?: number;
}

/** A damaged database was moved aside and an empty one is in its place. */
export interface Recovered {
  /** SQLite's code and text. */
  readonly reason: string;
  readonly movedTo: string;
}

export interface OpenedDatabase {
  readonly connection: Connection;
  readonly recovered: Recovered | undefined;
}
export interface ReplacedDatabase extends OpenedDatabase {
  readonly recovered: Recovered;
}

const BUSY_TIMEOUT_MS = 2000;
/**
 * The commits' own checkpoint, for when the write-ahead log never comes to rest: then SQLite can't begin it anew, whatever the thread has copied back [pages of 4 KiB]. At
 * 1,000, SQLite's default, it stood in the way of one commit in fifty under load (20 to 40 ms); here of one in a few hundred.
 */
const CHECKPOINT_PAGES = 16_000;
/** Pages kept in memory [KiB]; the driver's default is twice that, and the system caches the file too. */
const CACHE_KIB = 8000;
/** Up to this size the whole file is checked at start [bytes]; above, the tables that the start reads (0.1 s for 64 MiB). */
const CHECK_WHOLE_BELOW = 64 * 1024 * 1024;
/** Of a database that names none: the broker's. */
const ALWAYS_CHECKED = ['session', 'provider', 'pause', 'meta'] as const;

/** The damage that SQLite reports in its own words. */
class DamagedDatabase extends Error {}

/** True for an error that means: this file is no sound database. */
export function isDamage(error: unknown): boolean {
  if (error instanceof DamagedDatabase) return true;
  return error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
}

/** What went wrong, in a few words: SQLite's or the platform's code and text. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && !error.message.includes(code)
    ? `${error.message} (${code})`
    : error.message;
}

/**
 * Opens a database and brings it to the newest schema, with a copy `<path>.before-<number>` before each step of an existing one. A damaged file is moved aside and an empty one takes
 * its place.
 * @throws SignalboxError `database_newer` for the file of a newer version, `database_unusable` for anything else
 */
export function openDatabase(options: DatabaseOptions): OpenedDatabase {
  try {
    return { connection: openSound(options), recovered: undefined };
  } catch (error) {
    if (!isDamage(error)) throw unusable(options.path, error);
    return replaceDatabase(options, error);
  }
}

/** Moves a damaged database aside and opens an empty one. The old connection must be closed. @throws SignalboxError `database_unusable` */
export function replaceDatabase(options: DatabaseOptions, damage: unknown): ReplacedDatabase {
  const { path, now } = options;
  try {
    const movedTo = setAside(path, now());
    return { connection: openSound(options), recovered: { reason: reasonOf(damage), movedTo } };
  } catch (error) {
    throw unusable(path, error);
  }
}

/** The one error for a database that can't be used; one of the catalogue passes as it is. */
export function unusable(path: string, error: unknown): SignalboxError {
  if (error instanceof SignalboxError) return error;
  return new SignalboxError('database_unusable', { path, reason: reasonOf(error) }, { cause: error });
}

function openSound(options: DatabaseOptions): Connection {
  makePrivate(options.path);
  const connection = new Database(options.path, { timeout: options.busyTimeoutMs ?? BUSY_TIMEOUT_MS });
  try {
    connection.pragma('journal_mode = WAL');
    connection.pragma(`synchronous = ${options.synchronous === 'full' ? 'FULL' : 'NORMAL'}`);
    connection.pragma('foreign_keys = ON');
    connection.pragma('trusted_schema = OFF');
    connection.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    connection.pragma(`cache_size = -${CACHE_KIB}`);
    refuseNewer(connection, options);
    check(connection, options);
    migrate(connection, options);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** The number of the last step that a database has gone through. */
export function schemaOf(connection: Connection): number {
  return connection.pragma('user_version', { simple: true }) as number;
}

function refuseNewer(connection: Connection, { path, migrations }: DatabaseOptions): void {
  const found = schemaOf(connection);
  const known = migrations.at(-1)?.number ?? 0;
  if (found > known) throw new SignalboxError('database_newer', { path, found, known });
}

function check(connection: Connection, { path, checked }: DatabaseOptions): void {
  const damage = damageOf(connection, path, checked);
  if (damage !== undefined) throw new DamagedDatabase(damage);
}

/** What SQLite finds wrong with an open database, the first of it; nothing for a sound one. Throws SQLite's error where it can't even look. */
export function damageOf(
  connection: Connection,
  path: string,
  checked: readonly string[] = ALWAYS_CHECKED,
): string | undefined {
  const whole = statSync(path).size <= CHECK_WHOLE_BELOW;
  const tables = connection
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .pluck()
    .all();
  const parts = whole
    ? ['']
    : checked.filter((table) => tables.includes(table)).map((table) => `('${table}')`);
  for (const part of parts) {
    const first = (connection.pragma(`quick_check${part}`) as { quick_check: string }[])[0]?.quick_check;
    if (first !== 'ok') return `quick_check: ${String(first).slice(0, 200)}`;
  }
  return undefined;
}

function migrate(connection: Connection, { path, migrations, log }: DatabaseOptions): void {
  const found = schemaOf(connection);
  for (const { number, sql } of migrations.filter((migration) => migration.number > found)) {
    if (found > 0) backUp(connection, `${path}.before-${number}`);
    connection.transaction(() => {
      connection.exec(sql);
      connection.pragma(`user_version = ${number}`);
    })();
    // A database that has just been made has nothing that could have changed.
    if (found > 0) log.info('the database has a new schema', { path, version: number });
  }
}

function backUp(connection: Connection, target: string): void {
  makeEmpty(target);
  connection.prepare<[string]>('VACUUM INTO ?').run(target);
}
