import { type Entry, SortedList } from './sorted-list.ts';
import { ATTENTION_STATES, type AttentionState } from './states.ts';

interface Placed extends Entry {
  readonly state: AttentionState;
}

/** Ids ranked by attention state, then by time: the strongest, how many are in a state, and a state's ids from the newest. */
export class Ranked {
  readonly #placed = new Map<string, Placed>();
  readonly #lists = new Map<AttentionState, SortedList>();

  get size(): number {
    return this.#placed.size;
  }

  /** Puts an id in its place, or moves it there. @param at unix ms */
  place(id: string, state: AttentionState, at: number): void {
    const before = this.#placed.get(id);
    if (before?.state === state && before.at === at) return;
    this.remove(id);
    const placed: Placed = { id, state, at };
    this.#placed.set(id, placed);
    const list = this.#lists.get(state) ?? new SortedList();
    this.#lists.set(state, list);
    list.add(placed);
  }

  remove(id: string): void {
    const placed = this.#placed.get(id);
    if (placed === undefined) return;
    this.#placed.delete(id);
    (this.#lists.get(placed.state) as SortedList).delete(placed);
  }

  count(state: AttentionState): number {
    return this.#lists.get(state)?.length ?? 0;
  }

  /** The strongest state that has an id, and its newest id. */
  best(): { state: AttentionState; id: string; at: number } | undefined {
    for (const state of ATTENTION_STATES) {
      const newest = this.#lists.get(state)?.first();
      if (newest !== undefined) return { state, id: newest.id, at: newest.at };
    }
    return undefined;
  }

  /** A state's ids, newest first. */
  *newest(state: AttentionState): Generator<string> {
    for (const { id } of this.#lists.get(state) ?? []) yield id;
  }
}
