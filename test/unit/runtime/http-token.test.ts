import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isHttpToken, isMadeToken, loadHttpToken, readHttpToken } from '../../../runtime/http-token.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('the token of the HTTP port', () => {
  it('is made at random, once, for this user alone', () => {
    const paths = [1, 2].map(() => join(temporaryFolder(), 'data', 'http-token'));
    const [one = '', other = ''] = paths.map(loadHttpToken);
    expect(one).not.toBe(other);
    expect([one, other].map(isMadeToken)).toEqual([true, true]);
    expect([isHttpToken(one), loadHttpToken(paths[0] ?? ''), readHttpToken(paths[0] ?? '')]).toEqual([
      ...[true, one, one],
    ]);
    expect(statSync(paths[0] ?? '').mode & 0o777).toBe(0o600);
    // Nothing is left of its making.
    expect(readdirSync(join(paths[0] ?? '', '..'))).toEqual(['http-token']);
  });

  it('is closed again when others could read it; a look mends nothing', () => {
    const path = join(temporaryFolder(), 'http-token');
    writeFileSync(path, 'a-token-by-hand-0123\n');
    chmodSync(path, 0o644);
    expect(readHttpToken(path)).toBe('a-token-by-hand-0123');
    expect(statSync(path).mode & 0o777).toBe(0o644);
    expect(loadHttpToken(path)).toBe('a-token-by-hand-0123');
    expect(isMadeToken('a-token-by-hand-0123')).toBe(false);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each([
    '',
    '\n',
    'too-short',
    'x'.repeat(513),
    'two words-and-more-text',
    'ümlaut-ümlaut-ümlaut',
    'a\u0000bcdefghijklmnopqrst',
  ])('is not %j, and that is not replaced', (text) => {
    const path = join(temporaryFolder(), 'http-token');
    writeFileSync(path, text);
    expect(() => loadHttpToken(path)).toThrow(expect.objectContaining({ code: 'http_token_damaged' }));
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('is missing where there is none, and can’t be a folder', () => {
    const path = join(temporaryFolder(), 'http-token');
    expect(readHttpToken(path)).toBeUndefined();
    mkdirSync(path);
    expect(() => loadHttpToken(path)).toThrow(expect.objectContaining({ code: 'folder_unusable' }));
  });
});
