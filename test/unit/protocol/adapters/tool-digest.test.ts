import { describe, expect, it } from 'vitest';
import { toolDigest } from '../../../../protocol/adapters/tool-digest.ts';
import { CONTEXT, digestOf } from '../../../support/adapting.ts';

const digest = (input: unknown, provider = 'claude'): string | undefined =>
  toolDigest(CONTEXT.hasher, provider, input);

describe('digest of a tool input', () => {
  it.each([
    [
      'keys of every level in order',
      { b: { d: 1, c: [{ f: 2, e: 3 }] }, a: null },
      '{"a":null,"b":{"c":[{"e":3,"f":2}],"d":1}}',
    ],
    ['numbers as keys in the order of text', { 9: 1, 10: 2 }, '{"10":2,"9":1}'],
    ['a list as it is', ['b', 'a'], '["b","a"]'],
    ['an empty object', {}, '{}'],
    ['text', 'ls "x"', String.raw`"ls \"x\""`],
    ['a number', 0, '0'],
    ['no', false, 'false'],
    ['half a surrogate pair', { a: '\ud83d' }, String.raw`{"a":"\ud83d"}`],
  ])('is taken of the JSON with sorted keys: %s', (_name, input, json) =>
    expect(digest(input)).toBe(digestOf(json)),
  );

  it('does not depend on the order of keys, but on that of a list', () => {
    expect(digest(JSON.parse('{"a":1,"__proto__":2}'))).toBe(digest(JSON.parse('{"__proto__":2,"a":1}')));
    expect(digest([1, 2])).not.toBe(digest([2, 1]));
  });

  it.each([undefined, null])('is none of %s', (input) => expect(digest(input)).toBeUndefined());

  it('is of the command alone for Codex', () => {
    expect(digest({ command: 'ls', description: 'List' }, 'codex')).toBe(digestOf('{"command":"ls"}'));
    expect(digest({ command: 'ls', description: 'List' })).toBe(
      digestOf('{"command":"ls","description":"List"}'),
    );
  });
});
