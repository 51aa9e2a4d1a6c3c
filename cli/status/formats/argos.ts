import { plainText } from '../../../runtime/plain-text.ts';
import type { BarFormat } from '../bar/bar-format.ts';
import { glyphAndHeadline } from '../bar/bar-text.ts';
import { type MenuLine, menuOf, SEPARATOR } from '../bar/menu.ts';
import { signOf } from '../bar/sign.ts';

/** No Pango markup, no backslashes with a meaning, no names of emoji, no escape sequences. */
const PLAIN = 'useMarkup=false unescape=false emojize=false ansi=false';

/** Argos for GNOME Shell (github.com/p-e-w/argos), which runs a script again and again. It has neither classes nor frames, so its lamps stand still. */
export const argosFormat: BarFormat = {
  kind: 'bar',
  menu: true,
  once(bar, command) {
    const head = lineOf({ text: glyphAndHeadline(bar), state: bar.state });
    const lines = menuOf(bar, command).map((line) => (line === SEPARATOR ? SEPARATOR : lineOf(line)));
    return [head, SEPARATOR, ...lines, ''].join('\n');
  },
};

/** Text for a line: `|` begins parameters, among them `bash` and `eval`. */
export function escapeArgos(text: string): string {
  return plainText(text).replaceAll('|', '¦');
}

function lineOf({ text, state, command, below }: MenuLine): string {
  const colour = state === undefined ? '' : ` color=${signOf(state).rgb}`;
  // Argos takes parameters apart as a shell does, and gives the one for a click to another shell: quoted for both.
  const action =
    command === undefined ? '' : ` bash=${shellWord(command.map(shellWord).join(' '))} terminal=false`;
  return `${below ? '--' : ''}${escapeArgos(text)} |${colour} ${PLAIN}${action}`;
}

/** One word for a shell, whatever is in it but a newline, which a line can't hold. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
