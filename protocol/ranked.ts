import { ATTENTION_STATES, type AttentionState } from './states.ts';

interface Node {
  readonly id: string;
  state: AttentionState;
  at: number;
  newer: Node | undefined;
  older: Node | undefined;
}

interface List {
  newest: Node | undefined;
  size: number;
}

/**
 * Ids ranked by attention state, then by time: the strongest, how many are in a state, and a state's ids from the newest. Every change costs the same
 * however many there are, as long as what changes is among the newest, which is what events do.
 */
export class Ranked {
  readonly #nodes = new Map<string, Node>();
  readonly #lists = new Map<AttentionState, List>(
    ATTENTION_STATES.map((state) => [state, { newest: undefined, size: 0 }]),
  );

  get size(): number {
    return this.#nodes.size;
  }

  /** Puts an id in its place, or moves it there; one that is there already stays. */
  place(id: string, state: AttentionState, at: number): void {
    const placed = this.#nodes.get(id);
    if (placed?.state === state && placed.at === at) return;
    this.remove(id);
    const node: Node = { id, state, at, newer: undefined, older: undefined };
    this.#nodes.set(id, node);
    const list = this.#list(state);
    list.size += 1;
    let newer: Node | undefined;
    let older = list.newest;
    while (older !== undefined && older.at > at) {
      newer = older;
      older = older.older;
    }
    node.newer = newer;
    node.older = older;
    if (older !== undefined) older.newer = node;
    if (newer === undefined) list.newest = node;
    else newer.older = node;
  }

  remove(id: string): void {
    const node = this.#nodes.get(id);
    if (node === undefined) return;
    this.#nodes.delete(id);
    const list = this.#list(node.state);
    list.size -= 1;
    if (node.newer === undefined) list.newest = node.older;
    else node.newer.older = node.older;
    if (node.older !== undefined) node.older.newer = node.newer;
  }

  count(state: AttentionState): number {
    return this.#list(state).size;
  }

  /** The strongest state that has an id, and its newest id. */
  best(): { state: AttentionState; id: string; at: number } | undefined {
    for (const state of ATTENTION_STATES) {
      const newest = this.#list(state).newest;
      if (newest !== undefined) return { state, id: newest.id, at: newest.at };
    }
    return undefined;
  }

  /** A state's ids, newest first. */
  *newest(state: AttentionState): Generator<string> {
    for (let node = this.#list(state).newest; node !== undefined; node = node.older) yield node.id;
  }

  #list(state: AttentionState): List {
    return this.#lists.get(state) as List;
  }
}
