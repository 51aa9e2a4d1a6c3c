/** What a `SortedList` holds. */
export interface Entry {
  readonly id: string;
  /** Unix ms. */
  readonly at: number;
}

interface Link {
  /** The next one on each level, as far as it goes; level 0 has them all. */
  readonly next: (Node | undefined)[];
}

interface Node extends Link {
  readonly entry: Entry;
}

const LEVELS = 20;

/** Newer first; of one time by id, so that the order says nothing of who was put in first. */
function comesBefore(a: Entry, b: Entry): boolean {
  return a.at > b.at || (a.at === b.at && a.id < b.id);
}

/**
 * Entries from the newest to the oldest: a skip list, whose heights follow a counter instead of chance. Putting in and taking out cost the logarithm of its
 * length wherever that is, and next to nothing at the newest end.
 */
export class SortedList {
  readonly #head: Link = { next: [] };
  #added = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  first(): Entry | undefined {
    return this.#head.next[0]?.entry;
  }

  /** Puts an entry in that is not there yet. */
  add(entry: Entry): void {
    this.#length += 1;
    this.#added += 1;
    const path = this.#pathTo(entry);
    const node: Node = { entry, next: [] };
    // Every second one is on level 1, every fourth on level 2, and so on.
    for (let level = 0; level < LEVELS && this.#added % 2 ** level === 0; level++) {
      const before = path[level] as Link;
      node.next[level] = before.next[level];
      before.next[level] = node;
    }
  }

  /** Takes out an entry that is there. */
  delete(entry: Entry): void {
    this.#length -= 1;
    const path = this.#pathTo(entry);
    const node = (path[0] as Link).next[0] as Node;
    for (let level = 0; level < node.next.length; level++)
      (path[level] as Link).next[level] = node.next[level];
  }

  *[Symbol.iterator](): Generator<Entry> {
    for (let node = this.#head.next[0]; node !== undefined; node = node.next[0]) yield node.entry;
  }

  /** On each level the last one that comes before the entry. */
  #pathTo(entry: Entry): Link[] {
    const path: Link[] = [];
    let link = this.#head;
    for (let level = LEVELS - 1; level >= 0; level--) {
      for (
        let next = link.next[level];
        next !== undefined && comesBefore(next.entry, entry);
        next = link.next[level]
      )
        link = next;
      path[level] = link;
    }
    return path;
  }
}
