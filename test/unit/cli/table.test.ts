import * as fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { layOut } from '../../../cli/terminal/table.ts';
import { sgr } from '../../../cli/terminal/paint.ts';

const PIPE = { width: Number.POSITIVE_INFINITY, absolute: false };
const cells = (...texts: string[]) => texts.map((text) => ({ text }));
/** The column at which a text begins on the screen. */
const columnOf = (line: string, text: string): number => stringWidth(line.slice(0, line.indexOf(text)));

describe('a table', () => {
  it('aligns its columns two spaces apart, without spaces at the end', () => {
    const rows = [cells('a', 'bb', 'c'), cells('aaaa', 'b', '')];
    expect(layOut(rows, [{}, {}, {}], PIPE)).toEqual(['a     bb  c', 'aaaa  b']);
  });

  it('leaves out a column that is empty in every row', () => {
    expect(layOut([cells('a', '', 'c'), cells('b', '', 'd')], [{}, {}, {}], PIPE)).toEqual(['a  c', 'b  d']);
  });

  it.each([
    ['Chinese', '日本語プロジェクト'],
    ['emoji', '🚀🚀'],
    ['a joined emoji', '👩‍👩‍👧‍👦 family'],
    ['combining marks', 'n\u0303a\u0308ive'],
    ['a zero-width space', 'a\u200bb'],
    ['Arabic', 'مشروع'],
  ])('keeps the next column in its place after %s', (_name, project) => {
    const rows = [cells(project, 'after'), cells('plain', 'after')];
    const lines = layOut(rows, [{}, {}], PIPE);
    expect(columnOf(lines[0] ?? '', 'after')).toBe(columnOf(lines[1] ?? '', 'after'));
  });

  it.each([
    ['an escape sequence', '\u001b[31mred\u001b[0m', '\\u001b[31mred\\u001b[0m'],
    ['an 8-bit escape', '\u009b2J', '\\u009b2J'],
    ['a tab and a newline', 'a\tb\nc', 'a\\u0009b\\u000ac'],
    ['a direction override', 'x\u202egnp.exe', 'x\\u202egnp.exe'],
    ['a bell', 'ding\u0007', 'ding\\u0007'],
    ['half a surrogate pair', 'x\ud83d', 'x\ufffd'],
  ])('shows %s as text', (_name, hostile, shown) => {
    expect(layOut([cells(hostile, 'after')], [{}, {}], PIPE)).toEqual([`${shown}  after`]);
  });

  it('places what follows a text of unsure width by column on a terminal', () => {
    const rows = [cells('👍🏽', 'after'), cells('plain', 'after')];
    const [first, second] = layOut(rows, [{}, {}], { width: 80, absolute: true });
    expect(first).toMatch(/\u001b\[8Gafter$/);
    expect(second).toBe('plain  after');
  });

  it('cuts the widest column that may give, between two characters', () => {
    const columns = [{}, { shrinkTo: 4 }, { shrinkTo: 4 }];
    const lines = layOut([cells('key', '日本語日本語', 'reason')], columns, { width: 19, absolute: false });
    expect(lines).toEqual(['key  日本…   reason']);
    expect(stringWidth(lines[0] ?? '')).toBeLessThanOrEqual(19);
  });

  it.each([
    [40, 'key  project  reason why  2 min'],
    [29, 'key  project  reason …  2 min'],
    [27, 'key  project  2 min'],
    [18, 'key  project'],
    [5, 'key  project'],
  ])('leaves columns out in their order where room is short: %i', (width, line) => {
    const columns = [{}, {}, { shrinkTo: 8, drop: 1 }, { drop: 2 }];
    const row = cells('key', 'project', 'reason why', '2 min');
    expect(layOut([row], columns, { width, absolute: false })).toEqual([line]);
  });

  it('paints the text and not the room around it', () => {
    const lines = layOut([[{ text: 'a', paint: sgr(31) }, { text: 'b' }]], [{ min: 3 }, {}], PIPE);
    expect(lines).toEqual(['\u001b[31ma\u001b[0m    b']);
  });

  it('lets nothing through that moves the cursor, whatever the text, and keeps to its width', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 5 }), (rows) => {
        const lines = layOut(
          rows.map((row) => cells(...row)),
          [{ shrinkTo: 4 }, { shrinkTo: 4 }],
          {
            width: 40,
            absolute: false,
          },
        );
        for (const line of lines) {
          expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
          expect(stringWidth(line)).toBeLessThanOrEqual(40);
        }
      }),
    );
  });
});
