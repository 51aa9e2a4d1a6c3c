import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RetainedIndex } from '../../../broker/persistence/retained-index.ts';
import { matches } from '../../../protocol/roles.ts';

const level = fc.constantFrom('a', 'b', '', '$SYS', '__proto__');
const topic = fc.array(level, { minLength: 1, maxLength: 4 }).map((levels) => levels.join('/'));
const filter = fc
  .record({
    levels: fc.array(fc.oneof(level, fc.constant('+')), { minLength: 1, maxLength: 4 }),
    rest: fc.boolean(),
  })
  .map(({ levels, rest }) => [...levels, ...(rest ? ['#'] : [])].join('/'));

describe('RetainedIndex', () => {
  it('finds exactly what the filter covers, after any sets and deletes', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(topic, fc.boolean())), filter, (changes, wanted) => {
        const index = new RetainedIndex<string>();
        const model = new Set<string>();
        for (const [name, isSet] of changes) {
          if (isSet) {
            index.set(name, name);
            model.add(name);
          } else {
            index.delete(name);
            model.delete(name);
          }
        }
        expect(index.size).toBe(model.size);
        const expected = [...model].filter((name) => matches(wanted, name));
        expect(index.match(wanted).toSorted()).toEqual(expected.toSorted());
      }),
    );
  });

  it.each([
    ['#', ['a', 'a/b', 'a/']],
    ['a/#', ['a', 'a/b', 'a/']],
    ['a/+', ['a/b', 'a/']],
    ['a', ['a']],
    ['+', ['a']],
    ['$SYS/#', ['$SYS/x']],
    ['c/#', []],
  ])('%s', (wanted, found) => {
    const index = new RetainedIndex<string>();
    for (const name of ['a', 'a/b', 'a/', '$SYS/x']) index.set(name, name);
    expect(index.match(wanted).toSorted()).toEqual(found.toSorted());
  });

  it('replaces a value', () => {
    const index = new RetainedIndex<number>();
    index.set('a/b', 1);
    index.set('a/b', 2);
    expect([index.match('a/b'), index.size]).toEqual([[2], 1]);
  });
});
