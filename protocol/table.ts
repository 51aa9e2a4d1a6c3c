import { wantsAck } from './ack.ts';
import { alertingOf, calls, newestCall, owesAlert } from './alerts.ts';
import { ChildSessions } from './child-sessions.ts';
import { Deadlines } from './deadlines.ts';
import { derive } from './derive.ts';
import { pauses, SIGNAL_TABLE, startsAnew } from './event-table.ts';
import type { CanonicalEvent } from './events.ts';
import {
  DUPLICATE_WINDOW,
  GONE_MEMORY,
  HISTORY_REACH,
  HOOKS_WORK,
  LEAVES_STALE,
  REPLAY_SETTLE,
} from './expiry.ts';
import { closedTrack, type Folded, foldIn } from './fold.ts';
import { GoneSessions } from './gone-sessions.ts';
import { isMeaningless } from './irrelevant.ts';
import type { LineParts } from './line.ts';
import type { SignalPayload } from './messages/signal.ts';
import { type Pause, Pauses } from './pauses.ts';
import { ProviderRecords } from './provider-records.ts';
import { RecentEvents } from './recent-events.ts';
import { restoredTrack } from './restored-track.ts';
import {
  type Attention,
  eventInput,
  type FoldInput,
  type Received,
  type Session,
  type SessionFacts,
  type StatusReport,
} from './session.ts';
import { SessionBook } from './session-book.ts';
import { isSessionId, sessionId, sessionKey } from './session-key.ts';
import { shiftSession } from './shift.ts';
import { Shown } from './shown.ts';
import type { LampState } from './states.ts';
import { spanBegins } from './spans.ts';
import { settleStatus } from './status.ts';
import { Tracks } from './tracks.ts';
import type { Outcome, StoredTable, TableChanges, TableOptions } from './table-changes.ts';

/** Begins the ids of deadlines that are no session's (those are `<slug> <12 hex>`) and no provider's. */
const DRAINED = 'drained at ';

/**
 * All sessions, and what is shown of them: the pure heart of the hub. In memory, without clock and I/O: `now` is an argument, and whoever drives it stores and
 * publishes `takeChanges()` and calls `advance` when `nextDeadline` has come. Every call costs the same however many sessions there are.
 */
