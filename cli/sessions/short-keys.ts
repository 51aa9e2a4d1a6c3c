/** Short enough to type, long enough to stay unique for a while. */
const SHORTEST = 4;

/** The shortest beginning of each key that no other key shares, four digits at least. */
export function shortKeys(keys: readonly string[]): ReadonlyMap<string, string> {
  const sorted = [...new Set(keys)].sort();
  return new Map(
    sorted.map((key, index) => {
      const shared = Math.max(common(key, sorted[index - 1]), common(key, sorted[index + 1]));
      return [key, key.slice(0, Math.max(SHORTEST, shared + 1))];
    }),
  );
}

function common(one: string, other = ''): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
