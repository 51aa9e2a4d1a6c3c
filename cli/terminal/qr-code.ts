import { encode } from 'uqr';
import { sgr } from './paint.ts';

/** Light modules around the code. The standard asks for four; readers do with two, and two lines more would not fit 24. */
const BORDER = 2;
/** Black on white by their fixed numbers: a theme may have another black, and a dark one would turn the code round, which not every reader takes. */
const INK = sgr(38, 5, 16, 48, 5, 231);

/** The modules of a QR code with its border, row by row; true is dark. @param text some hundred characters at most */
export function qrModules(text: string): readonly (readonly boolean[])[] {
  return encode(text, { ecc: 'L', border: BORDER }).data;
}

/** A QR code as lines of a terminal, two rows of modules in each line, as wide as it has modules. */
export function qrLines(text: string): { readonly lines: readonly string[]; readonly width: number } {
  const rows = qrModules(text);
  const width = rows[0]?.length ?? 0;
  const lines: string[] = [];
  for (let row = 0; row < rows.length; row += 2) {
    const [upper = [], lower = []] = [rows[row], rows[row + 1]];
    lines.push(INK(upper.map((dark, column) => block(dark, lower[column] === true)).join('')));
  }
  return { lines, width };
}

function block(upper: boolean, lower: boolean): string {
  if (upper) return lower ? '█' : '▀';
  return lower ? '▄' : ' ';
}
