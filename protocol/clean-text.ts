const WORD = /^[A-Za-z0-9_.-]{1,64}$/;
// Control characters, and the direction and line marks that could turn a name's display round.
// biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the point.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** One word as it may pass: itself, or `other` (some agents put sentences where others put a word). */
export function word(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  return WORD.test(value) ? value : 'other';
}

/** Text without control characters and lone surrogates, cut at a code point. Empty text is no text. */
export function text(value: unknown, longest: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const safe = whole(value.slice(0, longest + 1))
    .toWellFormed()
    .replace(UNSAFE, '');
  const cut = whole(safe.slice(0, longest));
  return cut === '' ? undefined : cut;
}

/** A cut through a surrogate pair leaves half of it; drops the half. */
function whole(cut: string): string {
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}
