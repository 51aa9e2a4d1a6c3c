import { REFOLD_WINDOW } from './expiry.ts';
import { reduce } from './reduce.ts';
import type { FoldInput, RuleSettings, SessionFacts } from './session.ts';
import { reduceStatus, settleStatus } from './status.ts';

/** A step and the facts it found. */
interface Step {
  readonly input: FoldInput;
  readonly before: SessionFacts | undefined;
}

/** The latest steps of a session, in the order of their moments. */
export interface Track {
  /** Moment of the last step that has left the window: nothing can be put before it. */
  readonly closed_until: number;
  readonly window: readonly Step[];
}

/** A step's result; `late`: too old to be put in its place, so it changes nothing. */
export interface Folded {
  readonly facts: SessionFacts | undefined;
  readonly track: Track;
  readonly late: boolean;
}

/** Most steps that are kept to be folded again. */
const MOST = 64;

/** The track of a session whose earlier steps are not known: what comes first is folded on as it comes. */
export const NEW_TRACK: Track = { closed_until: Number.NEGATIVE_INFINITY, window: [] };

/**
 * Puts a step in its place: a session's facts are the fold of its steps in the order of their moments (spec: state, section 4 rule 6). In order, that is one step; a
 * late one has the steps after it folded again. @param facts what the steps so far amount to
 */
export function foldIn(
  track: Track,
  facts: SessionFacts | undefined,
  input: FoldInput,
  settings: RuleSettings,
): Folded {
  const { window, closed_until } = track;
  const place = placeOf(window, input);
  if (place === 0 && input.moment < closed_until) return { facts, track, late: true };
  const after = window.slice(place).map((step) => step.input);
  let found = place < window.length ? window[place]?.before : facts;
  const steps = window.slice(0, place);
  for (const step of [input, ...after]) {
    steps.push({ input: step, before: found });
    found = fold(found, step, settings);
  }
  return { facts: found, track: prune({ closed_until, window: steps }, input.arrival), late: false };
}

/** Lets go of what has become too old to be folded again. @param now unix ms */
export function prune(track: Track, now: number): Track {
  const { window } = track;
  let leave = Math.max(0, window.length - MOST);
  while (leave < window.length && (window[leave]?.input.arrival ?? now) < now - REFOLD_WINDOW) leave += 1;
  if (leave === 0) return track;
  const closed_until = Math.max(track.closed_until, window[leave - 1]?.input.moment ?? 0);
  return { closed_until, window: window.slice(leave) };
}

/** One step; what a status has waited for comes first. */
function fold(
  before: SessionFacts | undefined,
  input: FoldInput,
  settings: RuleSettings,
): SessionFacts | undefined {
  const settled = before === undefined ? undefined : settleStatus(before, input.arrival, settings);
  return 'event' in input ? reduce(settled, input, settings) : reduceStatus(settled, input, settings);
}

function placeOf(window: readonly Step[], input: FoldInput): number {
  let place = window.length;
  while (place > 0 && isBefore(input, (window[place - 1] as Step).input)) place -= 1;
  return place;
}

/** Like is compared with like: an event without the sender's time with a status's arrival. */
function isBefore(a: FoldInput, b: FoldInput): boolean {
  if (isUnstamped(a) !== isUnstamped(b) && isStatus(a) !== isStatus(b)) return a.arrival < b.arrival;
  return a.moment < b.moment;
}

function isStatus(input: FoldInput): boolean {
  return 'status' in input;
}

function isUnstamped(input: FoldInput): boolean {
  return 'event' in input && input.event.sent_at === undefined;
}
