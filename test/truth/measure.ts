import { replayText } from '../../cli/replay/run-replay.ts';
import { alertScore, type WrongAlert } from './alert-score.ts';
import { type Truth, truthOf } from './client-truth.ts';
import { endScore, type WrongEnd } from './end-score.ts';
import { withNoise } from './noise.ts';
import { type Labels, payloadOf, type Recording, textOf } from './recordings.ts';
import { stoppedStatus } from './stopped-status.ts';
import { NO_TIME, type TimeScore, timeScore } from './time-score.ts';

/** One client's recordings, and their truth where the client keeps no status. */
export interface Client {
  readonly name: string;
  readonly recordings: readonly Recording[];
  readonly labels: Labels;
}

/** With what the bus has to do: hooks alone or all sources; clean, or with the noise of a seed. */
export interface Conditions {
  readonly sources: boolean;
  readonly seed?: number;
}

export interface ScenarioScore extends TimeScore {
  readonly scenario: string;
}

/** How true the bus was over a client's recordings. Times are milliseconds. */
export interface Figures {
  readonly scenarios: readonly ScenarioScore[];
  readonly total: TimeScore;
  /** Mean over scenarios of the share that is right, 0 to 100. */
  readonly macro: number;
  /** Share of all time that is right, 0 to 100. */
  readonly right: number;
  /** Scenarios with at most CLEAN ms wrong or unknown. */
  readonly clean: number;
  readonly alerts: { readonly right: number; readonly wrong: readonly WrongAlert[] };
  readonly ends: { readonly right: number; readonly wrong: readonly WrongEnd[] };
}

const CLEAN = 500;

/** Replays every recording that has a truth, and scores what the bus says. */
export function measure(client: Client, conditions: Conditions): Figures {
  const scored = client.recordings.flatMap((recording) => {
    const truth = truthOf(recording, client.labels);
    return isScored(recording, truth, client.labels, conditions) ? [score(recording, truth, conditions)] : [];
  });
  const scenarios = scored.map(({ time }) => time);
  const total = scenarios.reduce(sum, NO_TIME);
  return {
    scenarios,
    total,
    macro: (100 * scenarios.reduce((all, one) => all + shareRight(one), 0)) / scenarios.length,
    right: 100 * shareRight(total),
    clean: scenarios.filter(({ wrong, unknown }) => wrong + unknown <= CLEAN).length,
    alerts: together(scored.map(({ alerts }) => alerts)),
    ends: together(scored.map(({ ends }) => ends)),
  };
}

function score(
  recording: Recording,
  truth: Truth,
  { sources, seed }: Conditions,
): { time: ScenarioScore } & Pick<Figures, 'alerts' | 'ends'> {
  const heard = seed === undefined ? recording : withNoise(recording, seed);
  const { changes, alerts } = replayText(textOf(heard), sources);
  return {
    time: { scenario: recording.scenario, ...timeScore(recording, truth, changes) },
    alerts: alertScore(recording, truth, alerts),
    ends: endScore(heard, truth, changes, sources),
  };
}

const BEGINS = new Set(['UserPromptSubmit', 'SessionStart']);

/** A recording that was made to time hooks has few or none of them: hooks alone can say nothing of it. */
function isScored(recording: Recording, truth: Truth, labels: Labels, { sources }: Conditions): boolean {
  if (truth.size === 0) return false;
  if (sources || labels[recording.scenario] !== undefined) return true;
  return recording.lines.some((line) => {
    const { session_id = '', hook_event_name = '' } = payloadOf(line) ?? {};
    return truth.has(session_id) && BEGINS.has(hook_event_name);
  });
}

function shareRight({ ms, right }: TimeScore): number {
  return ms === 0 ? 1 : right / ms;
}

function sum(a: TimeScore, b: TimeScore): TimeScore {
  return {
    ms: a.ms + b.ms,
    right: a.right + b.right,
    unknown: a.unknown + b.unknown,
    wrong: a.wrong + b.wrong,
    missed_wait: a.missed_wait + b.missed_wait,
    false_wait: a.false_wait + b.false_wait,
    false_busy: a.false_busy + b.false_busy,
    false_calm: a.false_calm + b.false_calm,
  };
}

function together<T>(parts: readonly { readonly right: number; readonly wrong: readonly T[] }[]): {
  right: number;
  wrong: T[];
} {
  return {
    right: parts.reduce((all, { right }) => all + right, 0),
    wrong: parts.flatMap(({ wrong }) => wrong),
  };
}

/** What a status file that stops changing costs, in points of the time after it. */
export interface StopCost {
  /** How many stops were tried. */
  readonly stops: number;
  /** Mean share that is right by hooks alone, 0 to 100. */
  readonly hooks: number;
  /** Mean share that is right beside the stopped file, 0 to 100. */
  readonly stopped: number;
}

/** Lets each recording's status file stop after each of its changes. */
export function measureStops({ recordings, labels }: Client): StopCost {
  const stops = recordings.flatMap((recording) => stoppedStatus(recording, truthOf(recording, labels)));
  const mean = (of: (stop: (typeof stops)[number]) => number): number =>
    (100 * stops.reduce((all, stop) => all + of(stop), 0)) / stops.length;
  return { stops: stops.length, hooks: mean(({ hooks }) => hooks), stopped: mean(({ stopped }) => stopped) };
}
