import { reduceAck, type SeenAck, seenBy } from './ack.ts';
import { REFOLD_WINDOW } from './expiry.ts';
import { reduce } from './reduce.ts';
import type { AckInput, EventInput, FoldInput, RuleSettings, SessionFacts, StatusInput } from './session.ts';
import { reduceStatus, settleStatus } from './status.ts';

/** A step with its place among the others. The user's word has no moment on the client's clock: it comes after all that was known when it came. */
type Placed = EventInput | StatusInput | (SeenAck & { readonly moment: number });

/** A step and the facts it found. */
interface Step {
  readonly input: Placed;
  readonly before: SessionFacts | undefined;
}

/** The latest steps of a session: its events in the order of their moments, each status where it came in. */
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
  /** It came after steps that it belongs before, which were folded again. */
  readonly refolded: boolean;
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
  given: FoldInput,
  settings: RuleSettings,
): Folded {
  const { window, closed_until } = track;
  const input = placed(given, track, facts);
  // What was said of nothing is not to count for what is found to have been there.
  if (isAck(input) && fold(facts, input, settings) === facts)
    return { facts, track, late: false, refolded: false };
  // What a client says of itself holds until it says something else: a status is never late, only older than the last hook (rule 7).
  if (isEvent(input) && input.moment < opensAt(track)) return { facts, track, late: true, refolded: false };
  const place = isEvent(input) ? placeOf(window, input) : window.length;
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
    refolded: after.length > 0,
  };
}

function placed(input: FoldInput, { window, closed_until }: Track, facts: SessionFacts | undefined): Placed {
  if (!isAck(input)) return input;
  return { ...seenBy(input, facts), moment: Math.max(closed_until, newestOf(window)) };
}

/** A track whose session is not to come back by what is older than its last step: the user has cleared it. */
export function closedTrack(track: Track): Track {
  return { closed_until: Math.max(track.closed_until, newestOf(track.window)), window: [] };
}

/** A track without its steps: what comes late is folded on as it comes, but for what would be too late all the same. */
export function emptied(track: Track): Track {
  return { closed_until: opensAt(track), window: [] };
}

/** From which moment on an event can be put in its place. */
function opensAt({ closed_until, window }: Track): number {
  return Math.max(closed_until, newestOf(window) - REFOLD_WINDOW);
}

function newestOf(window: readonly Step[]): number {
  return Math.max(...window.map((step) => step.input.moment));
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
  input: Placed,
  settings: RuleSettings,
): SessionFacts | undefined {
  const facts = settled(before, input.arrival, settings);
  if (isAck(input)) return reduceAck(facts, input);
  return isStatus(input) ? reduceStatus(facts, input, settings) : reduce(facts, input, settings);
}

function settled(
  facts: SessionFacts | undefined,
  now: number,
  settings: RuleSettings,
): SessionFacts | undefined {
  return facts === undefined ? undefined : settleStatus(facts, now, settings);
}

/** After the last event that is not newer, and after the statuses that came since, but those that are newer. */
function placeOf(window: readonly Step[], input: EventInput): number {
  let place = window.length;
  for (let at = place - 1; at >= 0; at -= 1) {
    const step = window[at] as Step;
    if (isBefore(input, step.input)) place = at;
    else if (!isStatus(step.input)) break;
  }
  return place;
}

/** Like is compared with like: an event without the sender's time with a status's arrival. */
function isBefore(event: EventInput, other: Placed): boolean {
  const byArrival = isStatus(other) && event.event.sent_at === undefined;
  return byArrival ? event.arrival < other.arrival : event.moment < other.moment;
}

function isStatus(input: Placed): input is StatusInput {
  return 'status' in input;
}

function isEvent(input: Placed): input is EventInput {
  return 'event' in input;
}

function isAck<T extends FoldInput>(input: T): input is Extract<T, AckInput> {
  return 'ack' in input;
}
