import { lstat, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isCanonicalEvent } from '../../protocol/event-fields.ts';
import type { CanonicalEvent } from '../../protocol/events.ts';
import { isSpooled } from '../../runtime/spool.ts';

/** No canonical event comes near it [bytes]. */
const LONGEST = 256 * 1024;
const BAD = '.bad';
/** Damaged files that are kept for whoever wants to look. */
const KEPT = 20;

/** The events that wait, oldest first. @throws the file system's own error; a folder that isn't there is empty */
export async function listSpool(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter(isSpooled).sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** What a file holds. `gone`: a sender has dropped it meanwhile. @throws the file system's own error */
export async function readSpooled(
  folder: string,
  name: string,
): Promise<CanonicalEvent | 'gone' | 'damaged'> {
  const path = join(folder, name);
  try {
    const found = await lstat(path);
    // Reading a pipe would never end, and a link may lead anywhere.
    if (!found.isFile() || found.size > LONGEST) return 'damaged';
    return parse(await readFile(path, 'utf8'));
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
export async function removeSpooled(folder: string, name: string): Promise<void> {
  await rm(join(folder, name), { force: true });
}

/** Keeps a damaged file under another name, the newest few of them. False when that can't be done. */
export async function setAside(folder: string, name: string): Promise<boolean> {
  try {
    await rename(join(folder, name), join(folder, `${name}${BAD}`));
    const bad = (await readdir(folder)).filter((entry) => entry.endsWith(BAD)).sort();
    for (const old of bad.slice(0, -KEPT)) await rm(join(folder, old), { force: true, recursive: true });
    return true;
  } catch {
    return false;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
