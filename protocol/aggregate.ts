import { compareLamps } from './lamp.ts';
import type { SignalPayload } from './messages/signal.ts';
import { Ranked } from './ranked.ts';
import type { Session, SessionFacts } from './session.ts';
import { type AttentionState, LAMP_STATES, type LampState } from './states.ts';

/** What is kept of a provider beside its sessions. */
export interface ProviderRecord {
  readonly slug: string;
  /** Grows by one for every wait that outlasts the settle time; never falls. */
  readonly alert: number;
  /** The lamp without a live session. */
  readonly fallback: LampState;
  /** Unix ms; when the fallback was set, 0 for never. */
  readonly fallback_at: number;
  /** When its last session went; 0 for never: `since` and `updated_at` of a signal without a session. */
  readonly empty_since: number;
  /** When a hook (not Codex' notify) was last heard. */
  readonly hooks_at: number;
  /** What its client has removed lately (gone-sessions.ts). */
  readonly gone?: readonly GoneSession[];
}

/** A session that its client has removed, as it is remembered. */
export interface GoneSession {
  /** Of the table. */
  readonly id: string;
  readonly facts: SessionFacts;
  /** Unix ms. */
  readonly until: number;
}

/** A provider nobody has heard of. */
export function newProviderRecord(slug: string): ProviderRecord {
  return { slug, alert: 0, fallback: 'ready', fallback_at: 0, empty_since: 0, hooks_at: 0 };
}

/** Most projects that a signal names. */
const MOST_PROJECTS = 3;
/** Equal names are one, so a signal may have to look at more; this many with the same name and parent are a flood. */
const MOST_LOOKED_AT = 64;

/**
 * The sessions of one provider, ranked: records of one host and cwd count once, the highest priority, then the newest (spec: state, section 6). Kept up to date
 * session by session, so that a signal costs the same however many sessions there are.
 */
export class ProviderIndex {
  readonly #groups = new Map<string, Ranked>();
  readonly #ranked = new Ranked();
  readonly #lamps = new Map<LampState, number>();
  readonly #session: (id: string) => Session;

  /** @param session looks up a session that was placed */
  constructor(session: (id: string) => Session) {
    this.#session = session;
  }

  get empty(): boolean {
    return this.#groups.size === 0;
  }

  /** Puts a session in its place. @param before the same session as it was placed last */
  place(id: string, session: Session, before: Session | undefined): void {
    if (before !== undefined) this.#countLamp(before.lamp, -1);
    this.#countLamp(session.lamp, 1);
    const key = groupKey(session);
    if (before !== undefined && groupKey(before) !== key) this.#leaveGroup(id, groupKey(before));
    const group = this.#groups.get(key) ?? new Ranked();
    this.#groups.set(key, group);
    group.place(id, session.state, session.updated_at);
    this.#rank(key, group);
  }

  remove(id: string, session: Session): void {
    this.#countLamp(session.lamp, -1);
    this.#leaveGroup(id, groupKey(session));
  }

  /** The sessions of the same host and cwd as this one that are in one of these states. */
  *sameProject(
    session: Pick<Session, 'host' | 'cwd' | 'key'>,
    states: readonly AttentionState[],
  ): Generator<string> {
    const group = this.#groups.get(groupKey(session));
    for (const state of states) yield* group?.newest(state) ?? [];
  }

  /** The strongest lamp of the live sessions; `undefined` without one. */
  lamp(): LampState | undefined {
    return LAMP_STATES.find((lamp) => (this.#lamps.get(lamp) ?? 0) > 0);
  }

  /** The strongest session: its state, how many projects are in that state, and the names of up to three of them, newest first. */
  leading(
    nameOf: (session: Session) => string,
  ): { session: Session; count: number; projects: string[] } | undefined {
    const best = this.#ranked.best();
    if (best === undefined) return undefined;
    const projects = new Set<string>();
    let looked = 0;
    for (const key of this.#ranked.newest(best.state)) {
      projects.add(nameOf(this.#best(key)));
      looked += 1;
      if (projects.size === MOST_PROJECTS || looked === MOST_LOOKED_AT) break;
    }
    return { session: this.#best(best.id), count: this.#ranked.count(best.state), projects: [...projects] };
  }

  #best(key: string): Session {
    // What is ranked is a group, and a group is never empty.
    const best = this.#groups.get(key)?.best() as { id: string };
    return this.#session(best.id);
  }

  #leaveGroup(id: string, key: string): void {
    const group = this.#groups.get(key);
    if (group === undefined) return;
    group.remove(id);
    this.#rank(key, group);
  }

  #rank(key: string, group: Ranked): void {
    const best = group.best();
    if (best !== undefined) return this.#ranked.place(key, best.state, best.at);
    this.#groups.delete(key);
    this.#ranked.remove(key);
  }

  #countLamp(lamp: LampState, by: number): void {
    this.#lamps.set(lamp, (this.#lamps.get(lamp) ?? 0) + by);
  }
}

/** Sessions of the same host and cwd are one project; one without a cwd stands for itself. */
export function groupKey(session: Pick<Session, 'host' | 'cwd' | 'key'>): string {
  return session.cwd === undefined ? `${session.host}\0\0${session.key}` : `${session.host}\0${session.cwd}`;
}

/** A provider's signal (spec: bus, `signal/<provider>`): times in unix seconds, names not cut yet. */
export function composeSignal(
  name: string,
  record: ProviderRecord,
  lamp: LampState,
  leading: ReturnType<ProviderIndex['leading']>,
): SignalPayload {
  const attention =
    leading === undefined
      ? {
          state: 'idle' as const,
          count: 0,
          primary_project: '',
          projects: [],
          reason: '',
          since: seconds(record.empty_since),
          updated_at: seconds(record.empty_since),
        }
      : {
          state: leading.session.state,
          count: leading.count,
          primary_project: leading.projects[0] as string,
          projects: leading.projects,
          reason: leading.session.reason,
          since: seconds(leading.session.state_since),
          updated_at: seconds(leading.session.updated_at),
        };
  return { v: 1, name, lamp, attention, alert: record.alert };
}

/** Unix ms to unix seconds. */
export function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}

/** The provider's lamp: its sessions' strongest, or its fallback; `completed` as a fallback lasts its time. */
export function providerLamp(
  index: LampState | undefined,
  record: ProviderRecord,
  now: number,
  completed: number,
): LampState {
  if (index !== undefined) return index;
  return record.fallback === 'completed' && now >= record.fallback_at + completed ? 'ready' : record.fallback;
}

/** The strongest of several lamps, `ready` for none. */
export function overallLamp(lamps: readonly LampState[]): LampState {
  return lamps.toSorted(compareLamps)[0] ?? 'ready';
}
