/** What stands where text was cut off: three bytes of UTF-8. */
export const ELLIPSIS = '…';

/** Bytes that one code point takes, e.g. in UTF-8. */
export type Measure = (codePoint: number) => number;

/** Bytes of a code point in UTF-8; a lone surrogate counts as U+FFFD, which is what an encoder makes of it. */
export function utf8Bytes(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

/** Bytes of a code point inside a JSON string in UTF-8, as `JSON.stringify` escapes it [RFC 8259, section 7]. */
export function jsonBytes(codePoint: number): number {
  if (codePoint === 0x22 || codePoint === 0x5c) return 2;
  // \b \t \n \f \r have short forms; the other control characters and lone surrogates become \uXXXX.
  if (codePoint < 0x20) return codePoint >= 0x08 && codePoint <= 0x0d && codePoint !== 0x0b ? 2 : 6;
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return 6;
  return utf8Bytes(codePoint);
}

/** Bytes of a text. @param measure UTF-8 when not given */
export function sizeOf(text: string, measure: Measure = utf8Bytes): number {
  let size = 0;
  for (const character of text) size += measure(codePointOf(character));
  return size;
}

/**
 * Cuts a text at a code point so that it takes at most `limit` bytes, with `…` in place of what is missing. Text that fits comes back as it is; where not even
 * `…` fits, nothing is left.
 */
export function fitText(text: string, limit: number, measure: Measure = utf8Bytes): string {
  const room = limit - sizeOf(ELLIPSIS, measure);
  let size = 0;
  let end = 0;
  // The longest beginning that leaves room for the ellipsis, should the rest turn out not to fit.
  let cut = 0;
  for (const character of text) {
    size += measure(codePointOf(character));
    end += character.length;
    if (size <= room) cut = end;
    if (size > limit) return room < 0 ? '' : text.slice(0, cut) + ELLIPSIS;
  }
  return text;
}

/**
 * One limit for several texts that makes them fit together: the longest are shortened first, and none below the limit is touched.
 * @param sizes bytes of each text; @param budget bytes for all of them
 * @returns the largest limit whose cuts fit the budget; `Infinity` when nothing has to be cut
 */
export function fairLimit(sizes: readonly number[], budget: number): number {
  let left = Math.max(0, budget);
  const ascending = sizes.toSorted((a, b) => a - b);
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (size > share) return share;
    left -= size;
  }
  return Infinity;
}

function codePointOf(character: string): number {
  // Iteration over a string yields no empty parts.
  return character.codePointAt(0) as number;
}
