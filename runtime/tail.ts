import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';

export interface TailOptions {
  /** The file, as somebody has named it. */
  readonly path: string;
  /** The folder that it must lie in: an agent's own. */
  readonly folder: string;
  /** How much of what is there at the first look is read [bytes], counted from its end; 0: only what comes. */
  readonly back: number;
  /** Longer lines are passed over [bytes]. */
  readonly longest?: number;
}

/** What one look has found: whole lines, in order; or why the file is not read. */
export type Tailed =
  | { readonly kind: 'lines'; readonly lines: readonly string[]; readonly more: boolean }
  | { readonly kind: 'missing' }
  /** A link, a file outside the folder, no file, or one that can't be read. */
  | { readonly kind: 'refused' };

/** Read at once; a look that finds more says so, so that others get their turn. */
const CHUNK = 256 * 1024;
const LONGEST = 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Reads a file that grows, look by look: whole lines only, however they were written (in parts, in the middle of a character, cut off and begun anew, under the same name in
 * another file). Holds nothing open between two looks, and never more than a chunk and the longest line. Never follows a link out of the folder.
 */
export class FileTail {
  readonly #options: TailOptions;
  /** Device and inode of what was read. */
  #file: string | undefined;
  #offset = 0;
  /** The bytes of a line that has no end yet. */
  #part: Buffer[] = [];
  #partBytes = 0;
  /** Up to the next end of a line nothing counts: its beginning was not read, or it is too long. */
  #skipping = false;
  #first = true;

  constructor(options: TailOptions) {
    this.#options = options;
  }

  /** Reads on from where the last look ended. */
  look(): Tailed {
    let file: number | undefined;
    try {
      const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
      file = openSync(this.#options.path, flags);
      return this.#read(file);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' && code !== 'ENOTDIR') return { kind: 'refused' };
      // What comes under this name later is all new.
      this.#begin(undefined, 0);
      this.#first = false;
      return { kind: 'missing' };
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }

  #read(file: number): Tailed {
    const stat = fstatSync(file);
    const identity = `${stat.dev} ${stat.ino}`;
    if (identity !== this.#file) {
      if (!stat.isFile() || !this.#isInside(stat)) return { kind: 'refused' };
      this.#begin(identity, this.#first ? Math.max(0, stat.size - this.#options.back) : 0);
      this.#skipping = this.#offset > 0 && !endsLine(file, this.#offset);
      this.#first = false;
    } else if (stat.size < this.#offset) this.#begin(identity, 0);
    const wanted = Math.min(CHUNK, stat.size - this.#offset);
    if (wanted <= 0) return { kind: 'lines', lines: [], more: false };
    const buffer = Buffer.allocUnsafe(wanted);
    const length = readSync(file, buffer, 0, wanted, this.#offset);
    this.#offset += length;
    return { kind: 'lines', lines: this.#split(buffer.subarray(0, length)), more: this.#offset < stat.size };
  }

  #begin(file: string | undefined, offset: number): void {
    this.#file = file;
    this.#offset = offset;
    this.#dropPart();
    this.#skipping = false;
  }

  /** The real path lies in the folder's real path, and leads to the very file that was opened. */
  #isInside(opened: { readonly dev: number; readonly ino: number }): boolean {
    const { path, folder } = this.#options;
    const real = join(realpathSync(dirname(path)), basename(path));
    const below = relative(realpathSync(folder), real);
    if (below === '' || isAbsolute(below) || below === '..' || below.startsWith(`..${sep}`)) return false;
    const { dev, ino } = lstatSync(real);
    return dev === opened.dev && ino === opened.ino;
  }

  /** An end of a line is one byte that no other character holds in UTF-8, so lines are cut before they are read. */
  #split(bytes: Buffer): string[] {
    const lines: string[] = [];
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      this.#keep(bytes.subarray(from, end));
      if (!this.#skipping) lines.push(Buffer.concat(this.#part).toString('utf8'));
      this.#skipping = false;
      this.#dropPart();
      from = end + 1;
    }
    this.#keep(bytes.subarray(from));
    return lines;
  }

  #keep(bytes: Buffer): void {
    if (this.#skipping || bytes.length === 0) return;
    this.#partBytes += bytes.length;
    if (this.#partBytes > (this.#options.longest ?? LONGEST)) {
      this.#skipping = true;
      this.#dropPart();
      // A copy, so that a few bytes don't keep their whole chunk.
    } else this.#part.push(Buffer.from(bytes));
  }

  #dropPart(): void {
    this.#part = [];
    this.#partBytes = 0;
  }
}

function endsLine(file: number, offset: number): boolean {
  const before = Buffer.alloc(1);
  return readSync(file, before, 0, 1, offset - 1) === 1 && before[0] === NEWLINE;
}
