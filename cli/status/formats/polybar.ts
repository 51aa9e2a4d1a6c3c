import { plainText } from '../../../runtime/plain-text.ts';
import type { BarFormat } from '../bar/bar-format.ts';
import { glyphAndHeadline } from '../bar/bar-text.ts';
import { signOf } from '../bar/sign.ts';

/** polybar's `custom/script` with `tail = true`. */
export const polybarFormat: BarFormat = {
  kind: 'bar',
  once: (bar) => `%{F${signOf(bar.state).rgb}}${escapePolybar(glyphAndHeadline(bar))}%{F-}\n`,
};

/** `%{` begins a tag, such as one that runs a program on a click, and polybar knows no way to write it as text: a space comes between. */
export function escapePolybar(text: string): string {
  return plainText(text).replaceAll('%{', '% {');
}
