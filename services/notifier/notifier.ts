import { decodePayload } from '../../protocol/messages/codec.ts';
import { barrier } from '../../runtime/barrier.ts';
import type { Cancel, Clock } from '../../runtime/clock.ts';
import type { Link, LinkMessage, Unsubscribe } from '../../runtime/link.ts';
import type { Log } from '../../runtime/log.ts';
import { deliver } from './courier.ts';
import { Desk } from './desk.ts';
import { firstOf } from './first-of.ts';
import type { Entry, Outcome } from './ledger.ts';
import { ledgerWords } from './ledger-words.ts';
import { createNtfyClient, type NtfyServer } from './ntfy-client.ts';
import { Records } from './records.ts';
import type { NotifySettings } from './rules.ts';

export interface NotifierOptions {
  readonly link: Link;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: NotifySettings;
  /** Token or password for the server. */
  readonly secrets: Pick<NtfyServer, 'token' | 'password'>;
  /** Path of its own database. */
  readonly database: string;
  readonly synchronous: 'normal' | 'full';
  readonly historyDays: number;
  /** Stays the same over restarts of a data folder. */
  readonly hubId: string;
  /** An agent's name by its slug. */
  readonly nameOf: (provider: string) => string;
  /** Last input in the terminal of a session, at the latest [unix ms]; undefined where nothing tells. */
  readonly lastInput: (provider: string, key: string) => number | undefined;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** How the notifier stands, for `signalbox/health` and for counters. */
export interface NotifierState {
  /** Since the start. */
  readonly counts: Readonly<Record<Outcome, number>>;
  /** What waits to be brought to the server. */
  readonly waiting: number;
  /** What the server was last told, or would not take. */
  readonly last: Entry | undefined;
  /** Why nothing is kept over a restart just now. */
  readonly problem: string | undefined;
}

/** Tells the phone (spec: consumers, section 2). */
export interface Notifier {
  /** Hears of the sessions, and goes on with what a former run has left. Never rejects for its database or the server. */
  start(): Promise<void>;
  /** Ends in a second; what has not been delivered is kept. */
  stop(): Promise<void>;
  /** What was decided about a session lately, newest last. */
  entriesOf(provider: string, key: string): readonly (Entry & { readonly words: string })[];
  state(): NotifierState;
  /** Calls back when what `state` tells has changed. */
  onChange(callback: () => void): Cancel;
}

/** Longest that a stop waits for the attempt under way [ms]. */
const LAST_ATTEMPT = 1_000;
/** Between two looks at the ledger's age [ms]. */
const PRUNE_EVERY = 60 * 60 * 1000;

/** Creates the notifier; it hears and sends only once started. */
export function createNotifier(options: NotifierOptions): Notifier {
  const { link, clock, log, settings, secrets, historyDays } = options;
  const { server, username } = settings;
  const client = createNtfyClient({ server, username, ...secrets });
  const listeners = new Set<() => void>();
  const cancels: Cancel[] = [];
  let records: Records | undefined;
  let desk: Desk | undefined;
  let end: Unsubscribe | undefined;
  let timer: { readonly due: number; readonly cancel: Cancel } | undefined;
  let attempt: Promise<void> | undefined;
  let told = '';
  let stopped = false;
  /** Those of which it is not known whether they are still there. */
  const unconfirmed = new Set<string>();

  function heard({ params, payload, retained }: LinkMessage): void {
    const id = `${params['provider'] ?? ''} ${params['key'] ?? ''}`;
    const decoded = decodePayload('session', Buffer.from(payload).toString('utf8'));
    // One in a form that this version does not read is left as it is known.
    if (decoded.kind === 'unreadable')
      return log.warn('a session could not be read', { reason: decoded.problem });
    unconfirmed.delete(id);
    desk?.session(id, decoded.kind === 'cleared' ? undefined : decoded.payload, !retained, clock.now());
    work();
  }

  /** What the broker kept is in: whatever it did not name has ended while nobody listened. */
  async function readBack(): Promise<void> {
    try {
      await barrier(link, `${options.hubId}-notifier`);
    } catch (error) {
      if (!stopped) log.debug('the sessions were not read back', { error });
      return;
    }
    if (stopped) return;
    for (const id of unconfirmed) desk?.session(id, undefined, false, clock.now());
    unconfirmed.clear();
    desk?.begun();
    work();
  }

  function work(): void {
    if (stopped || desk === undefined || records === undefined) return;
    desk.work(clock.now());
    pump();
    records.write();
    schedule();
    tell();
  }

  /** One attempt at a time; state never waits for it. */
  function pump(): void {
    const item = attempt === undefined ? records?.outbox.take(clock.now()) : undefined;
    if (item === undefined) return;
    attempt = deliver(client, item, clock.now()).then((outcome) => {
      attempt = undefined;
      // After a stop this is the one that was waited for.
      desk?.settled(item, outcome, clock.now());
      if (!outcome.ok) log.debug('a message to the phone was not taken', { reason: outcome.fault });
      if (stopped) records?.write();
      else work();
    });
  }

  function schedule(): void {
    const due = firstOf([
      desk?.nextLook(),
      attempt === undefined ? records?.outbox.nextAttempt() : undefined,
    ]);
    if (due === timer?.due) return;
    timer?.cancel();
    timer = due === undefined ? undefined : { due, cancel: clock.at(due, ring) };
  }

  function ring(): void {
    timer = undefined;
    work();
  }

  function state(): NotifierState {
    const { counts, last, problem, outbox } = records as Records;
    return { counts, last, problem, waiting: outbox.size };
  }

  function tell(): void {
    const { last, problem, waiting } = state();
    const now = JSON.stringify([last?.at, problem, waiting > 0]);
    if (now === told) return;
    told = now;
    for (const listener of listeners) listener();
  }

  function prune(): void {
    records?.prune(clock.now(), historyDays);
    cancels[0] = clock.at(clock.now() + PRUNE_EVERY, prune);
  }

  return {
    async start() {
      records = new Records({
        path: options.database,
        synchronous: options.synchronous,
        log,
        now: () => clock.now(),
      });
      desk = new Desk({ ...options, records });
      for (const id of desk.known()) unconfirmed.add(id);
      prune();
      cancels.push(
        clock.onJump((jump) => {
          desk?.shift(jump);
          work();
        }),
        link.onLost(() => {
          for (const id of desk?.known() ?? []) unconfirmed.add(id);
        }),
      );
      end = await link.subscribe('session', {}, heard);
      cancels.push(link.onConnect(readBack));
    },
    async stop() {
      stopped = true;
      timer?.cancel();
      for (const cancel of cancels) cancel();
      await end?.();
      if (attempt !== undefined) {
        const late = new Promise<void>((resolve) =>
          cancels.push(clock.at(clock.now() + LAST_ATTEMPT, resolve)),
        );
        await Promise.race([attempt, late]);
        cancels.at(-1)?.();
      }
      // What is still under way ends with its connection.
      await client.close();
      await attempt;
      records?.close();
    },
    entriesOf: (provider, key) =>
      (records?.entriesOf(`${provider} ${key}`) ?? []).map((entry) => ({
        ...entry,
        words: ledgerWords(entry),
      })),
    state,
    onChange(callback) {
      listeners.add(callback);
      return () => void listeners.delete(callback);
    },
  };
}
