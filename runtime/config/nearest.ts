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
  const beginnings = [text.length, text.length + 1].map((end) => candidate.slice(0, end));
  const unfinished = 2 + Math.min(...beginnings.map((beginning) => editDistance(text, beginning)));
  return Math.min(whole, misplaced, unfinished);
}

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1);
}

/** How many characters have to be put in, taken out, changed or swapped with their neighbour (optimal string alignment). */
export function editDistance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= to.length; j += 1) {
      const changed = at(i - 1, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed, swapped));
    }
  }
  return at(from.length, to.length);
}
