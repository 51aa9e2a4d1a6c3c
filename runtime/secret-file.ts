import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { SignalboxError } from '../protocol/errors.ts';
import { ensureFolder, folderReason } from './paths.ts';

/**
 * Makes a file with a secret (mode 0600) where there is none: written in full beside its place and then linked there, so that nobody ever reads half of it and all processes
 * get the same one. Where somebody else was first, theirs stays.
 * @throws SignalboxError `folder_unusable`
 */
export function makeSecretFile(path: string, secret: Uint8Array): void {
  ensureFolder(dirname(path));
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    writeDurably(draft, secret);
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      const params = { path: dirname(path), reason: folderReason(error) };
      throw new SignalboxError('folder_unusable', params, { cause: error });
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeDurably(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, bytes);
    // Else a power cut after the link could leave the name with no content.
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
