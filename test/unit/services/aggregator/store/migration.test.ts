import { existsSync, statSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../../../../runtime/log.ts';
import { openDatabase } from '../../../../../runtime/database/database-store.ts';
import type { Migration } from '../../../../../runtime/database/database-store.ts';
import { MIGRATIONS } from '../../../../../services/aggregator/store/migrations.ts';
import { scratchFolder } from './rows-of.ts';

const FIRST: Migration = { number: 1, sql: "CREATE TABLE a (x TEXT) STRICT; INSERT INTO a VALUES ('kept')" };
const SECOND: Migration = { number: 2, sql: 'ALTER TABLE a ADD COLUMN y TEXT' };
const THIRD: Migration = { number: 3, sql: 'CREATE TABLE b (z TEXT) STRICT' };
const BROKEN: Migration = { number: 3, sql: 'CREATE TABLE b (z TEXT) STRICT; CREATE TABLE a (x TEXT)' };

let scratch: ReturnType<typeof scratchFolder>;
beforeEach(() => {
  scratch = scratchFolder();
});
afterEach(() => scratch.remove());

/** Opens with these steps, looks, and closes. */
function withSteps<T>(
  migrations: readonly Migration[],
  use: (connection: Database.Database) => T,
  synchronous: 'normal' | 'full' = 'normal',
): T {
  const log = createLog({ level: 'silent', format: 'json', stream: { write: () => undefined } });
  const { connection } = openDatabase({ path: scratch.path, synchronous, migrations, log, now: () => 0 });
  try {
    return use(connection);
  } finally {
    connection.close();
  }
}

function look(connection: Database.Database): { version: unknown; tables: unknown[]; rows: unknown[] } {
  return {
    version: connection.pragma('user_version', { simple: true }),
    tables: connection
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .pluck()
      .all(),
    rows: connection.prepare('SELECT * FROM a').all(),
  };
}

function copy(number: number): ReturnType<typeof look> {
  const database = new Database(`${scratch.path}.before-${number}`, { readonly: true });
  try {
    return look(database);
  } finally {
    database.close();
  }
}

describe('the schema', () => {
  it('is numbered without a gap', () => {
    expect(MIGRATIONS.map(({ number }) => number)).toEqual(MIGRATIONS.map((_, index) => index + 1));
  });

  it('is made in one go without copies', () => {
    expect(withSteps([FIRST, SECOND, THIRD], look)).toEqual({
      version: 3,
      tables: ['a', 'b'],
      rows: [{ x: 'kept', y: null }],
    });
    expect(existsSync(`${scratch.path}.before-2`)).toBe(false);
  });

  it('is brought forward step by step, with a private copy before each', () => {
    withSteps([FIRST], look);
    // Left there by an attempt that was cut short.
    writeFileSync(`${scratch.path}.before-2`, 'half a copy');
    expect(withSteps([FIRST, SECOND, THIRD], look).version).toBe(3);
    expect(copy(2)).toEqual({ version: 1, tables: ['a'], rows: [{ x: 'kept' }] });
    expect(copy(3)).toEqual({ version: 2, tables: ['a'], rows: [{ x: 'kept', y: null }] });
    for (const number of [2, 3])
      expect(statSync(`${scratch.path}.before-${number}`).mode & 0o777).toBe(0o600);
  });

  it('is left as it was by a step that fails', () => {
    withSteps([FIRST, SECOND], look);
    expect(() => withSteps([FIRST, SECOND, BROKEN], look)).toThrow(
      expect.objectContaining({ code: 'database_unusable' }),
    );
    expect(withSteps([FIRST, SECOND], look)).toEqual({
      version: 2,
      tables: ['a'],
      rows: [{ x: 'kept', y: null }],
    });
    expect(withSteps([FIRST, SECOND, THIRD], look).version).toBe(3);
  });

  it.each([
    ['normal', 1],
    ['full', 2],
  ] as const)('synchronous = %s', (synchronous, level) => {
    expect(
      withSteps([FIRST], (connection) => connection.pragma('synchronous', { simple: true }), synchronous),
    ).toBe(level);
  });
});
