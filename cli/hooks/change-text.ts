import { structuredPatch } from 'diff';
import type { Change } from '../../hooks/installers/installer.ts';
import { plainText } from '../../runtime/plain-text.ts';
import { palette } from '../terminal/paint.ts';

/** Lines around a change that tell where it is. */
const CONTEXT = 2;

/** A change of a file as lines for a person to judge: what goes with `-`, what comes with `+`. */
export function changeText({ path, before = '', after = '' }: Change, colour: boolean): string {
  const { bold, red, green, dim } = palette(colour);
  // Line ends are what a person can't see; they are kept, and would show as a change of every line.
  const [old, next] = [before, after].map((text) => text.replaceAll('\r\n', '\n').replace(/^\uFEFF/, ''));
  const { hunks } = structuredPatch(path, path, old ?? '', next ?? '', '', '', { context: CONTEXT });
  const lines = hunks.flatMap(({ oldStart, newStart, lines: own }) => [
    dim(`  @@ line ${Math.max(1, before === '' ? newStart : oldStart)}`),
    ...own
      .filter((line) => !line.startsWith('\\'))
      .map((line) => {
        const paint = line.startsWith('-') ? red : line.startsWith('+') ? green : dim;
        return paint(`  ${plainText(line.replaceAll('\t', '    '))}`);
      }),
  ]);
  return [bold(path), ...lines, ''].join('\n');
}
