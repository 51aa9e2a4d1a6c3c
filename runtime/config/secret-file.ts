import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { SignalboxError } from '../../protocol/errors.ts';
import type { Origin } from './origin.ts';

/** A setting that names a file whose first line is a secret. */
export interface SecretFile {
  /** The setting, e.g. `broker.password_file`. */
  readonly key: string;
  /** Its value; empty: there is none. */
  readonly file: string;
  readonly configFile: string;
  readonly origin: Origin | undefined;
}

/** The first line of the file; undefined when the setting names none. @throws SignalboxError `config_bad_value` */
export function readSecret(source: SecretFile): string | undefined {
  if (source.file === '') return undefined;
  const file = fullPath(source);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw wrong(source, `${file} can't be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
  const [secret = ''] = text.split(/\r?\n/);
  if (secret === '') throw wrong(source, `${file} has no ${wordOf(source)} in its first line`);
  return secret;
}

/** Says so when others on this machine can read the secret. */
export function secretFileWarnings(source: SecretFile): readonly string[] {
  if (source.file === '' || process.platform === 'win32') return [];
  const file = fullPath(source);
  return (modeOf(file) & 0o077) === 0
    ? []
    : [`Others can read the ${wordOf(source)} in ${file}. Close it with: chmod 600 ${file}`];
}

/** 0 for a file that can't be looked at (not there, a name that is none, a folder that is closed): reading it says why. */
function modeOf(file: string): number {
  try {
    return statSync(file).mode;
  } catch {
    return 0;
  }
}

/** `password` or `token`, as the setting is called. */
function wordOf({ key }: SecretFile): string {
  return key.endsWith('token_file') ? 'token' : 'password';
}

/** In the configuration file a relative path starts at that file, elsewhere at the working folder. */
function fullPath({ file, configFile, origin }: SecretFile): string {
  if (file.startsWith('~/')) return join(homedir(), file.slice(2));
  return origin?.source === 'file' ? resolve(dirname(configFile), file) : resolve(file);
}

function wrong({ key, origin }: SecretFile, reason: string): SignalboxError {
  return new SignalboxError('config_bad_value', { key, origin: origin?.detail ?? '', reason });
}
