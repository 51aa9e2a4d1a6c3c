import type { ReplayedChange } from '../../protocol/replay.ts';
import { type Doing, type Edge, lastAt, type Truth } from './client-truth.ts';
import type { Recording } from './recordings.ts';
import { type AccountWait, accountWaits, type Said, saidOf } from './said.ts';

/** ms round a change of the truth that are not counted: hook and status never come at the same moment. */
export const TOLERANCE = 400;

/** Milliseconds of a recording, by what the bus said in them. */
export interface TimeScore {
  readonly ms: number;
  readonly right: number;
  readonly unknown: number;
  readonly wrong: number;
  /** It waits for its user, and the bus doesn't say so. */
  readonly missed_wait: number;
  /** The bus says that it waits, and it doesn't. */
  readonly false_wait: number;
  /** The bus says that it works, and nothing runs. */
  readonly false_busy: number;
  /** The bus says done, idle or nothing, and it works or waits: green on a guess. */
  readonly false_calm: number;
}

type Counter = keyof TimeScore;

export const NO_TIME: TimeScore = {
  ms: 0,
  right: 0,
  unknown: 0,
  wrong: 0,
  missed_wait: 0,
  false_wait: 0,
  false_busy: 0,
  false_calm: 0,
};

/** When the recording ends, ms. */
export function endOf({ lines }: Recording): number {
  return lines.reduce((latest, { tMs }) => Math.max(latest, tMs), 0);
}

/**
 * How much of the time the bus said what the client did. After a change of the truth TOLERANCE ms are not counted, and before it not what says the coming truth already.
 * `unknown` is neither right nor wrong. @param from ms since the start: what lies before it isn't counted
 */
export function timeScore(
  recording: Recording,
  truth: Truth,
  changes: readonly ReplayedChange[],
  from = 0,
): TimeScore {
  const end = endOf(recording);
  const score = { ...NO_TIME };
  for (const [session, edges] of truth) {
    const view = { edges, said: saidOf(changes, session), account: accountWaits(recording, session, end) };
    for (const [start, stop] of pieces(view, Math.max(from, edges[0]?.at ?? end), end)) {
      const counters = judge(view, start);
      if (counters.length > 0) score.ms += stop - start;
      for (const counter of counters) score[counter] += stop - start;
    }
  }
  return score;
}

interface View {
  readonly edges: readonly Edge[];
  readonly said: readonly Said[];
  readonly account: readonly AccountWait[];
}

/** Stretches of time in which nothing that matters changes. */
function pieces({ edges, said, account }: View, from: number, end: number): [start: number, stop: number][] {
  const times = [
    from,
    end,
    ...edges.flatMap(({ at }) => [at - TOLERANCE, at, at + TOLERANCE]),
    ...said.map(({ at }) => at),
    ...account.flatMap((wait) => [wait.from, wait.to]),
  ];
  const cuts = [...new Set(times.filter((time) => time >= from))].sort((a, b) => a - b);
  return cuts.slice(0, -1).map((start, index) => [start, cuts[index + 1] ?? start]);
}

/** What a stretch that starts then counts as; nothing: it isn't counted. */
function judge({ edges, said, account }: View, start: number): Counter[] {
  if (edges.some(({ at }) => start >= at && start < at + TOLERANCE)) return [];
  const really = doingAt(edges, start);
  const heard = meant(lastAt(said, start), really);
  const coming = edges.find(({ at }) => at > start && at <= start + TOLERANCE);
  if (heard === really) return ['right'];
  if (coming !== undefined && heard === resting(coming.doing)) return [];
  if (isFresh(edges, start)) return ['right'];
  if (really === 'rests' && heard === 'waits' && isAccountWait(account, start)) return ['right'];
  if (heard === 'unknown') return ['unknown'];
  return ['wrong', ...mistakes(really, heard)];
}

function mistakes(really: Doing, heard: Doing): Counter[] {
  return [
    ...(really === 'waits' ? (['missed_wait'] as const) : []),
    ...(heard === 'waits' ? (['false_wait'] as const) : []),
    ...(heard === 'works' && really === 'rests' ? (['false_busy'] as const) : []),
    ...(heard === 'rests' ? (['false_calm'] as const) : []),
  ];
}

/** For the scores a session that is gone rests. */
function resting(doing: Doing): Doing {
  return doing === 'gone' ? 'rests' : doing;
}

export function doingAt(edges: readonly Edge[], time: number): Doing {
  return resting(lastAt(edges, time)?.doing ?? 'rests');
}

/** A session that nobody has prompted yet may be called running: that is agreed (spec: state, section 1). */
function isFresh(edges: readonly Edge[], time: number): boolean {
  return edges.every(({ at, doing }) => at > time || doing === 'rests');
}

export function isAccountWait(account: readonly AccountWait[], time: number): boolean {
  return account.some(({ from, to }) => time >= from && time < to);
}

/** What a state means in the truth's words. A question in prose is a wait that the client's own status can't show: idle for it. */
function meant(said: Said | undefined, really: Doing): Doing | 'unknown' {
  switch (said?.state) {
    case 'needs_user':
      return said.reason === 'possible_question' && really === 'rests' ? 'rests' : 'waits';
    case 'running':
      return 'works';
    case 'unknown':
      return 'unknown';
    default:
      return 'rests';
  }
}
