/** The candidate that `text` was most likely meant to be. `candidates` must not be empty. */
export function nearest(text: string, candidates: readonly string[]): string {
  let best = { candidate: candidates[0] ?? '', distance: Number.POSITIVE_INFINITY };
  for (const candidate of candidates) {
    const distance = unlikeness(text, candidate);
    if (distance < best.distance) best = { candidate, distance };
  }
  return best.candidate;
}

/** Edit distance; a key in the wrong section, or one that only lacks its end, is nearer than one that shares letters by chance. */
function unlikeness(text: string, candidate: string): number {
  const whole = editDistance(text, candidate);
  const misplaced = 1 + editDistance(lastPart(text), lastPart(candidate));
  const unfinished = candidate.startsWith(text) ? 2 : Number.POSITIVE_INFINITY;
  return Math.min(whole, misplaced, unfinished);
}

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1);
}

/** Levenshtein distance: how many characters have to be put in, taken out or changed. */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, changed));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
