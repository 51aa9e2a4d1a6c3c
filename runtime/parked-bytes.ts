/**
 * The bound on partly received packets (or bodies) of all clients together: many clients that each park most of a large one could fill the memory otherwise. Above
 * it the packet that was begun first is given up, since an honest one is through in no time.
 */
export class ParkedBytes<Holder> {
  readonly #limit: number;
  readonly #evict: (holder: Holder) => void;
  /** In the order in which the packets were begun. */
  readonly #held = new Map<Holder, number>();
  #total = 0;

  /** @param limit bytes @param evict cuts a holder off; its bytes are no longer counted */
  constructor(limit: number, evict: (holder: Holder) => void) {
    this.#limit = limit;
    this.#evict = evict;
  }

  /** Tells how many bytes a holder has parked, 0 when its packet is complete. */
  set(holder: Holder, bytes: number): void {
    this.#total += bytes - (this.#held.get(holder) ?? 0);
    if (bytes === 0) this.#held.delete(holder);
    else this.#held.set(holder, bytes);
    while (this.#total > this.#limit) {
      const [oldest] = this.#held.keys();
      if (oldest === undefined) return;
      this.set(oldest, 0);
      this.#evict(oldest);
    }
  }
}
