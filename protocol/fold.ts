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
  /** Moment of the last step that has left the window: no event can be put before it. */
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
 * late one has the steps after it folded again. The window is the last 30 s of the session's own moments, not of the hub's clock: what was spooled for an hour may have
 * been spooled out of order. @param facts what the steps so far amount to
 */
export function foldIn(
  track: Track,
  facts: SessionFacts | undefined,
  input: FoldInput,
  settings: RuleSettings,
): Folded {
  const { window, closed_until } = track;
  const place = placeOf(window, input);
  // What a client says of itself holds until it says something else: a status is never too old, only older than the hooks after it.
  if (!isStatus(input) && input.moment < opensAt(track)) return { facts, track, late: true };
  const after = window.slice(place).map((step) => step.input);
  let found = place < window.length ? window[place]?.before : facts;
  const steps = window.slice(0, place);
  for (const step of [input, ...after]) {
    steps.push({ input: step, before: found });
    found = fold(found, step, settings);
  }
  return {
    facts: settled(found, input.arrival, settings),
    track: prune({ closed_until, window: steps }),
    late: false,
  };
}

/** From which moment on an event can be put in its place. */
function opensAt({ closed_until, window }: Track): number {
  return Math.max(closed_until, newestOf(window) - REFOLD_WINDOW);
}

function newestOf(window: readonly Step[]): number {
  return window.at(-1)?.input.moment ?? Number.NEGATIVE_INFINITY;
}

/** Lets go of what has become too old to be folded again. */
function prune(track: Track): Track {
  const { window } = track;
  const oldest = newestOf(window) - REFOLD_WINDOW;
  let leave = Math.max(0, window.length - MOST);
  for (let step = window[leave]; step !== undefined && step.input.moment < oldest; step = window[leave])
    leave += 1;
  if (leave === 0) return track;
  const left = window.slice(0, leave).map((step) => step.input.moment);
  return { closed_until: Math.max(track.closed_until, ...left), window: window.slice(leave) };
}

/** One step; what a status has waited for comes first. */
function fold(
  before: SessionFacts | undefined,
  input: FoldInput,
  settings: RuleSettings,
): SessionFacts | undefined {
  const facts = settled(before, input.arrival, settings);
  return 'event' in input ? reduce(facts, input, settings) : reduceStatus(facts, input, settings);
}

function settled(
  facts: SessionFacts | undefined,
  now: number,
  settings: RuleSettings,
): SessionFacts | undefined {
  return facts === undefined ? undefined : settleStatus(facts, now, settings);
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
