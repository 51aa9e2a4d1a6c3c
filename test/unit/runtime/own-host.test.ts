import { describe, expect, it } from 'vitest';
import { foreignRequest, isLoopback } from '../../../runtime/own-host.ts';

describe('isLoopback', () => {
  it.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', 'localhost', 'LOCALHOST'])(
    '%s is',
    (host) => {
      expect(isLoopback(host)).toBe(true);
    },
  );
  it.each([
    '',
    '0.0.0.0',
    '::',
    '10.0.0.1',
    '::ffff:10.0.0.1',
    '128.0.0.1',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
  ])('%j is not', (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});

describe('foreignRequest', () => {
  it.each([
    [{ host: '127.0.0.1:4787' }],
    [{ host: 'localhost:4787', origin: 'http://localhost:4787' }],
    [{ host: '[::1]:4787', origin: 'http://[::1]:4787' }],
    [{ host: 'desk.example:4787', origin: 'http://desk.example:4787' }],
  ])('lets %j pass', (headers) => {
    expect(foreignRequest(headers, { names: ['desk.example'], addresses: false })).toBeUndefined();
  });

  it.each([
    ['a name that was pointed here', { host: 'evil.example:4787' }, 'foreign_host'],
    ['no host at all', {}, 'foreign_host'],
    ['what is no host', { host: 'a b' }, 'foreign_host'],
    ["somebody's page", { host: '127.0.0.1:4787', origin: 'https://evil.example' }, 'foreign_origin'],
    [
      'a page of another port of ours',
      { host: '127.0.0.1:4787', origin: 'http://127.0.0.1:8080' },
      'foreign_origin',
    ],
    ['a page without an origin of its own', { host: '127.0.0.1:4787', origin: 'null' }, 'foreign_origin'],
    ['a file', { host: '127.0.0.1:4787', origin: 'file://' }, 'foreign_origin'],
  ] as const)('names what gives %s away', (_what, headers, code) => {
    expect(foreignRequest(headers)).toBe(code);
  });
});
