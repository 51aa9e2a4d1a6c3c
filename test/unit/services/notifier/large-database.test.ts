import { closeSync, openSync, readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, vi } from 'vitest';
import { Driver } from './desk-driver.ts';

vi.setConfig({ testTimeout: 120_000 });

const MIB = 1024 * 1024;

it.each(['told', 'outbox', 'seen'])(
  'a database too large to be checked as a whole is checked where a start reads it: %s',
  async (table) => {
    const before = new Driver();
    await before.waits('shop');
    before.records.close();
    const path = join(before.home, 'notifier.db');
    const database = new Database(path);
    const { rootpage } = database
      .prepare<[string], { rootpage: number }>('SELECT rootpage FROM sqlite_schema WHERE name = ?')
      .get(table) ?? { rootpage: 0 };
    const body = JSON.stringify({ at: 1, text: 'x'.repeat(MIB) });
    for (let count = 0; count < 65; count += 1)
      database.prepare("INSERT INTO ledger (at, session, body) VALUES (1, 'codex x', ?)").run(body);
    database.close();
    // The page's list of free blocks leads nowhere: a read would not see it, and a write would run into it.
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.from([0x0f, 0x00]), 0, 2, (rootpage - 1) * 4096 + 1);
    closeSync(file);
    const driver = new Driver({ home: before.home });
    expect(driver.records.fresh).toBe(true);
    expect(readdirSync(before.home).filter((name) => name.includes('.damaged-'))).toHaveLength(1);
  },
);
