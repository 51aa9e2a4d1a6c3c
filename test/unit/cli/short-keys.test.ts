import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { shortKeys } from '../../../cli/sessions/short-keys.ts';

it('gives four digits, and more where two keys begin alike', () => {
  const keys = ['0123456789ab', '9abcdef01234', '9abcdf000000'];
  expect(Object.fromEntries(shortKeys(keys))).toEqual({
    '0123456789ab': '0123',
    '9abcdef01234': '9abcde',
    '9abcdf000000': '9abcdf',
  });
});

it('gives every key a beginning that no other key shares', () => {
  const key = fc.string({ unit: fc.constantFrom('0', '1', 'a'), minLength: 12, maxLength: 12 });
  fc.assert(
    fc.property(fc.uniqueArray(key, { maxLength: 40 }), (keys) => {
      for (const [whole, short] of shortKeys(keys))
        expect(keys.filter((other) => other.startsWith(short))).toEqual([whole]);
    }),
  );
});
