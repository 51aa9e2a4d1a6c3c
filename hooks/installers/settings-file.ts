import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { SignalboxError } from '../../protocol/errors.ts';
import { folderReason } from '../../runtime/paths.ts';

const PRIVATE_FILE = 0o600;

/** The text of somebody else's file; undefined where there is none. @throws SignalboxError `settings_unreadable`, `settings_unusable` */
export function readSettings(path: string): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(path, error);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SignalboxError('settings_unreadable', { path, line: 1, column: 1, reason: 'it is not UTF-8' });
  }
}

/**
 * Puts a text in the place of a file, whole or not at all, with the mode that the file has; through a link, as dotfiles often are one.
 * @param wanted another mode than the file has, e.g. for what holds a secret from now on
 * @throws SignalboxError `settings_unusable`
 */
export function writeSettings(path: string, text: string, wanted?: number): void {
  let draft = '';
  try {
    makeFolder(path);
    const target = targetOf(path);
    const mode = wanted ?? modeOf(target);
    draft = `${target}.${process.pid}.${randomBytes(4).toString('hex')}`;
    const file = openSync(draft, 'wx', mode);
    try {
      // One write may take a part only, on a disk that is nearly full.
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    // What the process's umask has taken away.
    chmodSync(draft, mode);
    renameSync(draft, target);
  } catch (error) {
    if (draft !== '') rmSync(draft, { force: true });
    throw unusable(path, error);
  }
}

/** Makes the folder of a file. @returns the outermost one that was not there; undefined when all were @throws SignalboxError `settings_unusable` */
export function makeFolder(path: string): string | undefined {
  try {
    return mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw unusable(path, error);
  }
}

/**
 * Takes a file away; a link to it stays.
 * @param made a folder around it that was made for it: with the file go, as far as they are empty, the folders up to that one
 * @throws SignalboxError `settings_unusable`
 */
export function removeSettings(path: string, made?: string): void {
  try {
    rmSync(targetOf(path), { force: true });
  } catch (error) {
    throw unusable(path, error);
  }
  if (made !== undefined) removeEmpty(dirname(path), dirname(made));
}

/** Removes a folder and those around it, as far as they are empty. @param within stays, as does whatever is not below it */
export function removeEmpty(folder: string, within: string): void {
  for (let at = folder; at.startsWith(within + sep); at = dirname(at)) {
    try {
      // Never through a link, and only what is empty.
      rmdirSync(at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return;
    }
  }
}

/** Where a path leads; a link whose file is not there yet leads somewhere too. */
function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const link = readLink(path);
    return link === undefined ? path : resolve(dirname(path), link);
  }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function modeOf(path: string): number {
  return (statSync(path, { throwIfNoEntry: false })?.mode ?? PRIVATE_FILE) & 0o777;
}

function unusable(path: string, error: unknown): SignalboxError {
  const reason = folderReason(error);
  return new SignalboxError('settings_unusable', { path, reason }, { cause: error });
}
