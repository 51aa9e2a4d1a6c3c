import type { Log } from '../../runtime/log.ts';
import type { EventJob } from './jobs.ts';
import type { Store } from './store/hub-store.ts';

/** A sender whose clock is off. */
export interface SenderClock {
  readonly provider: string;
  readonly host: string;
  /** How far its clock is ahead of the hub's [ms]; negative: behind. */
  readonly ahead_ms: number;
  /** When that was last seen, unix ms. */
  readonly at: number;
}

/** Less is the way, and the time that a busy machine takes for it [ms]. */
const OFF = 60_000;
/** What is off by as much as before is written again only after this [ms]. */
const AGAIN = 600_000;
/** A fleet of machines with wrong clocks has one reason. */
const MOST = 32;
const NAME = 'sender_clocks';

export interface SenderClocksOptions {
  readonly store: Pick<Store, 'meta' | 'setMeta'>;
}

/**
 * Knows which senders' `sent_at` is minutes off their arrival, one entry a provider and host: their last live event tells. Kept in the database for `signalbox doctor`, and written only
 * when something has changed: an event that is on time costs a look into a map.
 */
export class SenderClocks {
  readonly #store: SenderClocksOptions['store'];
  #off: Map<string, SenderClock>;

  constructor({ store }: SenderClocksOptions) {
    this.#store = store;
    this.#off = new Map(readSenderClocks(store.meta(NAME)).map((clock) => [keyOf(clock), clock]));
  }

  /** Takes what a live event with a time of its own tells. What is wrong with a sender's clock is no reason to refuse its event. @param host of what names none */
  noteEvent(
    { adapted, arrival }: Pick<EventJob, 'adapted' | 'arrival'>,
    { host, log }: { readonly host: string; readonly log: Log },
  ): void {
    if (!adapted.ok) return;
    const { provider, sent_at, host: own = host } = adapted.event;
    if (sent_at === undefined) return;
    try {
      this.note({ provider, host: own, ahead_ms: adapted.ahead_ms ?? sent_at - arrival, at: arrival });
    } catch (error) {
      log.debug("a sender's clock was not noted", { error });
    }
  }

  /** Throws what the store throws; the next event tells it again. */
  note(clock: SenderClock): void {
    const key = keyOf(clock);
    const before = this.#off.get(key);
    if (Math.abs(clock.ahead_ms) < OFF) {
      if (before === undefined) return;
      this.#write((off) => off.delete(key));
      return;
    }
    if (
      before !== undefined &&
      Math.abs(before.ahead_ms - clock.ahead_ms) < OFF &&
      Math.abs(clock.at - before.at) < AGAIN
    )
      return;
    this.#write((off) => {
      off.delete(key);
      off.set(key, clock);
      for (const oldest of [...off.keys()].slice(0, -MOST)) off.delete(oldest);
    });
  }

  #write(change: (off: Map<string, SenderClock>) => void): void {
    const changed = new Map(this.#off);
    change(changed);
    this.#store.setMeta(NAME, JSON.stringify([...changed.values()]));
    this.#off = changed;
  }
}

/** Those that are off, as the database keeps them; nothing where it keeps none or something else. @param meta its names and values */
export function senderClocksOf(meta: ReadonlyMap<string, string>): readonly SenderClock[] {
  return readSenderClocks(meta.get(NAME));
}

function readSenderClocks(text: string | undefined): readonly SenderClock[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter(isSenderClock) : [];
  } catch {
    return [];
  }
}

function isSenderClock(value: unknown): value is SenderClock {
  if (typeof value !== 'object' || value === null) return false;
  const { provider, host, ahead_ms, at } = value as Record<string, unknown>;
  return (
    typeof provider === 'string' &&
    typeof host === 'string' &&
    Number.isFinite(ahead_ms) &&
    Number.isFinite(at)
  );
}

function keyOf({ provider, host }: SenderClock): string {
  return `${provider} ${host}`;
}
