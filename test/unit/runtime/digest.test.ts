import { createHmac } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createHasher, loadDigestKey } from '../../../runtime/digest.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startChildren } from './start-children.ts';

it('is made once, of 32 bytes, for this user alone, and leaves nothing else behind', () => {
  const folder = join(temporaryFolder(), 'data');
  const path = join(folder, 'digest.key');
  const key = loadDigestKey(path);
  expect(key).toHaveLength(32);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(loadDigestKey(path)).toEqual(key);
  expect(readdirSync(folder)).toEqual(['digest.key']);
  expect(loadDigestKey(join(temporaryFolder(), 'digest.key'))).not.toEqual(key);
});

it('is one key for all processes that start at once', async () => {
  const path = join(temporaryFolder(), 'digest.key');
  const children = await startChildren('digest-key', path, 4);
  for (const child of children) child.go();
  const keys = await Promise.all(children.map((child) => child.line()));
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toBe(readFileSync(path).toString('hex'));
});

it('is closed when others could read it', () => {
  const path = join(temporaryFolder(), 'digest.key');
  loadDigestKey(path);
  chmodSync(path, 0o644);
  loadDigestKey(path);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it.each([0, 31, 33])('of %i bytes is told to be damaged, and stays as it is', (bytes) => {
  const path = join(temporaryFolder(), 'digest.key');
  writeFileSync(path, Buffer.alloc(bytes));
  expect(() => loadDigestKey(path)).toThrow(
    expect.objectContaining({
      code: 'digest_key_damaged',
      message: expect.stringContaining(`has ${bytes} bytes instead of 32`),
    }),
  );
  expect(readFileSync(path)).toHaveLength(bytes);
});

it('is told to be unusable when a folder is in its place', () => {
  const path = join(temporaryFolder(), 'digest.key');
  mkdirSync(path);
  expect(() => loadDigestKey(path)).toThrow(expect.objectContaining({ code: 'folder_unusable' }));
});

it('makes digests that others can check', () => {
  const key = Buffer.alloc(32, 7);
  const { hmac, sha256 } = createHasher(key);
  expect(hmac('rm -rf ü')).toBe(createHmac('sha256', key).update('rm -rf ü').digest('hex').slice(0, 16));
  expect(hmac('rm -rf ü')).not.toBe(createHasher(Buffer.alloc(32, 8)).hmac('rm -rf ü'));
  // The SHA-256 of "abc" (FIPS 180-2, appendix B.1).
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
