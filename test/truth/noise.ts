import { payloadOf, type Recording } from './recordings.ts';
import type { RecordedLine } from '../../protocol/sources/recording.ts';

/** One hook in twenty never arrives. */
const LOST = 0.05;
/** ms: how much later a hook may arrive. */
const DELAY = 300;
/** ms: by how much hooks may pass one another. */
const JITTER = 100;
/** ms: what follows a tool may be later still, the machine is busy then. */
const AFTER_TOOL = 800;

/**
 * The recording as a slow machine and a lossy way would have brought it: hooks are late, pass one another and get lost. What the sender stamped on them stays, and so
 * does everything that is no hook. The same seed gives the same noise.
 */
export function withNoise(recording: Recording, seed: number): Recording {
  const draw = seeded(seed * 1000 + sumOf(recording.fileName));
  const arrives = recording.lines.filter((line) => payloadOf(line) === undefined || draw() >= LOST);
  const lines = arrives.map((line): RecordedLine => {
    const payload = payloadOf(line);
    if (payload === undefined) return line;
    return { ...line, tMs: Math.round(line.tMs + delay(draw, payload.hook_event_name)) };
  });
  return { ...recording, lines: lines.sort((a, b) => a.tMs - b.tMs) };
}

function sumOf(name: string): number {
  let sum = 0;
  for (let at = 0; at < name.length; at += 1) sum += name.charCodeAt(at);
  return sum;
}

function delay(draw: () => number, event = ''): number {
  const shifted = draw() * DELAY + draw() * JITTER;
  return event.startsWith('Post') ? shifted + draw() * AFTER_TOOL : shifted;
}

/** The generator "mulberry32": small, and the same everywhere. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
