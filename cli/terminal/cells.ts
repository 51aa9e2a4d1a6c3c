import stringWidth from 'string-width';
import { plainText } from '../../runtime/plain-text.ts';

const ELLIPSIS = '…';
/** More than any name of ours; what is longer is hostile. UTF-16 code units. */
const LONGEST = 240;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Text from outside as one cell may show it: without anything that moves the cursor, colours, or turns the direction of text round. */
export function cellText(text: string): string {
  return plainText(text, LONGEST);
}

/** Columns that a text takes in a terminal. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** Cuts a text to at most `width` columns, between two characters as a reader sees them, with `…` in place of what is missing. */
export function cutToWidth(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += widthOf(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return width < 1 ? '' : kept + ELLIPSIS;
}

/** Spaces that fill a text up to `width` columns. */
export function padding(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - widthOf(text)));
}
