import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach } from 'vitest';
import { createLog } from '../../../../../runtime/log.ts';
import type { Store, StoreOptions } from '../../../../../services/aggregator/store/hub-store.ts';
import { openStore } from '../../../../../services/aggregator/store/hub-store.ts';
import { START } from './rows-of.ts';

/** A database for each test of a file, closed and taken away afterwards. */
export interface Scratch {
  /** Of the database; neither it nor its folder is there yet. */
  path: string;
  /** What the store has logged. */
  lines: string[];
  open(options?: Partial<StoreOptions>): Store;
  reopened(store: Store): Promise<Store>;
}

/** Call it at the top of a test file. */
export function useScratch(): Scratch {
  const opened: Store[] = [];
  let folder = '';
  const scratch: Scratch = {
    path: '',
    lines: [],
    open(options = {}) {
      const stream = { write: (line: string) => scratch.lines.push(line) };
      const log = createLog({ level: 'debug', format: 'json', stream });
      const store = openStore({
        path: scratch.path,
        synchronous: 'normal',
        log,
        now: () => START,
        ...options,
      });
      opened.push(store);
      return store;
    },
    async reopened(store) {
      await store.close();
      return scratch.open();
    },
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'signalbox-store-'));
    scratch.path = join(folder, 'data', 'hub.db');
    scratch.lines = [];
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
    rmSync(folder, { recursive: true });
  });
  return scratch;
}

/** Looks at the file itself, as another program would. */
export function outside<T>(path: string, look: (database: Database.Database) => T): T {
  const database = new Database(path);
  try {
    return look(database);
  } finally {
    database.close();
  }
}
