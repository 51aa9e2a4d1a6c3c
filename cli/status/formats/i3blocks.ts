import { plainText } from '../../../runtime/plain-text.ts';
import type { BarFormat } from '../bar/bar-format.ts';
import { glyphAndHeadline } from '../bar/bar-text.ts';
import { signOf } from '../bar/sign.ts';

/** i3blocks (github.com/vivien/i3blocks) with `interval=persist` and `format=json`. Without `markup` a text is shown as it is. */
export const i3blocksFormat: BarFormat = {
  kind: 'bar',
  // From 1.5 on a block has a stdin of its own, and its settings as variables. Before, stdin is i3blocks' own: what is read there is missing to the other blocks.
  clicks: (env) => env['interval'] === 'persist',
  once(bar) {
    const { glyph, rgb, loud } = signOf(bar.state);
    // Words for the last one too: 1.4 reads numbers and strings alone.
    return `${JSON.stringify({
      full_text: escapeI3blocks(glyphAndHeadline(bar)),
      short_text: glyph,
      color: rgb,
      urgent: String(loud),
    })}\n`;
  },
};

/**
 * i3blocks has no language inside a text while `markup` is left out, but 1.4 looks for keys by their quotes, ends a text at the first quote, and leaves
 * backslashes as they are: characters that look like these two stand in their place, so that JSON has nothing to escape.
 */
export function escapeI3blocks(text: string): string {
  return plainText(text).replaceAll('"', '″').replaceAll('\\', '∖');
}
