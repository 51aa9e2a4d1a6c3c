/** How long to wait before the next attempt to connect. */
export interface Backoff {
  /** ms; grows with every call, up to the cap. */
  next(): number;
  reset(): void;
}

export interface BackoffOptions {
  /** First wait, ms. */
  readonly baseMs: number;
  /** Longest wait, ms. */
  readonly capMs: number;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** Doubles from `baseMs` to `capMs`; each wait is shortened by up to half at random, so that clients of one broker don't come back all at once. */
export function createBackoff({ baseMs, capMs, random }: BackoffOptions): Backoff {
  let attempt = 0;
  return {
    next() {
      const full = Math.min(baseMs * 2 ** attempt, capMs);
      attempt += 1;
      return Math.max(1, Math.round(full * (1 - random() / 2)));
    },
    reset() {
      attempt = 0;
    },
  };
}
