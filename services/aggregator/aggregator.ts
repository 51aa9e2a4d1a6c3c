import { type Adapted, adapt } from '../../protocol/adapters/adapt.ts';
import { type ErrorCode, errorMessage } from '../../protocol/errors.ts';
import type { TableChanges } from '../../protocol/table-changes.ts';
import type { Session, StatusReport } from '../../protocol/session.ts';
import { SessionTable } from '../../protocol/table.ts';
import type { Cancel } from '../../runtime/clock.ts';
import type { AggregatorOptions } from './aggregator-options.ts';
import { Counters } from './counters.ts';
import { eventRow } from './event-row.ts';
import { fingerprintOf } from './fingerprint.ts';
import { GroupCommit } from './group-commit.ts';
import { clearLeftovers } from './hygiene.ts';
import type { Accepted, AcceptOptions, Dealt, EventJob, Job, Refused, StatusJob } from './jobs.ts';
import { Presence } from './presence.ts';
import { Publisher } from './publisher.ts';
import { Requests } from './requests.ts';
import { Retention } from './retention.ts';
import { SenderClocks } from './sender-clocks.ts';
import type { Recovered } from '../../runtime/database/database-store.ts';
import type { EventRow, RefusalRow } from './store/rows.ts';
import { createTableView, type TableView } from './table-view.ts';
import { storedTable } from './stored-table.ts';
import type { Said } from './user-words.ts';
import { Unsaved } from './unsaved.ts';

/** The hub's one door for events (spec: bus, "Durability" 1), and all that it knows of sessions. */
export interface Aggregator {
  /**
   * Adapts a payload, cuts it down, writes it and applies it; in groups, in order. Resolves when the event or its refusal is on disk.
   * @param provider the topic's level or a name, in any case
   * @throws SignalboxError `not_committed`: it is kept nowhere, and the sender has to send it again
   */
  accept(provider: string, payload: Uint8Array | string, options?: AcceptOptions): Promise<Accepted>;
  /**
   * Takes a second source's word, in order with the events. Resolves when what it changed is published; what the disk would not take is written with the next group.
   * @param moment the client's own time stamp, unix ms
   */
  observe(report: StatusReport, moment: number, options?: AcceptOptions): Promise<void>;
  /** Calls back with the sessions that a group has changed, by table id, `undefined` for those that are gone; at once with all there are. */
  onSessions(callback: (changed: ReadonlyMap<string, Session | undefined>) => void): Cancel;
  /** What the table and the counters say at the moment. */
  readonly view: TableView;
  /** What `signalbox/health` tells has changed. */
  tellHealth(): void;
  /** Counts and tells on the bus what was turned away before it came here, e.g. by the broker. */
  reject(
    provider: string | undefined,
    code: ErrorCode,
    params: Readonly<Record<string, string | number>>,
  ): void;
  /** Reads the table back, refuses a second hub on the prefix, clears leftovers, publishes everything, answers requests. @throws SignalboxError `prefix_taken` */
  start(): Promise<void>;
  /**
   * Says that the hub is here, now and after each reconnect.
   * @param hears resolves when another broker's hook events reach the hub again after a reconnect, which is not told before; left out where they come by the door alone
   */
  announce(hears?: () => Promise<void>): Promise<void>;
  /** Commits what waits and says goodbye. The link and the store are closed by whoever opened them. */
  stop(): Promise<void>;
  /** What was spooled or redelivered is in: a wait among it that still stands alerts once, a little later (spec: state, rule 11). */
  drained(): void;
  /** The database was damaged while in use and has been replaced by an empty one: writes all that is known again. */
  recovered(recovered: Recovered): void;
}

const decoder = new TextDecoder();