export class SessionTable {
  readonly #options: TableOptions;
  readonly #sessions: SessionBook;
  readonly #deadlines = new Deadlines();
  readonly #providers: ProviderRecords;
  readonly #shown: Shown;
  readonly #tracks = new Tracks();
  readonly #gone: GoneSessions;
  readonly #pauses = new Pauses(this.#deadlines);
  readonly #recent = new RecentEvents(DUPLICATE_WINDOW);
  readonly #children = new ChildSessions({
    find: (event) => this.#sessions.get(this.#idOf(event)),
    ofProject: (event) => this.#sessions.ofProject(event),
  });
  #now = 0;

  constructor(options: TableOptions) {
    this.#options = options;
    this.#providers = new ProviderRecords(options.timeouts.completed, this.#deadlines);
    this.#gone = new GoneSessions(this.#providers, this.#deadlines);
    this.#sessions = new SessionBook(options.names, this.#providers);
    this.#shown = new Shown(options, this.#sessions, this.#providers, this.#pauses);
  }

  /** Takes over what was stored. Call once, then `advance`. What lies in the future (the clock was set back meanwhile) counts from now. */
  restore({ sessions, providers, recent, ...stored }: StoredTable, now: number): void {
    this.#now = now;
    this.#pauses.restore(stored.pauses ?? [], now);
    this.#providers.restore(providers, now);
    for (const [id, { updated_at }] of this.#gone.restore(providers, now))
      this.#tracks.set(id, { window: [], closed_until: updated_at });
    for (const session of sessions.toSorted((a, b) => a.updated_at - b.updated_at)) {
      const ahead = session.updated_at - now;
      const placed = this.#sessions.place(ahead > 0 ? shiftSession(session, -ahead) : session, undefined);
      const id = sessionId(placed.provider, placed.key);
      this.#deadlines.set(id, now);
      this.#tracks.set(id, restoredTrack(placed, recent?.get(id) ?? [], this.#options.rules));
    }
    this.#children.restore(sessions);
  }

  /** Takes an accepted event, after what time alone has made by then; its `host` and `session_id` are filled in, but for a raw signal that names no session. */
  apply(given: CanonicalEvent, received: Received): Outcome {
    const { now } = received;
    this.advance(now);
    if (this.#recent.seen(given, received)) return 'duplicate';
    const event = this.#children.fold(given);
    if (event !== given) this.#foldAway(given, now);
    if (event.session_id === undefined) return this.#applySignalToAll(event, now);
    const key = this.#keyOf(event.host ?? '', event.session_id);
    const id = sessionId(event.provider, key);
    if (this.#isForeignThread(event, id, now)) return 'no_change';
    this.#providers.hear(event, now);
    // Without meaning, and many: they would fill the window (rule 6).
    if (isMeaningless(event)) return 'no_change';
    const outcome = this.#fold(id, key, eventInput(event, now), received.live);
    if (outcome !== 'applied') return outcome;
    const session = this.#sessions.get(id);
    if (session !== undefined && startsAnew(event)) this.#clearEarlier(session);
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

  /** The user knows what these sessions wait for (spec: state, section 6 "The user's words"). @param by who says so @returns those that had something to know */
  acknowledge(sessions: readonly Session[], by: string, now: number): Session[] {
    this.advance(now);
    return sessions.filter(({ provider, key }) => {
      const id = sessionId(provider, key);
      const live = this.#sessions.get(id)?.replayed !== true;
      return this.#fold(id, key, { ack: { by }, arrival: now }, live) === 'applied';
    });
  }

  /** Does this session wait for a word that the user knows of it? */
  wantsAck(session: Session): boolean {
    return wantsAck(session, this.#now);
  }

  /** These waits stay as they are, and alert once more when the time has come and they still stand. Those that wait for nobody are left alone. @returns the others */
  snooze(sessions: readonly Session[], until: number, now: number): Session[] {
    const waiting = sessions.filter((session) => session.state === 'needs_user' && calls(session));
    for (const session of waiting) {
      const id = sessionId(session.provider, session.key);
      this.#sessions.place({ ...session, alert_due: until, snoozed_until: until, muted: undefined }, session);
      this.#deadlines.set(id, now);
    }
    this.advance(now);
    return waiting;
  }

  /** Pauses everything, a provider's slug or a session's table id. @param until unix ms; until it is resumed without it @returns what stands now */
  pause(scope: string, until: number | undefined, by: string, now: number): Pause {
    this.advance(now);
    return this.#pauses.pause(scope, until, by, now);
  }

  /** Ends every pause within a scope. @returns those that stood */
  resume(scope: string, now: number): Pause[] {
    this.advance(now);
    return this.#pauses.resume(scope, now);
  }

  /** The pauses that stand, the widest first. */
  pauses(): Pause[] {
    return this.#pauses.standing();
  }

  /** The widest pause that stands for this session, or for a provider. */
  pauseOf({ provider, key }: { readonly provider: string; readonly key?: string }): Pause | undefined {
    return this.#pauses.of(provider, key === undefined ? undefined : sessionId(provider, key));
  }

  /** Takes these sessions out, and what is left of these providers' earlier ones (spec: state, section 6 "The user's words"). */
  clear(sessions: readonly Session[], providers: readonly string[], now: number): void {
    this.advance(now);
    for (const session of sessions) {
      const id = sessionId(session.provider, session.key);
      const track = closedTrack(this.#tracks.get(id));
      this.#remove(id, session, now, 'clear');
      // What was under way still must not bring it back; what happens from now on does.
      this.#tracks.set(id, track);
      this.#deadlines.set(id, now + GONE_MEMORY);
    }
    for (const slug of providers) this.#providers.replaceFallback(slug, now);
  }

  /** Puts a step in its place among the session's others, and keeps what comes of them. */
  #fold(id: string, key: string, input: FoldInput, live: boolean): Outcome {
    const before = this.#sessions.get(id);
    const known = before ?? this.#gone.get(id);
    const folded = foldIn(this.#tracks.get(id), known, input, this.#options.rules);
    const { facts, track, late } = folded;
    if (late) return 'late';
    this.#tracks.set(id, track);
    if (facts === undefined) {
      // Remembered for a while: it may be told of yet.
      this.#deadlines.set(id, input.arrival + GONE_MEMORY);
      return 'no_change';
    }
    if (facts === known) return 'no_change';
    const happened = happenedAt(input, folded, live);
    if (facts.gone === true) {
      if (before !== undefined) this.#remove(id, before, input.arrival, 'gone', { by: 'gone', at: happened });
      this.#tracks.set(id, track);
      this.#gone.add(id, facts, input.arrival);
    } else {
      this.#gone.delete(id);
      if (!('ack' in input) && !('event' in input && pauses(input.event)))
        this.#providers.replaceFallback(facts.provider, input.arrival);
      this.#keep(id, key, facts, before, { now: input.arrival, live, happened, acked: 'ack' in input });
    }
    return 'applied';
  }

  #forgetGone(id: string): void {
    this.#tracks.delete(id);
    this.#gone.delete(id);
  }

  /** Does everything whose deadline has come: expiry, alerts, requests that are raised, lamps that change. */
  advance(now: number): void {
    this.#now = now;
    for (let id = this.#deadlines.take(now); id !== undefined; id = this.#deadlines.take(now)) {
      const session = this.#sessions.get(id);
      if (session !== undefined) {
        const facts = settleStatus(session, now, this.#options.rules);
        this.#keep(id, session.key, facts, session, { now, live: session.replayed !== true, happened: now });
      } else if (id.startsWith(DRAINED)) this.#alertOwed(now);
      else if (this.#pauses.end(id, now)) continue;
      else if (isSessionId(id)) this.#forgetGone(id);
      else this.#providers.touch(id);
    }
  }

  /** What was spooled or redelivered is in: 2 s later, a wait that still stands and has never alerted does so once (rule 11). */
  drained(now: number): void {
    this.advance(now);
    const due = now + REPLAY_SETTLE;
    this.#deadlines.set(`${DRAINED}${due}`, due);
  }

  #alertOwed(now: number): void {
    for (const [id, session] of this.#sessions.everything()) {
      if (!owesAlert(session, now)) continue;
      const isMuted = this.#pauses.covers(session.provider, id, (newestCall(session) as Attention).moment);
      const word = isMuted ? { muted: true } : { alert_due: now };
      this.#sessions.place({ ...session, replayed: undefined, ...word }, session);
      this.#deadlines.set(id, now);
    }
  }

  /** Takes an event that could not be stored out of the memory of what has been here: it will come again. */
  forget(event: CanonicalEvent, fingerprint: string): void {
    this.#recent.forget(event, fingerprint);
  }

  /** What was known is lost (a damaged database): until live evidence is in, nothing is green. */
  distrust(now: number): void {
    this.#now = now;
    for (const slug of this.providers()) this.#providers.setFallback(slug, 'stale', now);
  }

  /** When `advance` is due next, unix ms. */
  nextDeadline(): number | undefined {
    return this.#deadlines.next();
  }

  /** The wall clock was set: moves every time by as much, so that what was left of each stays. @param by ms */
  shift(by: number): void {
    const sessions = [...this.#sessions.values()];
    this.#deadlines.shift(by);
    // What the clients' clocks said before has no place among what they say from now on.
    this.#tracks.clear();
    for (const session of sessions) this.#sessions.place(shiftSession(session, by), session);
    this.#providers.shift(by);
    this.#gone.shift(by);
    this.#now += by;
    this.#pauses.shift(by, this.#now);
  }

  takeChanges(): TableChanges {
    return {
      ...this.#sessions.takeChanges(),
      providers: this.#providers.takeChanged(),
      pauses: this.#pauses.takeChanged(),
    };
  }

  /** All that is stored, as changes. */
  everything(): Pick<TableChanges, 'sessions' | 'providers' | 'pauses'> {
    return {
      sessions: this.#sessions.everything(),
      providers: this.#providers.all(),
      pauses: this.#pauses.all(),
    };
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
    return this.#sessions.projectOf(session);
  }

  /** Slugs of the providers that have a signal, in registry order. */
  providers(): string[] {
    return this.#shown.providers();
  }

  signal(slug: string): SignalPayload {
    return this.#shown.signal(slug, this.#now);
  }

  lamp(slug: string): LampState {
    return this.#shown.lamp(slug, this.#now);
  }

  /** A session's lamp as it is to be shown. */
  lampOf(session: Pick<Session, 'provider' | 'key' | 'lamp'>): LampState {
    return this.#shown.lampOf(session);
  }

  lampAll(): LampState {
    return this.#shown.lampAll(this.#now);
  }

  line(): LineParts {
    return this.#shown.line(this.#now);
  }

  /** A child that was heard of before anything told whose it is has a record of its own: it goes. */
  #foldAway(child: CanonicalEvent, now: number): void {
    const id = this.#idOf(child);
    const session = this.#sessions.get(id);
    if (session !== undefined) this.#remove(id, session, now, 'subagent');
  }

  #idOf({
    provider,
    host = '',
    session_id = '',
  }: Pick<CanonicalEvent, 'provider' | 'host' | 'session_id'>): string {
    return sessionId(provider, this.#keyOf(host, session_id));
  }

  #keyOf(host: string, session: string): string {
    return sessionKey(host, session, this.#options.sha256);
  }

  /** Codex' notify reports internal threads too: one that no hook has named is ignored while hooks work (rule 13). */
  #isForeignThread(event: CanonicalEvent, id: string, now: number): boolean {
    return (
      event.notify === true &&
      this.#sessions.get(id) === undefined &&
      now - this.#providers.get(event.provider).hooks_at < HOOKS_WORK
    );
  }

  /** A raw signal that names no session sets the provider's fallback; without a provider every provider's (spec: state, section 1). */
  #applySignalToAll(event: CanonicalEvent, now: number): Outcome {
    const shows = event.signal === undefined ? undefined : SIGNAL_TABLE[event.signal].shows;
    if (shows === undefined) return 'no_change';
    const slugs = event.provider === 'all' ? this.providers() : [event.provider];
    for (const slug of slugs) this.#providers.setFallback(slug, shows, now);
    return 'applied';
  }

  /** Derives, stores and tells of a session's change; `undefined` when its time is over and it was removed. */
  #keep(
    id: string,
    key: string,
    facts: SessionFacts,
    before: Session | undefined,
    at: { now: number; live: boolean; happened: number; acked?: boolean },
  ): Session | undefined {
    const derived = derive(facts, at.now, this.#options.timeouts);
    const began = derived.over_at ?? at.happened;
    if (derived.removed) {
      if (before !== undefined) {
        // Whoever was not there when its time was over still knows when that was.
        const ended = before.state === derived.state ? derived.deadline : began;
        this.#remove(id, before, at.now, derived.reason, { by: 'expiry', at: ended });
      }
      if (facts.worked && LEAVES_STALE.has(derived.state))
        this.#providers.setFallback(facts.provider, 'stale', at.now);
      return undefined;
    }
    const { state, reason, lamp } = derived;
    const entered = state !== before?.state;
    const isPaused = (time: number): boolean => this.#pauses.covers(facts.provider, id, time);
    const { alerts, ...alerting } = alertingOf({ ...facts, state }, before, at, isPaused);
    const isQuiet = !entered && !alerts && alerting.alert_due === before.alert_due;
    const same = facts === before && isQuiet && reason === before.reason && lamp === before.lamp;
    if (same) {
      this.#deadlines.set(id, Math.min(derived.deadline, before.alert_due ?? derived.deadline));
      return before;
    }
    if (alerts)
      this.#providers.change(facts.provider, { alert: this.#providers.get(facts.provider).alert + 1 });
    const session: Session = {
      ...facts,
      key,
      project_name: before?.project_name ?? '',
      state,
      reason,
      lamp,
      state_since: state === before?.state ? before.state_since : at.now,
      span_since: spanBegins(derived, before, began),
      last_running_at: state === 'running' ? at.now : before?.last_running_at,
      ...alerting,
      replayed: at.live ? undefined : true,
    };
    const placed = this.#sessions.place(session, before);
    this.#deadlines.set(id, Math.min(derived.deadline, session.alert_due ?? derived.deadline));
    this.#sessions.tell(placed, before, at.now, at.acked === true);
    return placed;
  }

  #remove(
    id: string,
    session: Session,
    now: number,
    reason: string,
    ended?: { readonly by: string; readonly at: number },
  ): void {
    this.#sessions.remove(id, session, now, reason, ended);
    this.#tracks.delete(id);
    this.#deadlines.delete(id);
  }

  #clearEarlier(session: Session): void {
    for (const other of this.#sessions.earlier(session)) {
      if (other.key !== session.key)
        this.#remove(sessionId(other.provider, other.key), other, this.#now, 'session_start');
    }
  }
}

/** When a step happened, for the history: its arrival, or its own moment where it was told late or has been put in its place among others. Unix ms. */
function happenedAt(input: FoldInput, { refolded }: Folded, live: boolean): number {
  const { arrival } = input;
  if ('ack' in input || (live && !refolded)) return arrival;
  return Math.max(input.moment, arrival - HISTORY_REACH);
}
