import { lstatSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isCanonicalEvent } from '../../protocol/event-fields.ts';
import type { CanonicalEvent } from '../../protocol/events.ts';
import { isSpooled } from '../../runtime/spool.ts';

// At once, not by Node's threads: for small files a turn of the loop costs several times the work itself.

/** No canonical event comes near it [bytes]. */
const LONGEST = 256 * 1024;
/** Behind the name of a file that was no event. */
export const BAD = '.bad';
/** Damaged files that are kept for whoever wants to look. */
const KEPT = 20;

/** The events that wait, oldest first. @throws the file system's own error; a folder that isn't there is empty */
export function listSpool(folder: string): string[] {
  try {
    return readdirSync(folder).filter(isSpooled).sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** What a file holds. `gone`: a sender has dropped it meanwhile. @throws the file system's own error */
export function readSpooled(folder: string, name: string): CanonicalEvent | 'gone' | 'damaged' {
  const path = join(folder, name);
  try {
    const found = lstatSync(path);
    // Reading a pipe would never end, and a link may lead anywhere.
    if (!found.isFile() || found.size > LONGEST) return 'damaged';
    return parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (code === 'ENOENT') return 'gone';
    // It must not hold up all that come after it.
    if (code === 'EACCES' || code === 'EPERM') return 'damaged';
    throw error;
  }
}

function parse(text: string): CanonicalEvent | 'damaged' {
  try {
    const value: unknown = JSON.parse(text);
    return isCanonicalEvent(value) ? value : 'damaged';
  } catch {
    return 'damaged';
  }
}

/** @throws the file system's own error; one that is gone already is fine */
export function removeSpooled(folder: string, name: string): void {
  rmSync(join(folder, name), { force: true });
}

/** Keeps a damaged file under another name, the newest few of them. One that can't be renamed stays where it is. */
export function setAside(folder: string, name: string): void {
  try {
    renameSync(join(folder, name), join(folder, `${name}${BAD}`));
    const bad = readdirSync(folder)
      .filter((entry) => entry.endsWith(BAD))
      .sort();
    for (const old of bad.slice(0, -KEPT)) rmSync(join(folder, old), { force: true, recursive: true });
  } catch {
    // Told by whoever tries to remove it next.
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
