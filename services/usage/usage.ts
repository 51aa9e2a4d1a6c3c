import { seconds } from '../../protocol/aggregate.ts';
import type { ErrorCode } from '../../protocol/errors.ts';
import { decodePayload, encodePayload } from '../../protocol/messages/codec.ts';
import type { UsagePayload } from '../../protocol/messages/usage.ts';
import type { ProviderRegistry } from '../../protocol/providers.ts';
import type { Cancel, Clock } from '../../runtime/clock.ts';
import type { Link, LinkMessage, Unsubscribe } from '../../runtime/link.ts';
import type { Log } from '../../runtime/log.ts';

export interface UsageOptions {
  readonly link: Link;
  readonly clock: Clock;
  readonly registry: ProviderRegistry;
  readonly log: Log;
  /** Tells of a report that was refused. */
  readonly reject: (
    provider: string,
    code: ErrorCode,
    params: Readonly<Record<string, string | number>>,
  ) => void;
}

/**
 * Keeps the last quota windows of each provider on the bus: what is reported to `usage/<provider>` is retained as `signal/<provider>/usage` (spec: bus, "Topics"). What another broker has
 * kept from an earlier run stays, but for providers that are no more.
 */
export class Usage {
  readonly #options: UsageOptions;
  readonly #known = new Map<string, UsagePayload>();
  #ends: Unsubscribe[] = [];
  #cancel: Cancel | undefined;

  constructor(options: UsageOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { link } = this.#options;
    this.#ends.push(
      await link.subscribe('signalUsage', {}, (message) => this.#found(message)),
      await link.subscribe('usage', {}, (message) => this.#take(message)),
    );
    // A broker may have lost what it retained.
    this.#cancel = link.onConnect(() => {
      for (const [provider, usage] of this.#known) this.#publish(provider, usage);
    });
  }

  async stop(): Promise<void> {
    this.#cancel?.();
    await Promise.all(this.#ends.splice(0).map((end) => end()));
  }

  #found({ params, payload, retained }: LinkMessage): void {
    const provider = params['provider'] ?? '';
    if (!retained || payload.length === 0 || this.#known.has(provider)) return;
    const usage = decodePayload('signalUsage', textOf(payload));
    if (this.#options.registry.find(provider)?.slug === provider && usage.kind === 'payload')
      this.#known.set(provider, usage.payload);
    else this.#publish(provider, undefined);
  }

  #take({ params, payload }: LinkMessage): void {
    const { registry, clock, reject } = this.#options;
    const named = params['provider'] ?? '';
    const provider = registry.find(named)?.slug;
    if (provider === undefined) {
      const known = registry.list.map(({ slug }) => slug).join(', ');
      return reject(named, 'unknown_provider', { provider: named.slice(0, 32), known });
    }
    const report = decodePayload('usage', textOf(payload));
    if (report.kind !== 'payload')
      return reject(provider, 'bad_shape', { field: 'windows', expected: 'a list of quota windows' });
    const usage = { v: 1 as const, windows: report.payload.windows, updated_at: seconds(clock.now()) };
    this.#known.set(provider, usage);
    return this.#publish(provider, usage);
  }

  #publish(provider: string, usage: UsagePayload | undefined): void {
    const { link, log } = this.#options;
    const payload = usage === undefined ? '' : encodePayload('signalUsage', usage);
    link.publish('signalUsage', { provider }, payload).catch((error: unknown) => {
      log.warn('a message was not delivered', { topic: 'signalUsage', error });
    });
  }
}

function textOf(payload: Uint8Array): string {
  return Buffer.from(payload).toString('utf8');
}
