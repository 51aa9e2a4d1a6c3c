import {
  composeSignal,
  overallLamp,
  ProviderIndex,
  type ProviderRecord,
  newProviderRecord,
  providerLamp,
} from './aggregate.ts';
import { Deadlines } from './deadlines.ts';
import { derive } from './derive.ts';
import { SIGNAL_TABLE, startState } from './event-table.ts';
import type { CanonicalEvent } from './events.ts';
import {
  ALERT_SETTLE,
  DUPLICATE_WINDOW,
  GONE_MEMORY,
  HOOKS_WORK,
  LEAVES_STALE,
  type Timeouts,
} from './expiry.ts';
import { foldIn, NEW_TRACK, type Track } from './fold.ts';
import { composeLine, type LineParts } from './line.ts';
import type { SignalPayload } from './messages/signal.ts';
import type { NameRules } from './project-name.ts';
import { ProjectNames } from './project-names.ts';
import { ALWAYS_SHOWN, type ProviderRegistry } from './providers.ts';
import { RecentEvents } from './recent-events.ts';
import type { FoldInput, Received, RuleSettings, Session, SessionFacts, StatusReport } from './session.ts';
import { sessionKey } from './session-key.ts';
import { recordNotAhead, shiftRecord, shiftSession } from './shift.ts';
import { ATTENTION_STATES, type AttentionState, type LampState } from './states.ts';
import { settleStatus } from './status.ts';

export interface TableOptions {
  readonly registry: ProviderRegistry;
  readonly timeouts: Timeouts;
  readonly rules: RuleSettings;
  readonly names: NameRules;
  /** Hex SHA-256, for session keys. */
  readonly sha256: (text: string) => string;
  /** Providers shown beside those that have been heard of: added by settings, or with hooks installed. */
  readonly shown?: readonly string[];
}

/** One session's change of state, or the end of its turn. Times are unix ms. */
export interface Transition {
  readonly provider: string;
  readonly key: string;
  readonly project: string;
  readonly from: AttentionState | null;
  readonly to: AttentionState | null;
  readonly event_type: AttentionState | 'turn_end' | 'removed';
  readonly reason: string;
  readonly alert: number;
  readonly at: number;
}

/** What changed since it was last asked. */
export interface TableChanges {
  /** By table id; `undefined`: removed. */
  readonly sessions: ReadonlyMap<string, Session | undefined>;
  readonly providers: ReadonlyMap<string, ProviderRecord>;
  readonly transitions: readonly Transition[];
}

/** What becomes of an event: taken, the same as one before, without meaning for a session, or too late to have one. */
export type Outcome = 'applied' | 'duplicate' | 'no_change' | 'late';

/** The table's id of a session. */
export function sessionId(provider: string, key: string): string {
  return `${provider} ${key}`;
}

/**
 * All sessions, and what is shown of them: the pure heart of the hub. In memory, without clock and I/O: `now` is an argument, and whoever drives it stores and
 * publishes `takeChanges()` and calls `advance` when `nextDeadline` has come. Every call costs the same however many sessions there are.
 */
export class SessionTable {
  readonly #options: TableOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #records = new Map<string, ProviderRecord>();
  readonly #indexes = new Map<string, ProviderIndex>();
  readonly #deadlines = new Deadlines();
  readonly #names: ProjectNames;
  readonly #tracks = new Map<string, Track>();
  /** What its client has removed: remembered, not shown. */
  readonly #gone = new Map<string, SessionFacts>();
  readonly #recent = new RecentEvents(DUPLICATE_WINDOW);
  #now = 0;
  #changedSessions = new Map<string, Session | undefined>();
  #changedProviders = new Set<string>();
  #transitions: Transition[] = [];

  constructor(options: TableOptions) {
    this.#options = options;
    this.#names = new ProjectNames(options.names);
  }

  /** Takes over what was stored. Call once, then `advance`. What lies in the future (the clock was set back meanwhile) counts from now. */
  restore(stored: { sessions: readonly Session[]; providers: readonly ProviderRecord[] }, now: number): void {
    this.#now = now;
    for (const record of stored.providers) {
      this.#records.set(record.slug, recordNotAhead(record, now));
      if (record.fallback === 'completed') this.#endCompleted(record);
    }
    for (const session of stored.sessions.toSorted((a, b) => a.updated_at - b.updated_at)) {
      const ahead = session.updated_at - now;
      this.#place(ahead > 0 ? shiftSession(session, -ahead) : session, undefined);
    }
  }

