import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Why a file can't be read: it is not there, it is a link, a device or too large, or the system refuses it. */
export type Unreadable = 'missing' | 'unfit' | 'refused';

/**
 * Reads a small file of another program's: never through a link, never a pipe or a device that would wait, never more than `most` bytes.
 * @returns its text, or why there is none
 */
export function readOwnFile(path: string, most: number): { readonly text: string } | Unreadable {
  let file: number;
  try {
    // Without O_NONBLOCK a named pipe would stop the whole process until somebody writes to it.
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing';
    return code === 'ELOOP' || code === 'ENXIO' ? 'unfit' : 'refused';
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > most) return 'unfit';
    const buffer = Buffer.alloc(most + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length <= most; length += read)
      read = readSync(file, buffer, length, buffer.length - length, length);
    return length > most ? 'unfit' : { text: buffer.toString('utf8', 0, length) };
  } catch {
    return 'refused';
  } finally {
    closeSync(file);
  }
}
