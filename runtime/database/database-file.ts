import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** What SQLite keeps beside a database in WAL mode. */
const COMPANIONS = ['', '-wal', '-shm'] as const;
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/**
 * Makes the file of a database and its folder when they are missing, and closes them to other users. SQLite gives its companions the file's own mode, so it has to be right
 * before SQLite makes them. Throws the platform's error.
 */
export function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  closeSync(openSync(path, 'a', PRIVATE_FILE));
  for (const companion of COMPANIONS) {
    if (existsSync(path + companion)) chmodSync(path + companion, PRIVATE_FILE);
  }
}

/** Makes an empty private file for a backup, in place of what an interrupted one left there. */
export function makeEmpty(path: string): void {
  rmSync(path, { force: true });
  closeSync(openSync(path, 'wx', PRIVATE_FILE));
}

/** A time as part of a file name, e.g. `2026-11-30T10-00-00` (UTC). @param now unix ms */
export function fileTime(now: number): string {
  return new Date(now).toISOString().slice(0, 19).replaceAll(':', '-');
}

/**
 * Moves a damaged database out of the way, with its companions: whoever wants to rescue something needs all of them.
 * @param now unix ms
 * @returns where it is: `<path>.damaged-<time>`
 */
export function setAside(path: string, now: number): string {
  const wanted = `${path}.damaged-${fileTime(now)}`;
  let target = wanted;
  for (let copy = 2; existsSync(target); copy += 1) target = `${wanted}.${copy}`;
  for (const companion of COMPANIONS) {
    if (existsSync(path + companion)) renameSync(path + companion, target + companion);
  }
  return target;
}
