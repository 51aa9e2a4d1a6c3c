import { describe, expect, it } from 'vitest';
import { nestsDeeperThan } from '../../../../protocol/adapters/json-depth.ts';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('depth of a JSON text', () => {
  it.each([
    ['nothing', '', false],
    ['flat', '{"a":1,"b":"c"}', false],
    ['as deep as allowed', nested(3), false],
    ['one deeper', nested(4), true],
    ['objects', '{"a":{"b":{"c":{}}}}', true],
    ['wide, not deep', `[${Array(100).fill('[[]]').join(',')}]`, false],
    ['brackets in a string', '{"a":"[[[[[{{{{"}', false],
    ['behind an escaped quote', String.raw`{"a":"\"[[[[["}`, false],
    ['behind an escaped backslash', String.raw`{"a":"\\","b":[[[]]]}`, true],
    ['behind two backslashes and a quote', String.raw`{"a":"\\\"[[[["}`, false],
    ['in a string that never ends', '"[[[[', false],
    ['in a string that ends with a backslash', '"[[[[\\', false],
    ['closed more often than opened', ']]]][[[[', false],
  ])('%s', (_name, text, deeper) => expect(nestsDeeperThan(text, 3)).toBe(deeper));

  it('answers on millions of brackets, quotes and backslashes', () => {
    expect(nestsDeeperThan('['.repeat(4_000_000), 64)).toBe(true);
    expect(nestsDeeperThan('"'.repeat(4_000_001), 64)).toBe(false);
    expect(nestsDeeperThan(`"${'\\'.repeat(4_000_000)}"`, 64)).toBe(false);
  });
});
