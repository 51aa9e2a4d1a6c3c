interface Node<T> {
  value: T | undefined;
  readonly children: Map<string, Node<T>>;
}

/**
 * Retained messages by topic level: an exact topic costs one lookup and a wildcard only the branches it covers, where the scan of the default persistence
 * costs every retained topic at every subscribe.
 */
export class RetainedIndex<T> {
  readonly #root: Node<T> = { value: undefined, children: new Map() };
  #size = 0;

  get size(): number {
    return this.#size;
  }

  set(topic: string, value: T): void {
    let node = this.#root;
    for (const level of topic.split('/')) {
      let child = node.children.get(level);
      if (child === undefined) {
        child = { value: undefined, children: new Map() };
        node.children.set(level, child);
      }
      node = child;
    }
    if (node.value === undefined) this.#size += 1;
    node.value = value;
  }

  delete(topic: string): void {
    const path: { node: Node<T>; level: string }[] = [];
    let node = this.#root;
    for (const level of topic.split('/')) {
      const child = node.children.get(level);
      if (child === undefined) return;
      path.push({ node, level });
      node = child;
    }
    if (node.value !== undefined) this.#size -= 1;
    node.value = undefined;
    for (const { node: parent, level } of path.toReversed()) {
      const child = parent.children.get(level);
      if (child === undefined || child.value !== undefined || child.children.size > 0) return;
      parent.children.delete(level);
    }
  }

  /** Everything a filter covers; one that starts with a wildcard never covers a `$` topic [MQTT-4.7.2-1]. */
  match(filter: string): T[] {
    const found: T[] = [];
    collect(this.#root, filter.split('/'), 0, found);
    return found;
  }
}

function collect<T>(node: Node<T>, levels: readonly string[], depth: number, found: T[]): void {
  const level = levels[depth];
  if (level === undefined) {
    if (node.value !== undefined) found.push(node.value);
  } else if (level === '#') {
    // [MQTT-4.7.1-2]: `a/#` covers `a` as well.
    all(node, depth === 0, found);
  } else if (level === '+') {
    for (const [name, child] of node.children) {
      if (depth > 0 || !name.startsWith('$')) collect(child, levels, depth + 1, found);
    }
  } else {
    const child = node.children.get(level);
    if (child !== undefined) collect(child, levels, depth + 1, found);
  }
}

function all<T>(node: Node<T>, atRoot: boolean, found: T[]): void {
  if (node.value !== undefined) found.push(node.value);
  for (const [name, child] of node.children) {
    if (!atRoot || !name.startsWith('$')) all(child, false, found);
  }
}
