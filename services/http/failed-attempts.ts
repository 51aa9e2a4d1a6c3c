import type { Clock } from '../../runtime/clock.ts';

export interface FailedAttemptsOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** Wrong tokens of one address in a minute, after which it is not listened to until the minute is over. */
  readonly most?: number;
  /** Addresses that are remembered; beyond it the oldest is forgotten. */
  readonly addresses?: number;
}

const MINUTE = 60_000;

/** Counts wrong tokens by address, so that nobody guesses as fast as the network goes (spec: quality, section 2). */
export class FailedAttempts {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #most: number;
  readonly #addresses: number;
  readonly #failed = new Map<string, { readonly since: number; count: number }>();

  constructor({ clock, most = 10, addresses = 1_000 }: FailedAttemptsOptions) {
    this.#clock = clock;
    this.#most = most;
    this.#addresses = addresses;
  }

  isBlocked(address: string): boolean {
    return (this.#of(address)?.count ?? 0) >= this.#most;
  }

  note(address: string): void {
    const known = this.#of(address);
    if (known !== undefined) known.count += 1;
    else this.#failed.set(address, { since: this.#clock.now(), count: 1 });
    if (this.#failed.size <= this.#addresses) return;
    const [oldest = ''] = this.#failed.keys();
    this.#failed.delete(oldest);
  }

  /** A clock that was set back ends it too: else it could last for ever. */
  #of(address: string): { count: number } | undefined {
    const found = this.#failed.get(address);
    if (found === undefined || Math.abs(this.#clock.now() - found.since) < MINUTE) return found;
    this.#failed.delete(address);
    return undefined;
  }
}
