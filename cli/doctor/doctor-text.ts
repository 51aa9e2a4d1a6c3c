import { plainText } from '../../runtime/plain-text.ts';
import type { Look } from '../terminal/look.ts';
import { type Palette, palette } from '../terminal/paint.ts';
import { wrap } from '../terminal/wrap.ts';
import type { Found, Level } from './check.ts';

/** Sentences read badly in wider lines. */
const WIDEST = 100;
const PIPE_WIDTH = 80;
/** Columns in front of a message: the mark and the check's name. */
const INDENT = 14;
const NAME_WIDTH = 10;

const MARKS: Readonly<Record<Level, string>> = { ok: '✓', warning: '!', broken: '✗' };

/** The findings for people: a line each, its mend below, and the sum. */
export function doctorText(found: readonly Found[], { colour, width }: Look): string {
  const paints = palette(colour);
  const columns = Math.min(Number.isFinite(width) ? width : PIPE_WIDTH, WIDEST);
  const lines = found.map((each, index) => {
    const repeated = found[index - 1]?.check === each.check;
    return findingLines(each, { paints, columns, repeated });
  });
  return `${lines.join('\n')}\n\n${sumOf(found, paints)}\n`;
}

interface LineOptions {
  readonly paints: Palette;
  readonly columns: number;
  /** The line above is of the same check. */
  readonly repeated: boolean;
}

function findingLines(
  { check, level, message, mend }: Found,
  { paints, columns, repeated }: LineOptions,
): string {
  const paint = { ok: paints.green, warning: paints.yellow, broken: paints.red }[level];
  const name = (repeated ? '' : check).padEnd(NAME_WIDTH);
  const text = wrap(plainText(message), columns, { first: INDENT, rest: INDENT }).trimStart();
  const head = ` ${paint(MARKS[level])}  ${name}${text}`;
  if (mend === undefined) return head;
  const below = wrap(`→ ${plainText(mend)}`, columns, { first: INDENT, rest: INDENT + 2 });
  return `${head}\n${paints.bold(below)}`;
}

function sumOf(found: readonly Found[], { green, yellow, red }: Palette): string {
  const broken = found.filter(({ level }) => level === 'broken').length;
  const warnings = found.filter(({ level }) => level === 'warning').length;
  if (broken + warnings === 0) return green('All is well.');
  const parts = [
    ...(broken > 0 ? [red(`${broken} broken`)] : []),
    ...(warnings > 0 ? [yellow(`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`)] : []),
  ];
  return parts.join(', ');
}
