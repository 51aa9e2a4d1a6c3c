import { ProviderIndex } from './aggregate.ts';
import type { CanonicalEvent } from './events.ts';
import { ProjectNames } from './project-names.ts';
import type { NameRules } from './project-name.ts';
import type { ProviderRecords } from './provider-records.ts';
import type { Session } from './session.ts';
import { sessionId } from './session-key.ts';
import { isSameSpan, openSpan, type Span, spanSince } from './spans.ts';
import { ATTENTION_STATES } from './states.ts';
import type { TableChanges, Transition } from './table-changes.ts';

/** The live sessions with the indexes that are kept beside them, and what has changed among them since it was last taken. */
export class SessionBook {
  readonly #sessions = new Map<string, Session>();
  readonly #indexes = new Map<string, ProviderIndex>();
  readonly #names: ProjectNames;
  readonly #providers: ProviderRecords;
  #changed = new Map<string, Session | undefined>();
  #transitions: Transition[] = [];
  #spans: Span[] = [];

  constructor(names: NameRules, providers: ProviderRecords) {
    this.#names = new ProjectNames(names);
    this.#providers = providers;
  }

  get size(): number {
    return this.#sessions.size;
  }

  get(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  values(): IterableIterator<Session> {
    return this.#sessions.values();
  }

  index(provider: string): ProviderIndex | undefined {
    return this.#indexes.get(provider);
  }

  /** The project's name as it is to be shown. */
  projectOf(session: Pick<Session, 'provider' | 'key'>): string {
    return this.#names.shown(sessionId(session.provider, session.key));
  }

  /** Puts a session in. @param before the same session as it was put in last @returns it, with its project's name */
  place(session: Session, before: Session | undefined): Session {
    const id = sessionId(session.provider, session.key);
    let placed = session;
    if (before === undefined || before.cwd !== session.cwd) {
      if (before !== undefined) this.#touch(this.#names.remove(id));
      const { short, touched } = this.#names.add(id, session.cwd, session.session_id);
      placed = { ...session, project_name: short };
      this.#touch(touched);
    }
    this.#sessions.set(id, placed);
    const index =
      this.#indexes.get(session.provider) ??
      new ProviderIndex((other) => this.#sessions.get(other) as Session);
    this.#indexes.set(session.provider, index);
    index.place(id, placed, before);
    this.#changed.set(id, placed);
    this.#providers.touch(session.provider);
    return placed;
  }

  /** Notes a change of state, or the end of a turn. @param now unix ms; @param acked the user's word has made it */
  tell(session: Session, before: Session | undefined, now: number, acked: boolean): void {
    if (before !== undefined && !isSameSpan(session, before))
      this.#close(before, spanSince(session), acked ? 'ack' : session.reason);
    const turnEnded = before?.turn.running === true && !session.turn.running;
    if (session.state === before?.state && !turnEnded) return;
    const event_type = session.state === before?.state ? 'turn_end' : session.state;
    this.#transition(session, {
      from: before?.state ?? null,
      to: session.state,
      event_type,
      reason: session.reason,
      at: now,
    });
  }

  /** Takes a session out. @param now unix ms; @param ended what its last state ended by, and when that was, unix ms */
  remove(
    id: string,
    session: Session,
    now: number,
    reason: string,
    ended: { readonly by: string; readonly at: number } = { by: reason, at: now },
  ): void {
    const { provider } = session;
    this.#close(session, ended.at, ended.by);
    this.#transition(session, { from: session.state, to: null, event_type: 'removed', reason, at: now });
    const index = this.#indexes.get(provider);
    index?.remove(id, session);
    this.#sessions.delete(id);
    this.#touch(this.#names.remove(id));
    this.#changed.set(id, undefined);
    this.#providers.change(provider, index?.empty === true ? { empty_since: now } : {});
  }

  /** The live sessions of this provider, host and folder. */
  *ofProject({
    provider,
    host = '',
    cwd,
  }: Pick<CanonicalEvent, 'provider' | 'host' | 'cwd'>): Generator<Session> {
    if (cwd === undefined) return;
    for (const id of this.#indexes.get(provider)?.sameProject({ host, cwd, key: '' }, ATTENTION_STATES) ?? [])
      yield this.#sessions.get(id) as Session;
  }

  /**
   * What a new SessionStart clears: its project's records that wait for nobody, but those whose process is known to be alive and is another one; a waiting one only if both
   * were written by hand (spec: state, section 5). The session itself may be among them.
   */
  earlier(session: Session): Session[] {
    if (session.cwd === undefined) return [];
    // Waiting ones are not even looked at unless they might go: there may be many.
    const states = session.by_hand
      ? ATTENTION_STATES
      : ATTENTION_STATES.filter((state) => state !== 'needs_user');
    const index = this.#indexes.get(session.provider) as ProviderIndex;
    const ids = index.sameProject(session, states);
    return Array.from(ids, (id) => this.#sessions.get(id) as Session).filter(
      ({ state, by_hand, process }) =>
        (state !== 'needs_user' || by_hand) && (process === undefined || process.pid === session.pid),
    );
  }

  takeChanges(): Pick<TableChanges, 'sessions' | 'transitions' | 'spans'> {
    const changes = { sessions: this.#changed, transitions: this.#transitions, spans: this.#spans };
    this.#changed = new Map();
    this.#transitions = [];
    this.#spans = [];
    return changes;
  }

  everything(): ReadonlyMap<string, Session> {
    return new Map(this.#sessions);
  }

  #close(session: Session, until: number, by: string): void {
    this.#spans.push(openSpan(session, this.projectOf(session), until, by));
  }

  #transition(session: Session, what: Omit<Transition, 'provider' | 'key' | 'project' | 'alert'>): void {
    const { provider, key } = session;
    this.#transitions.push({
      provider,
      key,
      project: this.projectOf(session),
      alert: this.#providers.get(provider).alert,
      ...what,
    });
  }

  /** Their shown names may have changed: they are published again. */
  #touch(ids: readonly string[]): void {
    for (const id of ids) {
      const session = this.#sessions.get(id) as Session;
      this.#changed.set(id, session);
      this.#providers.touch(session.provider);
    }
  }
}
