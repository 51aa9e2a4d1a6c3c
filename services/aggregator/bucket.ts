/** Lets so many through in a second, and as many at once after a quiet one: it fills with time. */
export class Bucket {
  readonly #perSecond: number;
  #left: number;
  #countedAt = 0;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#left = perSecond;
  }

  /** Takes one. @param now unix ms @returns false: none is left */
  take(now: number): boolean {
    const passed = Math.max(0, now - this.#countedAt);
    this.#left = Math.min(this.#perSecond, this.#left + (passed * this.#perSecond) / 1000);
    this.#countedAt = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
