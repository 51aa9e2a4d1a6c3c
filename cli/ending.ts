/** The part of `process` that ends a command. */
type EndingProcess = Pick<NodeJS.Process, 'on' | 'exit' | 'stdout' | 'stderr'>;

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Makes the signal that long commands end by. It takes SIGINT, SIGTERM and SIGHUP from its first use on, so that a command which never asks for it ends at once as any
 * program does. A second one ends the process where it stands.
 */
export function createEnding(process: EndingProcess): () => AbortSignal {
  let ending: AbortController | undefined;
  return () => {
    if (ending !== undefined) return ending.signal;
    const made = new AbortController();
    ending = made;
    for (const name of SIGNALS) {
      process.on(name, () => {
        if (made.signal.aborted) process.exit(1);
        made.abort();
      });
    }
    return made.signal;
  };
}

/**
 * A pipe whose reader has gone (`signalbox status | head -1`) is no fault: the command ends with status 0 and says nothing. What can't be written for another
 * reason, such as a full disk, is one.
 */
export function endWithoutReader(process: EndingProcess): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
      // A socket whose reader went with frames unread says ECONNRESET.
      if (code === 'EPIPE' || code === 'ECONNRESET') process.exit(0);
      if (stream === process.stdout)
        process.stderr.write(`signalbox: The output can't be written (${code}).\n`);
      process.exit(1);
    });
  }
}
