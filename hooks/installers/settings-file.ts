import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { SignalboxError } from '../../protocol/errors.ts';

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
 * @throws SignalboxError `settings_unusable`
 */
export function writeSettings(path: string, text: string): void {
  let draft = '';
  try {
    mkdirSync(dirname(path), { recursive: true });
    const target = targetOf(path);
    const mode = modeOf(target);
    draft = `${target}.${process.pid}.${randomBytes(4).toString('hex')}`;
    const file = openSync(draft, 'wx', mode);
    try {
      writeSync(file, text);
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

/** @throws SignalboxError `settings_unusable` */
export function removeSettings(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    throw unusable(path, error);
  }
}

function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function modeOf(path: string): number {
  return (statSync(path, { throwIfNoEntry: false })?.mode ?? PRIVATE_FILE) & 0o777;
}

function unusable(path: string, error: unknown): SignalboxError {
  const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
  return new SignalboxError('settings_unusable', { path, reason }, { cause: error });
}
