import { closeSync, ftruncateSync, lstatSync, openSync, rmSync, writeSync } from 'node:fs';
import { SignalboxError } from '../../protocol/errors.ts';
import type { RecordedLine } from '../../protocol/sources/recording.ts';
import { folderReason } from '../../runtime/paths.ts';

/** A recording that is being written, for this user alone (0600). */
export interface RecordingFile {
  /** Writes whole lines. @throws SignalboxError `recording_unwritable`: those before stay, and end with a whole line */
  write(lines: readonly RecordedLine[]): void;
  close(): void;
}

/**
 * Makes the file of a recording.
 * @param replace what is there; only a file or a link is replaced, and of a link the link itself
 * @throws SignalboxError `recording_exists`, `recording_unwritable`
 */
export function openRecording(path: string, replace: boolean): RecordingFile {
  const fd = makeFile(path, replace);
  let length = 0;
  return {
    write(lines) {
      for (const line of lines) {
        const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
        try {
          for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
        } catch (error) {
          // Half a line is of no use, and a disk that is full gives it back.
          ftruncateSync(fd, length);
          throw unwritable(path, error);
        }
        length += bytes.length;
      }
    },
    close: () => closeSync(fd),
  };
}

function makeFile(path: string, replace: boolean): number {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined && replace) {
      if (!found.isFile() && !found.isSymbolicLink())
        throw new SignalboxError('recording_unwritable', { path, reason: 'it is no file' });
      rmSync(path);
    }
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    if (error instanceof SignalboxError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new SignalboxError('recording_exists', { path }, { cause: error });
    throw unwritable(path, error);
  }
}

function unwritable(path: string, error: unknown): SignalboxError {
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  const reason = isMissing ? 'its folder is not there' : folderReason(error);
  return new SignalboxError('recording_unwritable', { path, reason }, { cause: error });
}
