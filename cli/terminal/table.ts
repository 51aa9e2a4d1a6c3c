import { cellText, cutToWidth, padding, widthOf } from './cells.ts';
import { type Paint, plain } from './paint.ts';

export interface Column {
  /** Never narrower, so that lines printed one by one stand below each other. */
  readonly min?: number;
  /** Where room is short, it may be cut down to this many columns; without it never. */
  readonly shrinkTo?: number;
  /** Where that is not enough, it is left out: the column with the lowest number first; without it never. */
  readonly drop?: number;
}

export interface Cell {
  /** As it came: it is made harmless here. */
  readonly text: string;
  readonly paint?: Paint;
}

export interface TableOptions {
  /** Columns of the terminal; `Infinity` for a pipe. */
  readonly width: number;
  /**
   * Places what follows a text that is not plain ASCII by column number: terminals disagree on the width of emoji and joined characters. For terminals only.
   */
  readonly absolute: boolean;
}

const GAP = 2;

/** Lays rows out in aligned columns, one line a row, without a newline and without spaces at the end. */
export function layOut(
  rows: readonly (readonly Cell[])[],
  columns: readonly Column[],
  { width, absolute }: TableOptions,
): string[] {
  const texts = rows.map((row) => columns.map((_, index) => cellText(row[index]?.text ?? '')));
  const widths = fitWidths(naturalWidths(texts, columns), columns, width);
  const starts = widths.map((_, index) =>
    widths.slice(0, index).reduce((sum, own) => sum + (own === 0 ? 0 : own + GAP), 0),
  );
  return texts.map((row, rowIndex) => {
    const shown = row.map((text, index) => cutToWidth(text, widths[index] ?? 0));
    const last = shown.findLastIndex((text) => text !== '');
    let line = '';
    let exact = true;
    for (const [index, text] of shown.slice(0, last + 1).entries()) {
      if (widths[index] === 0) continue;
      if (!exact && absolute) line += `\u001b[${(starts[index] ?? 0) + 1}G`;
      exact = isAscii(text);
      const paint = rows[rowIndex]?.[index]?.paint ?? plain;
      line += text === '' ? '' : paint(text);
      if (index < last) line += padding(text, (widths[index] ?? 0) + GAP);
    }
    return line;
  });
}

function naturalWidths(texts: readonly (readonly string[])[], columns: readonly Column[]): number[] {
  return columns.map(({ min = 0 }, index) =>
    texts.reduce((widest, row) => Math.max(widest, widthOf(row[index] ?? '')), min),
  );
}

/** Widths for this much room: first what may give gives, then columns are left out. */
function fitWidths(natural: readonly number[], columns: readonly Column[], room: number): readonly number[] {
  const drops = columns
    .flatMap(({ drop }, index) => (drop === undefined ? [] : [{ drop, index }]))
    .sort((a, b) => a.drop - b.drop);
  for (let dropped = 0; ; dropped += 1) {
    const out = new Set(drops.slice(0, dropped).map(({ index }) => index));
    const widths = shrink(
      natural.map((own, index) => (out.has(index) ? 0 : own)),
      columns,
      room,
    );
    if (taken(widths) <= room || dropped === drops.length) return widths;
  }
}

/** Takes one column of the terminal after the other from the widest that may give. */
function shrink(widths: number[], columns: readonly Column[], room: number): number[] {
  while (taken(widths) > room) {
    const givers = widths.flatMap((own, index) => (own > (columns[index]?.shrinkTo ?? own) ? [index] : []));
    const widest = givers.sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))[0];
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function taken(widths: readonly number[]): number {
  const used = widths.filter((own) => own > 0);
  return used.reduce((sum, own) => sum + own, 0) + GAP * Math.max(0, used.length - 1);
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}
