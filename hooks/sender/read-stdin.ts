import type { Readable } from 'node:stream';

export interface Input {
  readonly chunks: readonly Buffer[];
  readonly bytes: number;
  /** More came than anybody takes; the rest was not read. */
  readonly tooLarge: boolean;
}

export interface ReadOptions {
  /** After this, what has come is all there is [ms]. */
  readonly within: number;
  /** Longest input [bytes]. */
  readonly longest: number;
}

/**
 * Reads all of stdin, but not for ever: an agent may leave its end open, and what it has said until then may be whole. Never rejects: what can't be read is an
 * empty input. The stream must not be a file descriptor that a thread waits on; `process.stdin` is none, for a pipe.
 */
export function readStdin(stdin: Readable, { within, longest }: ReadOptions): Promise<Input> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = (): void => {
      clearTimeout(timer);
      stdin.removeAllListeners('data');
      stdin.pause();
      resolve({ chunks, bytes, tooLarge: bytes > longest });
    };
    const timer = setTimeout(end, within);
    stdin.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > longest) end();
    });
    stdin.on('end', end);
    stdin.on('error', end);
  });
}
