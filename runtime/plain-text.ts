/**
 * Characters that text from outside must not carry into a terminal or a log: C0 and C1 controls (0x9b alone starts an escape sequence on some
 * terminals), line and paragraph separators, and the marks that turn the direction of text round (CVE-2021-42574).
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Text as it may be printed on one line: what is unsafe is shown as `\u001b`, lone surrogates are replaced, and what is longer than `longest` UTF-16 code
 * units ends in `…`.
 */
export function plainText(text: string, longest = 1000): string {
  const cut = text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
  return cut.toWellFormed().replace(UNSAFE, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