  /** Takes an accepted event, after what time alone has made by then; its `host` and `session_id` are filled in, but for a raw signal that names no session. */
  apply(event: CanonicalEvent, received: Received): Outcome {
    const { now } = received;
    this.advance(now);
    if (this.#recent.seen(event, received)) return 'duplicate';
    if (event.session_id === undefined) return this.#applySignalToAll(event, now);
    const key = this.#keyOf(event.host ?? '', event.session_id);
    const id = sessionId(event.provider, key);
    if (this.#isForeignThread(event, id, now)) return 'no_change';
    this.#hear(event, now);
    const moment = Math.min(event.sent_at ?? now, now);
    const outcome = this.#fold(id, key, { event, moment, arrival: now }, received.live);
    if (outcome !== 'applied') return outcome;
    const session = this.#sessions.get(id);
    if (session !== undefined && startsAnew(event)) this.#clearEarlier(id, session);
    return 'applied';
  }

  /** Takes a client's own status (rule 7). @param moment the client's time stamp, unix ms */
  observe(status: StatusReport, moment: number, received: Pick<Received, 'now' | 'live'>): Outcome {
    const { now, live } = received;
    this.advance(now);
    const key = this.#keyOf(status.host, status.session_id);
    const id = sessionId(status.provider, key);
    return this.#fold(id, key, { status, moment: Math.min(moment, now), arrival: now }, live);
  }

  /** Puts a step in its place among the session's others, and keeps what comes of them. */
  #fold(id: string, key: string, input: FoldInput, live: boolean): Outcome {
    const before = this.#sessions.get(id);
    const known = before ?? this.#gone.get(id);
    const { facts, track, late } = foldIn(
      this.#tracks.get(id) ?? NEW_TRACK,
      known,
      input,
      this.#options.rules,
    );
    if (late) return 'late';
    if (facts === undefined || facts === known) {
      if (known !== undefined) this.#tracks.set(id, track);
      return 'no_change';
    }
    this.#tracks.set(id, track);
    if (facts.gone === true) {
      if (before !== undefined) this.#remove(id, before, input.arrival, 'gone');
      this.#tracks.set(id, track);
      this.#gone.set(id, facts);
      this.#deadlines.set(id, input.arrival + GONE_MEMORY);
    } else {
      this.#gone.delete(id);
      if (!('event' in input && pauses(input.event))) this.#replaceFallback(facts.provider, input.arrival);
      this.#keep(id, key, facts, before, { now: input.arrival, live });
    }
    return 'applied';
  }

  /** Does everything whose deadline has come: expiry, alerts, requests that are raised, lamps that change. */
  advance(now: number): void {
    this.#now = now;
    for (let id = this.#deadlines.take(now); id !== undefined; id = this.#deadlines.take(now)) {
      const session = this.#sessions.get(id);
      if (session !== undefined) {
        const facts = settleStatus(session, now, this.#options.rules);
        this.#keep(id, session.key, facts, session, { now, live: session.replayed !== true });
      } else if (this.#gone.delete(id)) this.#tracks.delete(id);
      else this.#changedProviders.add(id);
    }
  }

  /** Takes an event that could not be stored out of the memory of what has been here: it will come again. */
  forget(event: CanonicalEvent, fingerprint: string): void {
    this.#recent.forget(event, fingerprint);
  }

  /** What was known is lost (a damaged database): until live evidence is in, nothing is green. */
  distrust(now: number): void {
    this.#now = now;
    for (const slug of this.providers()) this.#change(slug, { fallback: 'stale', fallback_at: now });
  }

  /** When `advance` is due next, unix ms. */
  nextDeadline(): number | undefined {
    return this.#deadlines.next();
  }

  /** The wall clock was set: moves every time by as much, so that what was left of each stays. @param by ms */
  shift(by: number): void {
    const sessions = [...this.#sessions.values()];
    this.#deadlines.shift(by);
    for (const session of sessions) this.#place(shiftSession(session, by), session);
    for (const record of this.#records.values()) this.#change(record.slug, shiftRecord(record, by));
    this.#now += by;
  }

  takeChanges(): TableChanges {
    const changes: TableChanges = {
      sessions: this.#changedSessions,
      providers: new Map([...this.#changedProviders].map((slug) => [slug, this.#record(slug)])),
      transitions: this.#transitions,
    };
    this.#changedSessions = new Map();
    this.#changedProviders = new Set();
    this.#transitions = [];
    return changes;
  }

  /** All that is stored, as changes. */
  everything(): Pick<TableChanges, 'sessions' | 'providers'> {
    return { sessions: new Map(this.#sessions), providers: new Map(this.#records) };
  }

  get size(): number {
    return this.#sessions.size;
  }

  sessions(): IterableIterator<Session> {
    return this.#sessions.values();
  }

  session(provider: string, key: string): Session | undefined {
    return this.#sessions.get(sessionId(provider, key));
  }

  /** The project's name as it is to be shown. */
  projectOf(session: Pick<Session, 'provider' | 'key'>): string {
    return this.#names.shown(sessionId(session.provider, session.key));
  }

  /** Slugs of the providers that have a signal, in registry order. */
  providers(): string[] {
    const { registry, shown = [] } = this.#options;
    const slugs = new Set([...ALWAYS_SHOWN, ...shown, ...this.#records.keys()]);
    return [...slugs].toSorted((a, b) => registry.order(a) - registry.order(b));
  }

  signal(slug: string): SignalPayload {
    const leading = this.#indexes.get(slug)?.leading((session) => this.projectOf(session));
    const name = this.#options.registry.find(slug)?.name ?? slug;
    return composeSignal(name, this.#record(slug), this.lamp(slug), leading);
  }

  lamp(slug: string): LampState {
    const index = this.#indexes.get(slug)?.lamp();
    return providerLamp(index, this.#record(slug), this.#now, this.#options.timeouts.completed);
  }

  lampAll(): LampState {
    return overallLamp(this.providers().map((slug) => this.lamp(slug)));
  }

  line(): LineParts {
    return composeLine(
      this.providers().map((slug) => this.signal(slug)),
      this.lampAll(),
    );
  }

  #keyOf(host: string, session: string): string {
    return sessionKey(host, session, this.#options.sha256);
  }

  #record(slug: string): ProviderRecord {
    return this.#records.get(slug) ?? newProviderRecord(slug);
  }

  #change(slug: string, change: Partial<ProviderRecord>): void {
    this.#records.set(slug, { ...this.#record(slug), ...change });
    this.#changedProviders.add(slug);
  }

  /** Codex' notify reports internal threads too: one that no hook has named is ignored while hooks work (rule 13). */
  #isForeignThread(event: CanonicalEvent, id: string, now: number): boolean {
    return (
      event.notify === true &&
      !this.#sessions.has(id) &&
      now - this.#record(event.provider).hooks_at < HOOKS_WORK
    );
  }

  /** Notes that a provider has been heard of; to the minute, since it is stored. */
  #hear(event: CanonicalEvent, now: number): void {
    const record = this.#records.get(event.provider);
    if (record === undefined || (event.notify !== true && now - record.hooks_at > 60_000)) {
      this.#change(event.provider, event.notify === true ? {} : { hooks_at: now });
    }
  }

  /** A raw signal that names no session sets the provider's fallback; without a provider every provider's (spec: state, section 1). */
  #applySignalToAll(event: CanonicalEvent, now: number): Outcome {
    const shows = event.signal === undefined ? undefined : SIGNAL_TABLE[event.signal].shows;
    if (shows === undefined) return 'no_change';
    const slugs = event.provider === 'all' ? this.providers() : [event.provider];
    for (const slug of slugs) {
      this.#change(slug, { fallback: shows, fallback_at: now });
      if (shows === 'completed') this.#endCompleted(this.#record(slug));
    }
    return 'applied';
  }

  /** A provider's deadlines stand under its slug, which is no session's id: those have a blank. */
  #endCompleted({ slug, fallback_at }: ProviderRecord): void {
    this.#deadlines.set(slug, fallback_at + this.#options.timeouts.completed);
  }

  /** An old fallback never locks: the next thing heard of a session that doesn't pause replaces it. */
  #replaceFallback(slug: string, now: number): void {
    if (this.#record(slug).fallback !== 'ready') this.#change(slug, { fallback: 'ready', fallback_at: now });
  }

  /** Derives, stores and tells of a session's change; `undefined` when its time is over and it was removed. */
  #keep(
    id: string,
    key: string,
    facts: SessionFacts,
    before: Session | undefined,
    at: { now: number; live: boolean },
  ): Session | undefined {
    const derived = derive(facts, at.now, this.#options.timeouts);
    if (derived.removed) {
      if (before !== undefined) this.#remove(id, before, at.now, derived.reason);
      if (facts.worked && LEAVES_STALE.has(derived.state))
        this.#change(facts.provider, { fallback: 'stale', fallback_at: at.now });
      return undefined;
    }
    const { state, reason, lamp } = derived;
    const entered = state !== before?.state;
    const due = state === 'needs_user' ? alertDue(facts, before, at) : undefined;
    const alerts = due !== undefined && due <= at.now;
    const same = facts === before && !entered && !alerts && reason === before.reason && lamp === before.lamp;
    if (same) {
      this.#deadlines.set(id, Math.min(derived.deadline, due ?? derived.deadline));
      return before;
    }
    if (alerts) this.#change(facts.provider, { alert: this.#record(facts.provider).alert + 1 });
    const session: Session = {
      ...facts,
      key,
      project_name: before?.project_name ?? '',
      state,
      reason,
      lamp,
      state_since: state === before?.state ? before.state_since : at.now,
      last_running_at: state === 'running' ? at.now : before?.last_running_at,
      alert_due: alerts ? undefined : due,
      replayed: at.live ? undefined : true,
    };
    const placed = this.#place(session, before);
    this.#deadlines.set(id, Math.min(derived.deadline, session.alert_due ?? derived.deadline));
    this.#tell(placed, before, at.now);
    return placed;
  }

  #tell(session: Session, before: Session | undefined, now: number): void {
    const turnEnded = before?.turn.running === true && !session.turn.running;
    if (session.state === before?.state && !turnEnded) return;
    this.#transitions.push({
      provider: session.provider,
      key: session.key,
      project: this.projectOf(session),
      from: before?.state ?? null,
      to: session.state,
      event_type: session.state === before?.state ? 'turn_end' : session.state,
      reason: session.reason,
      alert: this.#record(session.provider).alert,
      at: now,
    });
  }

  #place(session: Session, before: Session | undefined): Session {
    const id = sessionId(session.provider, session.key);
    let placed = session;
    if (before === undefined || before.cwd !== session.cwd) {
      if (before !== undefined) this.#touch(this.#names.remove(id));
      const { short, touched } = this.#names.add(id, session.cwd, session.session_id);
      placed = { ...session, project_name: short };
      this.#touch(touched);
    }
    this.#sessions.set(id, placed);
    if (!this.#records.has(session.provider)) this.#change(session.provider, {});
    const index =
      this.#indexes.get(session.provider) ??
      new ProviderIndex((other) => this.#sessions.get(other) as Session);
    this.#indexes.set(session.provider, index);
    index.place(id, placed, before);
    if (before === undefined) this.#deadlines.set(id, this.#now);
    this.#changedSessions.set(id, placed);
    this.#changedProviders.add(session.provider);
    return placed;
  }

  /** Their shown names may have changed: they are published again. */
  #touch(ids: readonly string[]): void {
    for (const id of ids) {
      const session = this.#sessions.get(id) as Session;
      this.#changedSessions.set(id, session);
      this.#changedProviders.add(session.provider);
    }
  }

  #remove(id: string, session: Session, now: number, reason: string): void {
    const { provider, key } = session;
    this.#transitions.push({
      provider,
      key,
      project: this.projectOf(session),
      from: session.state,
      to: null,
      event_type: 'removed',
      reason,
      alert: this.#record(provider).alert,
      at: now,
    });
    this.#indexes.get(provider)?.remove(id, session);
    this.#sessions.delete(id);
    this.#tracks.delete(id);
    this.#deadlines.delete(id);
    this.#touch(this.#names.remove(id));
    this.#changedSessions.set(id, undefined);
    this.#change(provider, this.#indexes.get(provider)?.empty === true ? { empty_since: now } : {});
  }

  /** A new SessionStart clears its project's earlier records that wait for nobody; a waiting one only if both were written by hand (section 5). */
  #clearEarlier(id: string, session: Session): void {
    if (session.cwd === undefined) return;
    const index = this.#indexes.get(session.provider) as ProviderIndex;
    // Waiting ones are not even looked at unless they might go: there may be many.
    const states = session.by_hand
      ? ATTENTION_STATES
      : ATTENTION_STATES.filter((state) => state !== 'needs_user');
    for (const other of Array.from(index.sameProject(session, states))) {
      const earlier = this.#sessions.get(other) as Session;
      if (other !== id && (earlier.state !== 'needs_user' || earlier.by_hand))
        this.#remove(other, earlier, this.#now, 'session_start');
    }
  }
}

/** When the alert of this wait is due: once, after the settle time. */
function alertDue(
  facts: SessionFacts,
  before: Session | undefined,
  { now, live }: { now: number; live: boolean },
): number | undefined {
  if (before?.state === 'needs_user' && calls(before)) return before.alert_due;
  return live && calls(facts) ? now + ALERT_SETTLE : undefined;
}

/** A dialog that the user has opened calls nobody. */
function calls(facts: SessionFacts): boolean {
  return facts.attentions.some((open) => open.by_user !== true);
}

/** A raw signal that shows `paused`. */
function pauses(event: CanonicalEvent): boolean {
  return event.signal !== undefined && SIGNAL_TABLE[event.signal].shows === 'paused';
}

/** A SessionStart that isn't a compaction's; a raw `session_start` is one too. */
function startsAnew(event: CanonicalEvent): boolean {
  if (event.signal !== undefined) return SIGNAL_TABLE[event.signal].as === 'SessionStart';
  return event.event === 'SessionStart' && event.agent_id === undefined && startState(event) !== 'unchanged';
}
