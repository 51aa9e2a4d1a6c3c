/** First and longest pause between attempts [ms]. A server that limits its visitors says not for how long (no Retry-After). */
const PAUSES = {
  fault: { first: 1_000, longest: 60_000 },
  limit: { first: 5_000, longest: 300_000 },
} as const;

/** A pause between attempts that grows while they fail. */
export class Backoff {
  #failures = 0;
  #notBefore = 0;

  /** When the next attempt is due [unix ms]. */
  get notBefore(): number {
    return this.#notBefore;
  }

  /** Twice as long each time, and up to half as much again, so that many hubs do not come at once. @param now unix ms @param random from 0 to below 1 */
  failed(kind: keyof typeof PAUSES, now: number, random: number): void {
    const { first, longest } = PAUSES[kind];
    const whole = Math.min(longest, first * 2 ** this.#failures);
    this.#failures += 1;
    this.#notBefore = now + Math.round(whole * (1 + random / 2));
  }

  worked(): void {
    this.#failures = 0;
    this.end();
  }

  /** The next attempt is due at once. */
  end(): void {
    this.#notBefore = 0;
  }
}
