import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { SignalboxError } from '../protocol/errors.ts';
import { folderReason } from './paths.ts';
import { makeSecretFile } from './secret-file.ts';

const RANDOM_BYTES = 32;

/** What a token is made of, in words. */
export const TOKEN_FORM = '16 to 512 visible ASCII characters';

/** Whether a text can be a bearer token: it has to fit a header, and must not be guessed. */
export function isHttpToken(text: string): boolean {
  return /^[\x21-\x7e]{16,512}$/.test(text);
}

/** Whether a token has the form of one that was made at random here: in the data folder may lie one that a person has chosen. */
export function isMadeToken(token: string): boolean {
  return /^[\w-]{43}$/.test(token);
}

/**
 * The token of the HTTP port as it lies in the data folder, made at random by the first process that asks.
 * @throws SignalboxError `http_token_damaged`, `folder_unusable`
 */
export function loadHttpToken(path: string): string {
  const found = readHttpToken(path);
  if (found !== undefined) {
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
    return found;
  }
  makeSecretFile(path, Buffer.from(`${randomBytes(RANDOM_BYTES).toString('base64url')}\n`));
  const made = readHttpToken(path);
  if (made === undefined) throw new SignalboxError('folder_unusable', { path, reason: 'the file vanished' });
  return made;
}

/** The same without making or mending one; `undefined`: there is none. @throws SignalboxError `http_token_damaged`, `folder_unusable` */
export function readHttpToken(path: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new SignalboxError('folder_unusable', { path, reason: folderReason(error) }, { cause: error });
  }
  const token = text.trim();
  // Not replaced silently: whoever uses it has put it somewhere.
  if (!isHttpToken(token)) throw new SignalboxError('http_token_damaged', { path, form: TOKEN_FORM });
  return token;
}
