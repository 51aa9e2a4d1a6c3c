import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { SignalboxError } from '../protocol/errors.ts';
import { hubAlive, readHubFile } from './hub-file.ts';
import { ensureFolder, type Paths } from './paths.ts';

/** What a date can hold (ECMA-262, "Time Range") [ms]. */
const LATEST = 8.64e15;

/** The right to be the hub of a data folder. */
export interface HubLock {
  /** Gives it back; a process that ends, however it ends, gives it back too. */
  release(): void;
}

/**
 * Takes the data folder for this process. The lock is SQLite's write lock on an empty database, so the operating system holds it: it is taken in one
 * step, ends with the process even after `kill -9`, and holds between containers that share the folder, where process ids say nothing.
 * @throws SignalboxError `hub_running`, `folder_unusable`
 */
export async function lockHub({
  data,
  hubLock,
  hubFile,
}: Pick<Paths, 'data' | 'hubLock' | 'hubFile'>): Promise<HubLock> {
  ensureFolder(data);
  let database: Database.Database | undefined;
  try {
    database = new Database(hubLock, { timeout: 0 });
    if (process.platform !== 'win32') chmodSync(hubLock, 0o600);
    // A journal left by kill -9 would have to be rolled back by the next one, alone: two that start at once could then both give up.
    database.pragma('journal_mode = MEMORY');
    // Not EXCLUSIVE: its two steps let two that start at once stop each other.
    database.exec('BEGIN IMMEDIATE');
  } catch (error) {
    database?.close();
    const code = (error as { code?: string }).code ?? 'unknown';
    if (!code.startsWith('SQLITE_BUSY')) {
      throw new SignalboxError('folder_unusable', { path: dirname(hubLock), reason: code }, { cause: error });
    }
    throw new SignalboxError('hub_running', { ...(await holder(hubFile)), folder: data });
  }
  const held = database;
  return { release: () => void held.close() };
}

/** The file is written after the lock is taken, so for a moment it may still be a dead predecessor's. */
async function holder(hubFile: string): Promise<{ pid: number | string; details: string }> {
  const file = readHubFile(hubFile);
  if (file === undefined || (await hubAlive(file)) === 'gone') return { pid: 'still starting', details: '' };
  const { pid, started_at, mqtt_port, http_port } = file;
  // Read from a file that others may have written: a moment that no calendar has is left out.
  const since = Math.abs(started_at) > LATEST ? '' : `, since ${new Date(started_at).toLocaleString('sv')}`;
  return { pid, details: `${since}, MQTT port ${mqtt_port}, HTTP port ${http_port}` };
}
