import { fstatSync } from 'node:fs';
import type { Cancel, Clock } from '../../../runtime/clock.ts';
import type { CommandContext } from '../../context.ts';

/** How often it is looked whether the process that started us is still there [ms]. */
const LOOK_EVERY = 1_000;
/** Longest line of a click; what is longer is none [characters]. */
const LONGEST_LINE = 4_096;

export interface HostEvents {
  /** The host is gone: its process has ended, or it has closed the stdin that it sends lines to. */
  onGone(): void;
  /** It has sent a line. Without this, stdin is not touched: tmux closes it at once, and goes on reading. */
  onLine?(line: string): void;
}

/**
 * Watches for the end of the program that shows our frames. While nothing changes nothing is written, so that a closed stdout alone would leave us behind: what
 * tmux starts outlives its server.
 * @returns stops it
 */
export function watchHost(
  { stdin }: Pick<CommandContext, 'stdin'>,
  clock: Clock,
  { onGone, onLine }: HostEvents,
): () => void {
  const parent = process.ppid;
  let look: Cancel = later();
  let pending = '';

  function later(): Cancel {
    return clock.at(clock.now() + LOOK_EVERY, () => {
      if (process.ppid !== parent) return onGone();
      look = later();
    });
  }

  function onData(chunk: Buffer): void {
    const lines = (pending + chunk.toString('utf8')).split('\n');
    pending = (lines.pop() ?? '').slice(0, LONGEST_LINE);
    for (const line of lines) if (line.length < LONGEST_LINE) onLine?.(line);
  }

  const stopJumps = clock.onJump(() => {
    look();
    look = later();
  });
  const reads = onLine !== undefined && isHeld();
  if (reads) stdin.on('data', onData).on('end', onGone).on('error', onGone);
  return () => {
    stopJumps();
    look();
    if (reads) stdin.off('data', onData).destroy();
  };
}

/** Of a terminal nothing may be read in the background, and /dev/null ends at once. */
function isHeld(): boolean {
  try {
    const about = fstatSync(0);
    return about.isFIFO() || about.isSocket();
  } catch {
    return false;
  }
}
