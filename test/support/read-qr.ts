import * as jsqr from 'jsqr';

type Decoder = (data: Uint8ClampedArray, width: number, height: number) => { readonly data: string } | null;

/** The package is CommonJS: what its default is depends on who loads it. */
const decode = ('default' in jsqr.default ? jsqr.default.default : jsqr.default) as unknown as Decoder;

/** Pixels of a module's side: a reader wants some. */
const SIDE = 4;

/** What a code reader sees in lines that are drawn of half blocks, dark on light; undefined: no code. Escape sequences are left out first. */
export function readQr(lines: readonly string[]): string | undefined {
  const rows = lines.map((line) => Array.from(line.replaceAll(/\u001b\[[\d;]*m/g, '')));
  const columns = Math.max(...rows.map((row) => row.length));
  const [width, height] = [columns * SIDE, rows.length * 2 * SIDE];
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let y = 0; y < height; y += 1) {
    const half = Math.floor(y / SIDE);
    for (let x = 0; x < width; x += 1) {
      const block = rows[Math.floor(half / 2)]?.[Math.floor(x / SIDE)] ?? ' ';
      if (block === '█' || block === (half % 2 === 0 ? '▀' : '▄'))
        pixels.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  }
  return decode(pixels, width, height)?.data;
}
