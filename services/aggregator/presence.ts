import { randomUUID } from 'node:crypto';
import { memoryUsage } from 'node:process';
import { seconds } from '../../protocol/aggregate.ts';
import { type ErrorCode, SignalboxError } from '../../protocol/errors.ts';
import { decodePayload, encodePayload } from '../../protocol/messages/codec.ts';
import type { HubHealthPayload, HubInfoPayload } from '../../protocol/messages/hub.ts';
import type { SessionTable } from '../../protocol/table.ts';
import type { Cancel, Clock } from '../../runtime/clock.ts';
import type { Link } from '../../runtime/link.ts';
import type { Log } from '../../runtime/log.ts';
import { barrier } from '../../runtime/barrier.ts';
import type { Counters } from './counters.ts';
import type { Store } from './store/hub-store.ts';

/** Counters are published this often [ms] (spec: bus, `signalbox/health`). */
const HEALTH_EVERY = 60_000;

export interface PresenceOptions {
  /** Stays the same over restarts of a data folder. */
  readonly hubId: string;
  readonly version: string;
  readonly host: string;
  readonly features: readonly string[];
  readonly nameOf: (slug: string) => string;
  /** Connections to the embedded broker; left out with another broker. */
  readonly clients?: () => number;
  /** What the second sources are at; left out where none are run. */
  readonly sources?: () => NonNullable<HubHealthPayload['sources']>;
  /** How the messages to the phone stand; nothing where none are sent. */
  readonly notifier?: () => Telling | undefined;
}

/** What is told of the messages to the phone. Times are unix ms. */
interface Telling {
  readonly counts: Readonly<Record<'sent' | 'suppressed' | 'failed', number>>;
  readonly waiting: number;
  readonly last: { readonly at: number; readonly outcome: string; readonly why: string } | undefined;
  readonly problem: string | undefined;
}

interface Surroundings {
  readonly link: Link;
  readonly clock: Clock;
  readonly table: SessionTable;
  readonly counters: Counters;
  readonly store: Store;
  readonly log: Log;
}

/** Makes a hub's id; it is kept in the database. */
export function newHubId(): string {
  return randomUUID().replaceAll('-', '').slice(0, 12);
}

/** What the hub says of itself: `signalbox/state`, `info`, `health` and `reject`. */
export class Presence {
  readonly #options: PresenceOptions;
  readonly #around: Surroundings;
  readonly #startedAt: number;
  readonly #problems = new Set<string>();
  #timer: Cancel | undefined;
  #follow: Cancel | undefined;
  /** Those that `signalbox/info` names; `undefined` before it is told. */
  #told: string | undefined;

  constructor(options: PresenceOptions, around: Surroundings) {
    this.#options = options;
    this.#around = around;
    this.#startedAt = around.clock.now();
  }

