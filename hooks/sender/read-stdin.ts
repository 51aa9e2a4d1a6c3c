import type { Readable } from 'node:stream';

export interface Input {
  readonly chunks: readonly Buffer[];
  readonly bytes: number;
  /** More came than anybody takes; the rest was not read. */
  readonly tooLarge: boolean;
}

export interface ReadOptions {
  /** So long it is waited for the end in any case [ms]. */
  readonly within: number;
  /** And then for as long as more comes, with pauses no longer than this [ms]. */
  readonly gap: number;
  /** But no longer than this in all [ms]. */
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
    let timer = setTimeout(look, within);
    const latest = setTimeout(end, atMost);
    // On a busy machine a timer is late, and what is due to be read waits behind it: that is read first.
    function look(): void {
      setImmediate(() => {
        if (bytes === seen) end();
        else timer = setTimeout(look, gap);
        seen = bytes;
      });
    }
    function end(): void {
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
