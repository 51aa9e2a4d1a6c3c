import { createHmac, hash, randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { SignalboxError } from '../protocol/errors.ts';
import type { Hasher } from '../protocol/events.ts';
import { makeSecretFile } from './secret-file.ts';

const KEY_BYTES = 32;
/** 64 bits tell the tool calls of a session apart, and fit a log line. */
const HMAC_DIGITS = 16;

/**
 * The key that makes digests of commands and inputs useless to whoever finds them. Made by the first process that asks; all
 * processes get the same one.
 *
 * A file of another size was not made by us. It is not replaced silently: two processes that both mended it could end with two keys, and digests
 * would stop matching.
 * @throws SignalboxError `digest_key_damaged`, `folder_unusable`
 */
export function loadDigestKey(path: string): Buffer {
  return readKey(path) ?? makeKey(path);
}

function readKey(path: string): Buffer | undefined {
  let key: Buffer;
  try {
    key = readFileSync(path);
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new SignalboxError('folder_unusable', { path, reason: codeOf(error) }, { cause: error });
  }
  if (key.length !== KEY_BYTES) {
    throw new SignalboxError('digest_key_damaged', { path, bytes: key.length, expected: KEY_BYTES });
  }
  return key;
}

function makeKey(path: string): Buffer {
  makeSecretFile(path, randomBytes(KEY_BYTES));
  const key = readKey(path);
  if (key === undefined)
    throw new SignalboxError('folder_unusable', { path: dirname(path), reason: 'the key file vanished' });
  return key;
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}

/** Digests as protocol code wants them: `hmac` is the first 16 hex digits of HMAC-SHA-256 under `key`, `sha256` all 64 hex digits. */
export function createHasher(key: Uint8Array): Hasher {
  return {
    hmac: (text) => createHmac('sha256', key).update(text).digest('hex').slice(0, HMAC_DIGITS),
    // Several times an event: a Hash object for each costs more than the hashing.
    sha256: (text) => hash('sha256', text),
  };
}
