import type { LampColour } from '../../../protocol/curves.ts';
import { plainText } from '../../../runtime/plain-text.ts';
import type { BarFormat } from '../bar/bar-format.ts';
import { glyphAndHeadline } from '../bar/bar-text.ts';
import { signOf } from '../bar/sign.ts';

/** The terminal's own sixteen colours on its own background, where its theme has made them readable: tmux' status line is green by default. */
const STYLES: Readonly<Record<LampColour, string>> = {
  green: 'fg=green',
  yellow: 'fg=yellow',
  red: 'fg=red,bold',
  grey: 'fg=brightblack',
  'grey-yellow': 'fg=yellow,dim',
};

/** tmux' `#(...)` in a status line; it shows the newest line of a program that goes on. */
export const tmuxFormat: BarFormat = {
  kind: 'bar',
  // The space keeps a `#` at the end of a name apart from the style.
  once: (bar) =>
    `#[${STYLES[signOf(bar.state).colour]},bg=default] ${escapeTmux(glyphAndHeadline(bar))} #[default]\n`,
};

/**
 * tmux expands `#{...}`, `#(...)` and one-letter names in what a program prints, and draws styles `#[...]` after that. Each of the two makes one `#` of `##`;
 * the first leaves a run in front of `[` to the second.
 */
export function escapeTmux(text: string): string {
  return plainText(text).replace(/#+(\[?)/g, (run, bracket: string) => {
    const count = run.length - bracket.length;
    return '#'.repeat(bracket === '' ? count * 4 : count * 2) + bracket;
  });
}
