import type { Readable } from 'node:stream';

export interface Input {
  readonly chunks: readonly Buffer[];
  readonly bytes: number;
  /** More came than anybody takes; the rest was not read. */
  readonly tooLarge: boolean;
}

export interface ReadOptions {
  /** So long it is waited for the end [ms]. */
  readonly within: number;
  /** Then a whole JSON object counts as all there is, once nothing has followed it for so long [ms]. */
  readonly gap: number;
  /** And half of one, or nothing, after so long [ms]. A busy agent starts its hook some 100 ms before it writes. */
  readonly atMost: number;
  /** Longest input [bytes]. */
  readonly longest: number;
}

/**
 * Reads all of stdin, but not for ever: an agent may leave its end open, and what it has said until then may be whole. Never rejects: what can't be read is an
 * empty input. The stream must not be a file descriptor that a thread waits on, since Node does not end before its threads; `process.stdin` is none, for a pipe.
 */
export function readStdin(stdin: Readable, { within, gap, atMost, longest }: ReadOptions): Promise<Input> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let seen = 0;
    let ended = false;
    let timer = setTimeout(look, within);
    const latest = setTimeout(end, atMost);
    // On a busy machine a timer is late, and what is due to be read waits behind it: that is read first.
    function look(): void {
      setImmediate(() => {
        if (ended) return;
        if (bytes === seen && seemsWhole(chunks)) end();
        else timer = setTimeout(look, gap);
        seen = bytes;
      });
    }
    function end(): void {
      ended = true;
      clearTimeout(timer);
      clearTimeout(latest);
      stdin.removeAllListeners('data');
      stdin.pause();
      resolve({ chunks, bytes, tooLarge: bytes > longest });
    }
    stdin.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > longest) end();
    });
    stdin.on('end', end);
    stdin.on('error', end);
  });
}

const SPACE = 0x20;
const CLOSING_BRACE = 0x7d;

/** Whether what has come could be a JSON object, by its last character; white space is what is not above a space. */
function seemsWhole(chunks: readonly Buffer[]): boolean {
  return chunks.at(-1)?.findLast((byte) => byte > SPACE) === CLOSING_BRACE;
}