/** Creates the aggregator; it speaks on the bus only once started. */
export function createAggregator(options: AggregatorOptions): Aggregator {
  const { link, store, clock, log, adapting } = options;
  const table = new SessionTable(options.table);
  const counters = new Counters();
  const unsaved = new Unsaved();
  const clocks = new SenderClocks({ store });
  const publisher = new Publisher(table, link, log);
  const presence = new Presence(options.presence, { link, clock, table, counters, store, log });
  const requests = new Requests({
    link,
    clock,
    log,
    table,
    store,
    options: options.table,
    historyDays: options.historyDays,
    namesRequesters: options.namesRequesters,
    ...(options.phone !== undefined && { phone: options.phone }),
    say,
    refuse: (code, params) => presence.reject('', code, errorMessage(code, params), clock.now()),
  });
  const retention = new Retention({ clock, store, days: options.historyDays, log });
  const group = new GroupCommit<Job, Accepted | undefined>({ work: commitJobs });
  const cancels: Cancel[] = [];
  const followers = new Set<(changed: TableChanges['sessions']) => void>();
  let timer: { readonly due: number; readonly cancel: Cancel } | undefined;

  /** One group: time first, then its jobs in order of arrival, then one transaction, then the bus. */
  function commitJobs(jobs: readonly Job[]): (Accepted | undefined)[] {
    const events: EventRow[] = [];
    const refusals: RefusalRow[] = [];
    let dealt: (Dealt | undefined)[];
    try {
      table.advance(clock.now());
      dealt = jobs.map((job) => ('report' in job ? observed(job) : dealWith(job, events, refusals)));
      writeAndPublish(events, refusals);
    } catch (error) {
      // Whoever sends it again must not hear that it is known.
      for (const job of jobs)
        if ('adapted' in job && job.adapted.ok) table.forget(job.adapted.event, job.fingerprint);
      throw error;
    }
    const published = performance.now();
    let isNews = false;
    // Counted and told only when it is on disk: what was not kept comes again.
    for (const [index, one] of dealt.entries()) {
      if (one?.fate === 'refused') tellRefusal(jobs[index] as EventJob, one.result);
      else if (one !== undefined) isNews = counters.event(one.result.event, one.fate) || isNews;
    }
    if (isNews) presence.tellHealth();
    for (const job of jobs) {
      if (!('adapted' in job) || !job.live) continue;
      clocks.noteEvent(job, { host: adapting.host, log });
      if (job.adapted.ok) options.onPublished?.(published - job.entered);
    }
    return dealt.map((one) => one?.result);
  }

  function observed({ report, moment, arrival, live }: StatusJob): undefined {
    table.observe(report, moment, { now: arrival, live });
  }

  function dealWith(job: EventJob, events: EventRow[], refusals: RefusalRow[]): Dealt {
    const { provider, adapted, fingerprint, arrival, live } = job;
    if (!adapted.ok) {
      refusals.push({ provider: slugOf(provider) ?? '', code: adapted.code, at: arrival });
      const message = errorMessage(adapted.code, adapted.params);
      return { result: { ok: false, code: adapted.code, message }, fate: 'refused' };
    }
    const { event } = adapted;
    const known = event.id !== undefined && store.isKnown(event.provider, event.id);
    const outcome = known ? 'duplicate' : table.apply(event, { now: arrival, live, fingerprint });
    if (outcome !== 'duplicate') events.push(eventRow(event, job, adapting.hasher.sha256));
    return {
      result: { ok: true, event },
      fate: outcome === 'duplicate' || outcome === 'late' ? outcome : 'accepted',
    };
  }

  function tellRefusal({ provider, arrival, tell }: EventJob, { code, message }: Refused): void {
    counters.refusal(slugOf(provider), code);
    if (tell) presence.reject(provider, code, message, arrival);
  }

  function slugOf(provider: string): string | undefined {
    return adapting.registry.find(provider)?.slug;
  }

  /** Writes what has changed and publishes it. The bus goes on when the disk does not, and says so; then this throws. */
  function writeAndPublish(events: readonly EventRow[], refusals: readonly RefusalRow[]): void {
    const changes = table.takeChanges();
    const started = performance.now();
    try {
      store.commit({ refusals, ...unsaved.with(changes, events) });
      unsaved.clear();
      counters.commit(events.length + refusals.length, performance.now() - started);
      presence.healthy('not_committed');
    } catch (error) {
      unsaved.keep(changes);
      counters.failedCommit();
      presence.unhealthy('not_committed');
      log.error('the database could not be written', { error });
      throw error;
    } finally {
      publisher.publish(changes);
      if (changes.providers.size > 0) presence.providersChanged();
      if (changes.sessions.size > 0) for (const follow of followers) follow(changes.sessions);
      schedule();
    }
  }

  /** A user's word, in its place behind the events that have come before it; what it changes is on disk, and told, before it is answered. */
  function say(act: (now: number) => Said): object {
    group.flush();
    const now = clock.now();
    table.advance(now);
    let rows: Said['rows'] = [];
    try {
      const said = act(now);
      rows = said.rows;
      return said.data;
    } finally {
      unsaved.keepWords(rows);
      writeAndPublish([], []);
    }
  }

  /** What time alone changes is written and published like everything else. */
  function tick(): void {
    // It is asked for before its time too, by a jump of the clock: what was set would be left behind, and keep the process from its end.
    timer?.cancel();
    timer = undefined;
    table.advance(clock.now());
    try {
      writeAndPublish([], []);
    } catch {
      // Told already, and kept for the next group.
    }
  }

  function schedule(): void {
    const due = table.nextDeadline();
    if (due === timer?.due) return;
    timer?.cancel();
    timer = due === undefined ? undefined : { due, cancel: clock.at(due, tick) };
  }

  function isDamaged({ reason, movedTo }: Recovered): void {
    log.error('the database was damaged and has been moved aside; a fresh one is in its place', {
      reason,
      path: movedTo,
    });
    presence.unhealthy('database_damaged');
  }

  return {
    view: createTableView(table, counters),
    async accept(provider, payload, { live = true, found = false, tell = true, timed = true } = {}) {
      const [arrival, entered] = [clock.now(), performance.now()];
      const text = typeof payload === 'string' ? payload : decoder.decode(payload);
      const adapted = adapt({ provider, payload: text, received: arrival, timed }, adapting);
      const fingerprint = fingerprintOf(text, adapted, adapting.hasher);
      // An event is never without its answer.
      const job = { provider, adapted, fingerprint, arrival, entered, live, found, tell };
      return group.submit(job) as Promise<Accepted>;
    },
    async observe(report, moment, { live = true } = {}) {
      // A disk that takes nothing is told of by the commit that failed.
      await group.submit({ report, moment, arrival: clock.now(), live }).catch(() => undefined);
    },
    onSessions(callback) {
      followers.add(callback);
      callback(table.everything().sessions);
      return () => void followers.delete(callback);
    },
    tellHealth: () => presence.tellHealth(),
    reject(provider = '', code, params) {
      const adapted: Adapted = { ok: false, code, params };
      // A refusal that can't be written is told in the log by the commit that failed; nobody waits for it.
      group
        .submit({
          ...{ provider, adapted, fingerprint: '', arrival: clock.now(), entered: 0 },
          ...{ live: true, found: false, tell: true },
        })
        .catch(() => undefined);
    },
    async start() {
      table.restore(storedTable(store, clock.now()), clock.now());
      if (store.recovered !== undefined) {
        isDamaged(store.recovered);
        table.distrust(clock.now());
      }
      await presence.refuseSecondHub();
      tick();
      await clearLeftovers(link, table, options.presence.hubId);
      publisher.publishAll();
      await requests.start();
      cancels.push(
        clock.onJump((jump) => {
          table.shift(jump);
          tick();
        }),
        retention.start(),
      );
    },
    announce: (hears) => presence.announce(() => publisher.publishAll(), hears),
    async stop() {
      for (const cancel of cancels.splice(0)) cancel();
      group.flush();
      timer?.cancel();
      timer = undefined;
      await requests.stop();
      await presence.stop();
    },
    drained() {
      table.drained(clock.now());
      tick();
    },
    recovered(recovered) {
      isDamaged(recovered);
      unsaved.keep(table.everything());
    },
  };
}