  /** Refuses to start beside another hub that is online under this prefix (spec: bus, "Several machines"). @throws SignalboxError `prefix_taken` */
  async refuseSecondHub(): Promise<void> {
    const { link } = this.#around;
    const found: { state?: string; hub?: string } = {};
    const ends = [
      await link.subscribe('hubState', {}, ({ payload }) => {
        found.state = textOf(payload);
      }),
      await link.subscribe('hubInfo', {}, ({ payload }) => {
        const info = decodePayload('hubInfo', textOf(payload));
        if (info.kind === 'payload') found.hub = info.payload.hub_id;
      }),
    ];
    await barrier(link, this.#options.hubId);
    await Promise.all(ends.map((end) => end()));
    if (found.state === 'online' && found.hub !== undefined && found.hub !== this.#options.hubId) {
      throw new SignalboxError('prefix_taken', { hub: found.hub });
    }
  }

  /**
   * Says that the hub is here, now and after each reconnect; resolves when the broker has taken it.
   * @param returned a connection is back whose broker may have lost everything
   * @param hears resolves when hook events reach the hub again; it does not say before that it is here
   */
  async announce(returned: () => void, hears = (): Promise<void> => Promise.resolve()): Promise<void> {
    const { link } = this.#around;
    await this.#announce();
    let first = link.connected;
    this.#follow = link.onConnect(async () => {
      // The connection that stands is told of at once; all that was just published.
      if (first) {
        first = false;
        return;
      }
      returned();
      await hears();
      await this.#announce();
    });
  }

  async #announce(): Promise<void> {
    const { link } = this.#around;
    this.#told = this.#providers();
    await link.publish('hubInfo', {}, encodePayload('hubInfo', this.#info()));
    await link.publish('hubState', {}, encodePayload('hubState', 'online'));
    this.#health();
  }

  async stop(): Promise<void> {
    this.#follow?.();
    this.#timer?.();
    this.#timer = undefined;
    const { link } = this.#around;
    if (link.connected) await link.publish('hubState', {}, encodePayload('hubState', 'offline'));
  }

  /** Tells who the hub is again when that has changed: a provider that is heard of for the first time. */
  providersChanged(): void {
    const providers = this.#providers();
    if (this.#told === undefined || providers === this.#told) return;
    this.#told = providers;
    this.#send('hubInfo', encodePayload('hubInfo', this.#info()));
  }

  /** Tells what was refused and why, never what it held. @param at unix ms */
  reject(provider: string, code: ErrorCode, reason: string, at: number): void {
    this.#send('reject', encodePayload('reject', { provider, reason, code, at: seconds(at) }));
  }

  /** A problem that `signalbox/health` names until it is over. */
  unhealthy(problem: ErrorCode | 'database_damaged'): void {
    if (this.#problems.has(problem)) return;
    this.#problems.add(problem);
    this.#health();
  }

  healthy(problem: ErrorCode): void {
    if (this.#problems.delete(problem)) this.#health();
  }

  #send(name: 'reject' | 'hubHealth' | 'hubInfo', payload: string): void {
    this.#around.link.publish(name, {}, payload).catch((error: unknown) => {
      this.#around.log.warn('a message was not delivered', { topic: name, error });
    });
  }

  /** Tells `signalbox/health` now: something in it has changed that nobody should wait a minute for. */
  tellHealth(): void {
    if (this.#told !== undefined) this.#health();
  }

  #health(): void {
    const { clock } = this.#around;
    this.#timer?.();
    this.#timer = clock.at(clock.now() + HEALTH_EVERY, () => this.#health());
    this.#send('hubHealth', encodePayload('hubHealth', this.#healthPayload()));
  }

  #healthPayload(): HubHealthPayload {
    const { clock, table, counters, store } = this.#around;
    const { clients, sources, notifier } = this.#options;
    const phone = notifier?.();
    return {
      v: 1,
      at: seconds(clock.now()),
      started_at: seconds(this.#startedAt),
      status: this.#problems.size === 0 ? 'ok' : 'degraded',
      problems: [...this.#problems],
      ...counters.snapshot(),
      sessions: table.size,
      waiting: [...table.sessions()].filter(({ state }) => state === 'needs_user').length,
      ...(clients !== undefined && { clients: clients() }),
      ...(sources !== undefined && { sources: sources() }),
      ...(phone !== undefined && { notifier: told(phone) }),
      database_bytes: store.size(),
      memory_bytes: memoryUsage.rss(),
    };
  }

  #providers(): string {
    return this.#around.table.providers().join(' ');
  }

  #info(): HubInfoPayload {
    const { hubId, version, host, features, nameOf } = this.#options;
    return {
      v: 1,
      hub_id: hubId,
      version,
      host,
      started_at: seconds(this.#startedAt),
      providers: this.#around.table.providers().map((slug) => ({ slug, name: nameOf(slug) })),
      hosts: [host],
      features: [...features],
    };
  }
}

function told({ counts, waiting, last, problem }: Telling): NonNullable<HubHealthPayload['notifier']> {
  const { sent, suppressed, failed } = counts;
  return {
    sent,
    suppressed,
    failed,
    waiting,
    ...(last !== undefined && { last: { at: seconds(last.at), outcome: last.outcome, why: last.why } }),
    ...(problem !== undefined && { problem }),
  };
}

function textOf(payload: Uint8Array): string {
  return Buffer.from(payload).toString('utf8');
}
