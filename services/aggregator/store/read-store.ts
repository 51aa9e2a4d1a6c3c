import { constants, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import type { Connection } from '../../../runtime/database/database-store.ts';

/** A database that is only looked at. */
export interface ReadOnly {
  readonly connection: Connection;
  close(): void;
}

/**
 * Opens a database to read it and leaves its folder as it is. One that a hub has open is read beside it, by way of the write-ahead log that is there. Any other is read from a copy that
 * is removed again: SQLite would make a write-ahead log beside the original, as whoever runs this, and could not where the folder is read-only.
 * @param inUse a running hub has it open
 * Throws SQLite's or the platform's error.
 */
export function openToRead(path: string, inUse: boolean): ReadOnly {
  if (inUse && existsSync(`${path}-shm`)) {
    const connection = new Database(path, { readonly: true, fileMustExist: true });
    return { connection, close: () => void connection.close() };
  }
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, basename(path));
    for (const part of ['', '-wal']) {
      // Where the file system can, it shares the blocks of the two.
      if (part === '' || existsSync(path + part))
        copyFileSync(path + part, copy + part, constants.COPYFILE_FICLONE);
    }
    const connection = new Database(copy, { fileMustExist: true });
    return {
      connection,
      close() {
        connection.close();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
