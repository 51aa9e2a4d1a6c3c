import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ELLIPSIS, fairLimit, fitText, jsonBytes, sizeOf, utf8Bytes } from '../../../protocol/fit-text.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 80 });
const brokenText = fc
  .array(fc.oneof(fc.integer({ min: 0xd800, max: 0xdfff }), fc.integer({ min: 0, max: 0xffff })))
  .map((units) => String.fromCharCode(...units));

describe('size', () => {
  it('is what an encoder makes of the text, lone surrogates included', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, brokenText), (text) => {
        expect(sizeOf(text)).toBe(Buffer.byteLength(text));
        expect(sizeOf(text, jsonBytes)).toBe(Buffer.byteLength(JSON.stringify(text)) - 2);
      }),
    );
  });

  it('is right for every code point', () => {
    const wrong: number[] = [];
    for (
      let point = 0;
      point <= 0x10ffff;
      point += point < 0x3000 || (point > 0xd7f0 && point < 0xe010) ? 1 : 97
    ) {
      const text = String.fromCodePoint(point);
      const right =
        utf8Bytes(point) === Buffer.byteLength(text) &&
        jsonBytes(point) === Buffer.byteLength(JSON.stringify(text)) - 2;
      if (!right) wrong.push(point);
    }
    expect(wrong).toEqual([]);
  });
});

describe('fitText', () => {
  it.each([
    ['web-shop', 8, 'web-shop'],
    ['web-shop', 7, 'web-…'],
    ['web-shop', 3, '…'],
    ['web-shop', 2, ''],
    ['web-shop', 0, ''],
    ['ab', 2, 'ab'],
    ['', 0, ''],
    ['😀😀', 8, '😀😀'],
    ['😀😀', 7, '😀…'],
    ['😀😀', 6, '…'],
    ['größe', 7, 'größe'],
    ['größe', 6, 'gr…'],
  ])('%j in %i bytes is %j', (text, limit, expected) => {
    expect(fitText(text, limit)).toBe(expected);
  });

  it('counts what JSON adds', () => {
    expect(fitText('""""', 8, jsonBytes)).toBe('""""');
    expect(fitText('""""', 7, jsonBytes)).toBe('""…');
  });

  it('never exceeds its limit, cuts at a code point, and wastes at most one code point', () => {
    fc.assert(
      fc.property(
        fc.oneof(anyText, brokenText),
        fc.integer({ min: 3, max: 120 }),
        fc.constantFrom(utf8Bytes, jsonBytes),
        (text, limit, measure) => {
          const fitted = fitText(text, limit, measure);
          expect(sizeOf(fitted, measure)).toBeLessThanOrEqual(limit);
          if (fitted === text) return;
          expect(fitted.endsWith(ELLIPSIS)).toBe(true);
          const kept = Array.from(fitted.slice(0, -1));
          const points = Array.from(text);
          expect(points.slice(0, kept.length)).toEqual(kept);
          const next = points[kept.length] ?? '';
          expect(sizeOf(fitted + next, measure)).toBeGreaterThan(limit);
        },
      ),
    );
  });
});

describe('fairLimit', () => {
  it.each([
    [[10, 20, 30], 60, Infinity],
    [[10, 20, 30], 59, 29],
    [[10, 20, 30], 50, 20],
    [[10, 20, 30], 49, 19],
    [[30, 10, 20], 30, 10],
    [[30, 10, 20], 29, 9],
    [[30, 10, 20], 0, 0],
    [[30, 10, 20], -5, 0],
    [[], 10, Infinity],
  ])('%j within %i is %d', (sizes, budget, expected) => {
    expect(fairLimit(sizes, budget)).toBe(expected);
  });

  it('is the largest limit whose cuts fit', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(400), { maxLength: 6 }), fc.nat(800), (sizes, budget) => {
        const total = (limit: number) => sizes.reduce((sum, size) => sum + Math.min(size, limit), 0);
        const limit = fairLimit(sizes, budget);
        expect(total(limit)).toBeLessThanOrEqual(budget);
        expect(limit === Infinity || total(limit + 1) > budget).toBe(true);
      }),
    );
  });
});
