import { plainText } from '../../../runtime/plain-text.ts';
import type { BarFormat } from '../bar/bar-format.ts';
import { glyphAndHeadline } from '../bar/bar-text.ts';
import { parameter } from '../bar/bitbar-parameter.ts';
import { type MenuLine, menuOf, SEPARATOR } from '../bar/menu.ts';
import { signOf } from '../bar/sign.ts';

/** No names of emoji, and no backslashes with a meaning. xbar shows an error instead of the menu for a parameter that it does not know. */
const PLAIN = 'emojize=false ansi=false';

/** xbar on macOS (github.com/matryer/xbar), which runs a plugin again and again. */
export const xbarFormat: BarFormat = {
  kind: 'bar',
  menu: true,
  once(bar, command) {
    const head = lineOf({ text: glyphAndHeadline(bar), state: bar.state });
    const lines = menuOf(bar, command).map((line) => (line === SEPARATOR ? SEPARATOR : lineOf(line)));
    return [head, SEPARATOR, ...lines, ''].join('\n');
  },
};

/** Text for a line: `|` begins parameters, among them programs to run. */
export function escapeXbar(text: string): string {
  return plainText(text).replaceAll('|', '¦');
}

function lineOf({ text, state, command, below }: MenuLine): string {
  const colour = state === undefined ? '' : `color=${signOf(state).rgb} `;
  return `${below ? '--' : ''}${escapeXbar(text)} | ${colour}${PLAIN}${command === undefined ? '' : actionOf(command)}`;
}

/** Empty when a part of it can't be written down, such as a path with quotes: better no action than another one. */
function actionOf([program = '', ...args]: readonly string[]): string {
  const parts = [
    parameter('shell', program),
    ...args.map((arg, index) => parameter(`param${index + 1}`, arg)),
  ];
  return parts.includes(undefined) ? '' : ` ${parts.join(' ')} terminal=false refresh=true`;
}
