import type { Deadlines } from './deadlines.ts';
import { REPLAY_FRESH } from './expiry.ts';
import { isSessionId } from './session-key.ts';

/** Everything: a pause that names neither provider nor session. No provider is called so. */
export const EVERYTHING = 'all';

/** What the user has paused: its lamps are `paused`, and what begins meanwhile alerts nobody (spec: state, section 6 "The user's words"). Times are unix ms. */
export interface Pause {
  /** `all`, a provider's slug, or a session's id in the table. */
  readonly scope: string;
  readonly at: number;
  /** When its time is over; left out: when the user resumes. */
  readonly until?: number;
  /** It is over since then; remembered for a while, since what began in it may be heard of later. */
  readonly ended?: number;
  /** Who has said so. */
  readonly by: string;
}

/** Begins the ids of their deadlines; no session's id begins so, behind whose slug comes a key. */
const DEADLINE = 'pause of ';
/** More sessions that are paused one by one would be a flood. */
const MOST = 256;

/** The pauses that stand, and those that were over just now. */
export class Pauses {
  readonly #pauses = new Map<string, Pause>();
  readonly #deadlines: Deadlines;
  #changed = new Map<string, Pause | undefined>();

  /** @param deadlines where the end of each is noted */
  constructor(deadlines: Deadlines) {
    this.#deadlines = deadlines;
  }

  /** One that was said in the future counts from now: the clock was set back while nobody ran. */
  restore(pauses: readonly Pause[], now: number): void {
    for (const pause of pauses) this.#put(pause.at > now ? moved(pause, now - pause.at) : pause, now);
    this.#changed = new Map();
  }

  /** Those that stand, the widest first. */
  standing(): Pause[] {
    return [...this.#pauses.values()].filter(stands).toSorted((a, b) => width(a) - width(b));
  }

  /** The widest pause that stands for this provider, or for this session of it. @param id the session's, in the table */
  of(provider: string, id?: string): Pause | undefined {
    return [EVERYTHING, provider, ...(id === undefined ? [] : [id])]
      .map((scope) => this.#pauses.get(scope))
      .find((pause) => pause !== undefined && stands(pause));
  }

  /** Was this session paused at that time? */
  covers(provider: string, id: string, at: number): boolean {
    return [EVERYTHING, provider, id].some((scope) => {
      const pause = this.#pauses.get(scope);
      return pause !== undefined && pause.at <= at && at < (pause.ended ?? Number.POSITIVE_INFINITY);
    });
  }

  /** The sessions of a provider that are paused by themselves. */
  sessionsOf(provider: string): string[] {
    return this.standing()
      .map(({ scope }) => scope)
      .filter((scope) => isSessionId(scope) && scope.startsWith(`${provider} `));
  }

  /** Pauses, or gives a pause that stands another end. @returns what stands now */
  pause(scope: string, until: number | undefined, by: string, now: number): Pause {
    const known = this.#pauses.get(scope);
    const at = known !== undefined && stands(known) ? known.at : now;
    const pause = { scope, at, by, ...(until !== undefined && { until }) };
    this.#put(pause, now);
    this.#bound(now);
    return pause;
  }

  /** Ends every pause within a scope: of a provider also those of its sessions. @returns those that stood */
  resume(scope: string, now: number): Pause[] {
    const within = this.standing().filter(
      (pause) => scope === EVERYTHING || pause.scope === scope || pause.scope.startsWith(`${scope} `),
    );
    for (const pause of within) this.#put({ ...pause, ended: now }, now);
    return within;
  }

  /** Ends or forgets the pause whose time is over. @param deadline its id among the deadlines @returns whether it was one of these */
  end(deadline: string, now: number): boolean {
    if (!deadline.startsWith(DEADLINE)) return false;
    const scope = deadline.slice(DEADLINE.length);
    const pause = this.#pauses.get(scope);
    if (pause?.until !== undefined && stands(pause)) this.#put({ ...pause, ended: pause.until }, now);
    else this.#forget(scope);
    return true;
  }

  /** The clock was set, or the machine slept: a pause never lasts longer for it than was asked for. @param by ms */
  shift(by: number, now: number): void {
    for (const pause of [...this.#pauses.values()]) {
      const next = moved(pause, by);
      const isOver = stands(next) && next.until !== undefined && next.until <= now;
      this.#put(isOver ? { ...next, ended: now } : next, now);
    }
  }

  /** By scope; `undefined`: forgotten. */
  takeChanged(): ReadonlyMap<string, Pause | undefined> {
    const changed = this.#changed;
    this.#changed = new Map();
    return changed;
  }

  all(): ReadonlyMap<string, Pause> {
    return new Map(this.#pauses);
  }

  #put(pause: Pause, now: number): void {
    const { scope, until = Number.POSITIVE_INFINITY } = pause;
    // What is over is remembered from when that was found out: the hub may not have been there.
    this.#deadlines.set(DEADLINE + scope, stands(pause) ? until : now + REPLAY_FRESH);
    this.#pauses.set(scope, pause);
    this.#changed.set(scope, pause);
  }

  #forget(scope: string): void {
    this.#pauses.delete(scope);
    this.#changed.set(scope, undefined);
  }

  /** Lets go of the one that was said first among too many sessions. */
  #bound(now: number): void {
    const sessions = this.standing().filter(({ scope }) => isSessionId(scope));
    if (sessions.length > MOST)
      this.resume((sessions.toSorted((a, b) => a.at - b.at)[0] as Pause).scope, now);
  }
}

function stands({ ended }: Pause): boolean {
  return ended === undefined;
}

function width({ scope }: Pause): number {
  if (scope === EVERYTHING) return 0;
  return isSessionId(scope) ? 2 : 1;
}

/** When the clock goes forward the end stays where it was told: a machine that has slept looks like a clock that was set. */
function moved(pause: Pause, by: number): Pause {
  const { at, until, ended } = pause;
  return {
    ...pause,
    at: at + by,
    ...(until !== undefined && { until: Math.min(until, until + by) }),
    ...(ended !== undefined && { ended: ended + by }),
  };
}
