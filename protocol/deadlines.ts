/** A binary heap of ids by time; an id has one deadline, the last one set. What was set before is skipped when it comes up. */
export class Deadlines {
  readonly #heap: { at: number; id: string }[] = [];
  readonly #current = new Map<string, number>();

  /** Sets an id's deadline, unix ms; infinite: none. */
  set(id: string, at: number): void {
    if (at === Number.POSITIVE_INFINITY) return this.delete(id);
    if (this.#current.get(id) === at) return;
    this.#current.set(id, at);
    this.#push({ at, id });
    // Outdated entries are dropped lazily; a session that changes often must not fill the heap.
    if (this.#heap.length > 64 && this.#heap.length > 4 * this.#current.size) this.#rebuild();
  }

  delete(id: string): void {
    this.#current.delete(id);
  }

  /** The next deadline, unix ms. */
  next(): number | undefined {
    this.#dropOutdated();
    return this.#heap[0]?.at;
  }

  /** Takes the next id whose deadline is not after `now`. */
  take(now: number): string | undefined {
    this.#dropOutdated();
    const top = this.#heap[0];
    if (top === undefined || top.at > now) return undefined;
    this.#pop();
    this.#current.delete(top.id);
    return top.id;
  }

  /** Moves every deadline. */
  shift(by: number): void {
    for (const [id, at] of this.#current) this.#current.set(id, at + by);
    this.#rebuild();
  }

  #dropOutdated(): void {
    for (
      let top = this.#heap[0];
      top !== undefined && this.#current.get(top.id) !== top.at;
      top = this.#heap[0]
    )
      this.#pop();
  }

  #rebuild(): void {
    this.#heap.length = 0;
    for (const [id, at] of this.#current) this.#push({ at, id });
  }

  #push(entry: { at: number; id: string }): void {
    const heap = this.#heap;
    let index = heap.push(entry) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent] as { at: number; id: string };
      if (above.at <= entry.at) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      const left = heap[child];
      if (left === undefined) break;
      const right = heap[child + 1];
      const lower = right !== undefined && right.at < left.at ? right : left;
      if (lower === right) child += 1;
      if (lower.at >= last.at) break;
      heap[index] = lower;
      index = child;
    }
    heap[index] = last;
  }
}
