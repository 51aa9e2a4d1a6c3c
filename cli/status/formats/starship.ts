import { plainText } from '../../../runtime/plain-text.ts';
import type { BarFormat } from '../bar/bar-format.ts';
import { glyphAndHeadline } from '../bar/bar-text.ts';

/** A `custom` module of starship: one line without colours, since the prompt's style is set there. */
export const starshipFormat: BarFormat = {
  kind: 'bar',
  once: (bar) => `${escapeStarship(glyphAndHeadline(bar))}\n`,
};

/** starship escapes what a program prints for the shell itself, while `unsafe_no_escape` is left alone. */
export function escapeStarship(text: string): string {
  return plainText(text);
}
