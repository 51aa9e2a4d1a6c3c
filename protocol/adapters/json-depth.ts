/**
 * Whether a JSON text nests deeper than `limit` levels. Read off the text, before anything parses it: a parser takes seconds for millions of
 * open brackets, and whoever walks the result afterwards would run out of stack. One pass; text inside strings is jumped over.
 * @param text JSON, or what claims to be; brackets in broken text are counted as they come
 */
export function nestsDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      at = endOfString(text, at);
    } else if (character === OPEN_ARRAY || character === OPEN_OBJECT) {
      depth += 1;
      if (depth > limit) return true;
    } else if (character === CLOSE_ARRAY || character === CLOSE_OBJECT) {
      depth -= 1;
    }
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Where the string that opens at `open` ends: the next quote with an even number of backslashes before it, or the end of the text. */
function endOfString(text: string, open: number): number {
  let from = open + 1;
  for (;;) {
    const close = text.indexOf('"', from);
    if (close === -1) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(close - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return close;
    from = close + 1;
  }
}
