/** An object of the agent's: nothing is known of what its fields hold. */
export type Fields = Readonly<Record<string, unknown>>;

/** The longest text that is sent; no id and no folder is longer. */
const LONGEST = 1_024;
/** Sessions that are remembered; of more the oldest are forgotten. */
const MOST = 1_000;

/** An object's fields; none of anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** Of these fields the ones that hold a short text. */
export function texts(value: unknown, names: readonly string[]): Record<string, string> {
  const fields = fieldsOf(value);
  const picked: Record<string, string> = {};
  for (const name of names) {
    const text = fields[name];
    if (typeof text === 'string' && text !== '' && text.length <= LONGEST) picked[name] = text;
  }
  return picked;
}

/** Puts an entry last; a map that has grown too large loses its first. */
export function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= MOST) break;
    map.delete(oldest);
  }
}
