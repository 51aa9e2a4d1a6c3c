import { ALERT_SETTLE } from './expiry.ts';
import type { StatsData, WaitFigures } from './messages/stats.ts';
import type { Span } from './spans.ts';

/** What figures are made of: a span in which a session waited; `ended_by` is left out while it lasts. Times are unix ms. */
export type WaitSpan = Pick<
  Span,
  'provider' | 'key' | 'project' | 'reason' | 'by_user' | 'started_at' | 'ended_at'
> & {
  readonly ended_by?: string;
};

/** A day by the user's clock: 23 to 25 hours. Unix ms, the end not included. */
export interface Day {
  readonly day: string;
  readonly from: number;
  readonly to: number;
}

/** One wait of one session, however often its reason has changed. */
interface Wait {
  readonly project: string;
  readonly from: number;
  to: number;
  expired: boolean;
  readonly parts: Part[];
}

/** As long as its reason stayed the same. */
interface Part {
  readonly reason: string;
  readonly from: number;
  readonly to: number;
}

/** Most projects that are told of: one message holds them beside a year of days. */
const MOST_PROJECTS = 40;

/**
 * How long agents waited for the user, from what was recorded and what lasts. Several requests of one session at once are one wait; waits of several sessions add up, and `any_s` counts
 * their time once. A wait shorter than an alert's settle time is none (an agent has answered itself), nor is a dialog that the user has opened. A wait that lies in two days counts in both, with its part of each;
 * so does one with two reasons.
 * @param days in order, one behind the other, the last one with the end of what is looked at
 */
export function waitFigures(
  spans: readonly WaitSpan[],
  days: readonly Day[],
): Pick<StatsData, 'total' | 'by_day' | 'by_project' | 'by_reason' | 'left_out'> {
  const begin = days.at(0)?.from ?? 0;
  const end = days.at(-1)?.to ?? 0;
  const waits = waitsOf(spans)
    .filter(({ from, to }) => from < end && to > begin)
    .sort((a, b) => a.from - b.from);
  const total = new Tally();
  const perDay = days.map(() => new Tally());
  const projects = new Map<string, Tally>();
  let first = 0;
  for (const wait of waits) {
    const from = Math.max(wait.from, begin);
    const to = Math.min(wait.to, end);
    total.add(from, to, wait.expired && to === wait.to);
    tallyOf(projects, wait.project).add(from, to, wait.expired && to === wait.to);
    while ((days[first] as Day).to <= from) first += 1;
    for (let index = first, day = days[first]; day !== undefined && day.from < to; day = days[++index]) {
      const until = Math.min(day.to, to);
      perDay[index]?.add(Math.max(day.from, from), until, wait.expired && until === wait.to);
    }
  }
  const byProject = longestFirst(projects).map(([project, tally]) => ({ project, ...tally.figures() }));
  return {
    total: total.figures(),
    by_day: days.map(({ day }, index) => ({ day, ...(perDay[index] as Tally).figures() })),
    by_project: byProject.slice(0, MOST_PROJECTS),
    by_reason: longestFirst(reasonsOf(waits, begin, end)).map(([reason, tally]) => ({
      reason,
      ...tally.figures(),
    })),
    left_out: Math.max(0, byProject.length - MOST_PROJECTS),
  };
}

/** One session's spans that follow on one another are one wait. */
function waitsOf(spans: readonly WaitSpan[]): Wait[] {
  const sessions = new Map<string, WaitSpan[]>();
  for (const span of spans) {
    if (span.by_user) continue;
    const id = `${span.provider} ${span.key}`;
    const known = sessions.get(id);
    if (known === undefined) sessions.set(id, [span]);
    else known.push(span);
  }
  const waits: Wait[] = [];
  for (const own of sessions.values())
    for (const wait of joined(own.sort((a, b) => a.started_at - b.started_at)))
      if (wait.to - wait.from >= ALERT_SETTLE) waits.push(wait);
  return waits;
}

/** @param spans of one session, by their beginning */
function joined(spans: readonly WaitSpan[]): Wait[] {
  const waits: Wait[] = [];
  let last: Wait | undefined;
  for (const { project, reason, started_at, ended_at, ended_by } of spans) {
    if (last === undefined || started_at > last.to) {
      last = { project, from: started_at, to: started_at, expired: false, parts: [] };
      waits.push(last);
    }
    const part = { reason, from: last.to, to: Math.max(last.to, ended_at) };
    last.parts.push(part);
    last.to = part.to;
    last.expired = ended_by === 'expiry';
  }
  return waits;
}

/** Each wait counts once for each of its reasons, with the time that it had it. */
function reasonsOf(waits: readonly Wait[], begin: number, end: number): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  const parts: Part[] = [];
  const own = new Map<string, number>();
  for (const wait of waits) {
    own.clear();
    let last = '';
    for (const part of wait.parts) {
      const length = Math.min(part.to, end) - Math.max(part.from, begin);
      if (length <= 0) continue;
      last = part.reason;
      own.set(last, (own.get(last) ?? 0) + length);
      parts.push(part);
    }
    for (const [reason, length] of own)
      tallyOf(tallies, reason).count(length, wait.expired && wait.to <= end && reason === last);
  }
  for (const { reason, from, to } of parts.sort((a, b) => a.from - b.from))
    tallyOf(tallies, reason).cover(Math.max(from, begin), Math.min(to, end));
  return tallies;
}

function tallyOf(tallies: Map<string, Tally>, name: string): Tally {
  const known = tallies.get(name);
  if (known !== undefined) return known;
  const made = new Tally();
  tallies.set(name, made);
  return made;
}

function longestFirst(tallies: ReadonlyMap<string, Tally>): [string, Tally][] {
  return [...tallies].sort(([a, one], [b, other]) => other.waited - one.waited || (a < b ? -1 : 1));
}

/** Adds waits up; what covers time has to come by its beginning. */
class Tally {
  readonly #lengths: number[] = [];
  #expired = 0;
  #any = 0;
  #covered = Number.NEGATIVE_INFINITY;
  waited = 0;

  add(from: number, to: number, expired: boolean): void {
    this.count(to - from, expired);
    this.cover(from, to);
  }

  count(length: number, expired: boolean): void {
    this.#lengths.push(length);
    this.waited += length;
    if (expired) this.#expired += 1;
  }

  cover(from: number, to: number): void {
    this.#any += Math.max(0, to - Math.max(from, this.#covered));
    this.#covered = Math.max(this.#covered, to);
  }

  figures(): WaitFigures {
    const lengths = Float64Array.from(this.#lengths).sort();
    const middle = (lengths.length - 1) / 2;
    const median = ((lengths[Math.floor(middle)] ?? 0) + (lengths[Math.ceil(middle)] ?? 0)) / 2;
    return {
      waits: lengths.length,
      waited_s: secondsOf(this.waited),
      any_s: secondsOf(this.#any),
      longest_s: secondsOf(lengths.at(-1) ?? 0),
      median_s: secondsOf(median),
      expired: this.#expired,
    };
  }
}

function secondsOf(ms: number): number {
  return Math.round(ms / 1000);
}
