import { seconds } from '../../protocol/aggregate.ts';
import { SignalboxError } from '../../protocol/errors.ts';
import { decodePayload, encodePayload } from '../../protocol/messages/codec.ts';
import type { UsagePayload, UsageReport } from '../../protocol/messages/usage.ts';
import type { Cancel, Clock } from '../../runtime/clock.ts';
import type { Link, LinkMessage, Unsubscribe } from '../../runtime/link.ts';

/** Longest that a report may take to be shown [ms]. */
const SHOWN_WITHIN = 3_000;

/** The quota windows as the bus holds them, and the way of a script's report there. */
export class UsageWindows {
  readonly #link: Link;
  readonly #clock: Clock;
  readonly #known = new Map<string, UsagePayload>();
  readonly #waiting = new Set<(provider: string, usage: UsagePayload) => void>();
  #end: Unsubscribe | undefined;

  constructor(link: Link, clock: Clock) {
    this.#link = link;
    this.#clock = clock;
  }

  async start(): Promise<void> {
    this.#end = await this.#link.subscribe('signalUsage', {}, (message) => this.#take(message));
  }

  async stop(): Promise<void> {
    await this.#end?.();
  }

  /** By provider's slug. */
  get known(): ReadonlyMap<string, UsagePayload> {
    return this.#known;
  }

  /** Publishes a report, and resolves when it is shown. @param provider slug @throws SignalboxError `not_delivered` */
  async report(provider: string, { windows }: UsageReport): Promise<void> {
    // Else it would be kept and sent later, by a link that is there again, to somebody who was told that it failed.
    if (!this.#link.connected)
      throw new SignalboxError('not_delivered', { topic: 'usage', reason: "the bus can't be reached" });
    // The time takes its part of the message too: with another one of as many digits as many windows fit.
    const wanted = shown({ v: 1, windows, updated_at: seconds(this.#clock.now()) });
    let see: (provider: string, usage: UsagePayload) => void = () => undefined;
    let cancel: Cancel = () => undefined;
    const seen = new Promise<void>((resolve, reject) => {
      see = (of, usage) => {
        if (of === provider && JSON.stringify(usage.windows) === wanted) resolve();
      };
      this.#waiting.add(see);
      cancel = this.#clock.at(this.#clock.now() + SHOWN_WITHIN, () => {
        reject(new SignalboxError('not_delivered', { topic: 'usage', reason: 'the bus gives no answer' }));
      });
      this.#link.publish('usage', { provider }, { windows }).catch(reject);
    });
    try {
      await seen;
    } finally {
      cancel();
      this.#waiting.delete(see);
    }
  }

  #take({ params, payload }: LinkMessage): void {
    const provider = params['provider'] ?? '';
    const usage = decodePayload('signalUsage', Buffer.from(payload).toString('utf8'));
    if (usage.kind !== 'payload') {
      this.#known.delete(provider);
      return;
    }
    this.#known.set(provider, usage.payload);
    for (const see of this.#waiting) see(provider, usage.payload);
  }
}

/** The windows as they come back: cut to what one message holds. */
function shown(usage: UsagePayload): string {
  const { windows } = JSON.parse(encodePayload('signalUsage', usage)) as UsagePayload;
  return JSON.stringify(windows);
}
