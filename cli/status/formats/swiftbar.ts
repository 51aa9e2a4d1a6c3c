import { frameAt, isAnimated, LAMP_RGB } from '../../../protocol/curves.ts';
import { plainText } from '../../../runtime/plain-text.ts';
import type { Bar } from '../bar/bar.ts';
import type { BarFormat } from '../bar/bar-format.ts';
import { glyphAndHeadline } from '../bar/bar-text.ts';
import { parameter } from '../bar/bitbar-parameter.ts';
import { type MenuLine, menuOf, SEPARATOR } from '../bar/menu.ts';
import type { OwnCommand } from '../bar/menu-command.ts';
import { curveOf, hex, signOf } from '../bar/sign.ts';

/** Streamable plugins: what stands behind the last of these lines is the menu. */
const RESET = '~~~';

/** No names of emoji or symbols, and no other language inside a text. */
const PLAIN = 'emojize=false symbolize=false ansi=false md=false';

/** SwiftBar on macOS, as a streamable plugin (github.com/swiftbar/SwiftBar). */
export const swiftbarFormat: BarFormat = {
  kind: 'bar',
  animated: true,
  menu: true,
  once: (bar, command) => menuText(bar, command, signOf(bar.state).rgb),
  // One write a frame: SwiftBar looks for the reset in each piece that it reads.
  frame: (bar, command) => `${RESET}\n${menuText(bar, command, rhythmColour(bar))}`,
};

/**
 * Text for a line: `|` begins parameters, among them programs to run, and `~~~` anywhere throws the whole menu away; both are drawn by characters that look
 * like them.
 */
export function escapeSwiftBar(text: string): string {
  return plainText(text)
    .replaceAll('|', '¦')
    .replace(/~{3,}/g, (run) => '∼'.repeat(run.length));
}

function menuText(bar: Bar, command: OwnCommand, colour: string): string {
  const head = `${escapeSwiftBar(glyphAndHeadline(bar))} | color=${colour} ${PLAIN}`;
  const lines = menuOf(bar, command).map((line) => (line === SEPARATOR ? SEPARATOR : lineOf(line)));
  return [head, SEPARATOR, ...lines, ''].join('\n');
}

function lineOf({ text, state, command, below }: MenuLine): string {
  const colour = state === undefined ? '' : `color=${signOf(state).rgb} `;
  return `${below ? '--' : ''}${escapeSwiftBar(text)} | ${colour}${PLAIN}${command === undefined ? '' : actionOf(command)}`;
}

/** Empty when a part of it can't be written down, such as a path with quotes: better no action than another one. */
function actionOf([program = '', ...args]: readonly string[]): string {
  const parts = [
    parameter('bash', program),
    ...args.map((arg, index) => parameter(`param${index + 1}`, arg)),
  ];
  return parts.includes(undefined) ? '' : ` ${parts.join(' ')} terminal=false`;
}

/** Steps of brightness; each is a frame, and a menu bar is not a cinema. */
const STEPS = 4;
/** Text stays readable in the dark half of a flash. */
const DARKEST = 0.4;

/** Light and dark appearance: the lamp goes out towards the bar behind it. */
function rhythmColour({ state, now }: Bar): string {
  const curve = curveOf(state);
  const rgb = LAMP_RGB[curve.colour];
  if (!isAnimated(curve)) return hex(rgb);
  const step = Math.round((frameAt(curve, now).brightness / 255) * STEPS) / STEPS;
  const part = DARKEST + (1 - DARKEST) * step;
  return `${hex(mixed(rgb, 0xffffff, part))},${hex(mixed(rgb, 0x000000, part))}`;
}

/** @param part of the first colour, 0 to 1 */
function mixed(rgb: number, with_: number, part: number): number {
  const channel = (shift: number): number =>
    Math.round(((rgb >> shift) & 0xff) * part + ((with_ >> shift) & 0xff) * (1 - part)) << shift;
  return channel(16) | channel(8) | channel(0);
}
