import { replayText } from '../../cli/replay/run-replay.ts';
import type { Truth } from './client-truth.ts';
import { type Recording, textOf } from './recordings.ts';
import { timeScore } from './time-score.ts';

/** What it costs when a client's status file stops changing at some moment: shares of the time after it that are right, 0 to 1. */
export interface StoppedStatus {
  readonly hooks: number;
  readonly stopped: number;
}

/**
 * Lets the status file of a recording stop after its first line, after its second and so on, and scores what follows, up to the end, against hooks alone. The first look
 * finds a file as it is, so stopping before it is hooks alone.
 */
export function stoppedStatus(recording: Recording, truth: Truth): StoppedStatus[] {
  const changes = recording.lines.filter(({ sessionFile }) => sessionFile !== undefined);
  if (changes.length < 2) return [];
  const hooks = replayText(textOf(recording), false).changes;
  return changes.slice(1).flatMap((stops, index) => {
    const left = new Set(changes.slice(0, index + 1));
    const lines = recording.lines.filter((line) => line.sessionFile === undefined || left.has(line));
    const { changes: said } = replayText(textOf({ ...recording, lines }), true);
    const share = (heard: typeof said): number | undefined => {
      const { ms, right } = timeScore(recording, truth, heard, stops.tMs);
      return ms === 0 ? undefined : right / ms;
    };
    const [alone, stopped] = [share(hooks), share(said)];
    return alone === undefined || stopped === undefined ? [] : [{ hooks: alone, stopped }];
  });
}
