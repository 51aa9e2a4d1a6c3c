import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { SignalboxError } from '../../protocol/errors.ts';
import type { Origin } from './origin.ts';

export interface PasswordSource {
  /** `broker.password_file`; empty: there is none. */
  readonly file: string;
  readonly configFile: string;
  readonly origin: Origin | undefined;
}

/** The first line of the password file. @throws SignalboxError `config_bad_value` */
export function brokerPassword(source: PasswordSource): string | undefined {
  if (source.file === '') return undefined;
  const file = fullPath(source);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw wrong(source, `${file} can't be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
  const [password = ''] = text.split(/\r?\n/);
  if (password === '') throw wrong(source, `${file} has no password in its first line`);
  return password;
}

/** Says so when others on this machine can read the password. */
export function passwordFileWarnings(source: PasswordSource): readonly string[] {
  if (source.file === '' || process.platform === 'win32') return [];
  const file = fullPath(source);
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & 0o077) === 0
    ? []
    : [`Others can read the password in ${file}. Close it with: chmod 600 ${file}`];
}

/** In the configuration file a relative path starts at that file, elsewhere at the working folder. */
function fullPath({ file, configFile, origin }: PasswordSource): string {
  if (file.startsWith('~/')) return join(homedir(), file.slice(2));
  return origin?.source === 'file' ? resolve(dirname(configFile), file) : resolve(file);
}

function wrong({ origin }: PasswordSource, reason: string): SignalboxError {
  return new SignalboxError('config_bad_value', {
    key: 'broker.password_file',
    origin: origin?.detail ?? '',
    reason,
  });
}
