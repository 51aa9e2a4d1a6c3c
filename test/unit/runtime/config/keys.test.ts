import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { configKeys } from '../../../../runtime/config/keys.ts';
import { editDistance, nearest } from '../../../../runtime/config/nearest.ts';

it('every setting says what it is for, as a sentence', () => {
  expect(configKeys().length).toBeGreaterThan(20);
  for (const { description } of configKeys()) expect(description).toMatch(/^[A-Z`].*\.$/s);
});

it('no two settings share a variable', () => {
  const variables = configKeys().flatMap(({ variable }) => variable ?? []);
  expect(new Set(variables).size).toBe(variables.length);
});

it.each([
  ['', '', 0],
  ['abc', 'abc', 0],
  ['abc', '', 3],
  ['port', 'prot', 1],
  ['kitten', 'sitting', 3],
])('from "%s" to "%s" it is %i edits', (from, to, edits) => {
  expect(editDistance(from, to)).toBe(edits);
});

it('an edit distance is the same both ways, and 0 only for the same word', () => {
  const word = fc.string({ maxLength: 8 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, b) === 0).toBe(a === b);
      expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
    }),
  );
});

it('what is right is nearest to itself', () => {
  const keys = configKeys().map(({ key }) => key);
  for (const key of keys) expect(nearest(key, keys)).toBe(key);
});
