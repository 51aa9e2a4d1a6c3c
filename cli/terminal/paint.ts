/** Puts a look on a text. Its width stays what it was. */
export type Paint = (text: string) => string;

export const plain: Paint = (text) => text;

/** A look by the numbers of ECMA-48's SGR. The sixteen colours only: a theme has made them readable on its background, light or dark. */
export function sgr(...codes: readonly number[]): Paint {
  return (text) => `\u001b[${codes.join(';')}m${text}\u001b[0m`;
}

/** The looks of the command line. */
export interface Palette {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly yellow: Paint;
  readonly green: Paint;
}

const COLOURS: Palette = { bold: sgr(1), dim: sgr(2), red: sgr(1, 31), yellow: sgr(1, 33), green: sgr(32) };
const NONE: Palette = { bold: plain, dim: plain, red: plain, yellow: plain, green: plain };

export function palette(colour: boolean): Palette {
  return colour ? COLOURS : NONE;
}
