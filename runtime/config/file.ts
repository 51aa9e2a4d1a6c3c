import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { SignalboxError } from '../../protocol/errors.ts';
import { folderReason } from '../paths.ts';
import { configKeys } from './keys.ts';
import { nearest } from './nearest.ts';
import type { Setting } from './origin.ts';

/**
 * Reads the settings of a file; a file that isn't there has none.
 * @throws SignalboxError `config_unreadable`, `config_unknown_key`, `folder_unusable`
 */
export function readConfigFile(file: string): readonly Setting[] {
  const text = readText(file);
  if (text === undefined) return [];
  const lines = keyLines(text);
  return settingsBelow(parseToml(file, text), [], { file, lineOf: (key) => lines.get(key) });
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    if (code === 'ENOENT') return undefined;
    // It is the folder that is wrong, e.g. SIGNALBOX_HOME that names a file.
    if (code === 'ENOTDIR')
      throw new SignalboxError(
        'folder_unusable',
        { path: dirname(file), reason: folderReason(error) },
        { cause: error },
      );
    throw new SignalboxError('config_unreadable', { path: file, reason: code }, { cause: error });
  }
}

function parseToml(file: string, text: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The parser's message goes on with a picture of the lines around; the first line says what is wrong.
    const what = error.message.split('\n')[0] ?? '';
    const reason = `line ${error.line}, column ${error.column}: ${what}`;
    throw new SignalboxError('config_unreadable', { path: file, reason }, { cause: error });
  }
}

interface Source {
  readonly file: string;
  readonly lineOf: (key: string) => number | undefined;
}

function settingsBelow(table: Record<string, unknown>, above: readonly string[], source: Source): Setting[] {
  return Object.entries(table).flatMap(([name, value]) => {
    const path = [...above, name];
    const key = path.join('.');
    const line = source.lineOf(key);
    const detail = line === undefined ? source.file : `${source.file}, line ${line}`;
    if (configKeys().some((known) => known.key === key))
      return [{ path, value, origin: { source: 'file', detail } as const }];
    if (!sections().has(key)) throw unknownKey(detail, key);
    // Not a table although it should be one: the schema says so.
    if (!isTable(value)) return [{ path, value, origin: { source: 'file', detail } as const }];
    return settingsBelow(value, path, source);
  });
}

/** The error for a key that no setting has. @param where the file, with its line when that is known */
export function unknownKey(
  where: string,
  key: string,
  known: readonly string[] = allNames(),
): SignalboxError {
  return new SignalboxError('config_unknown_key', { path: where, key, nearest: nearest(key, known) });
}

function allNames(): readonly string[] {
  return [...configKeys().map(({ key }) => key), ...sections()];
}

function sections(): ReadonlySet<string> {
  return new Set(
    configKeys().flatMap(({ path }) => path.slice(0, -1).map((_, end) => path.slice(0, end + 1).join('.'))),
  );
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** The line, from 1, on which each key or table header stands. The parser keeps no positions, so this reads plain lines only. */
function keyLines(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  let table = '';
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const header = /^\s*\[\s*([^[\]]+?)\s*\]/.exec(line)?.[1];
    const name = /^\s*([A-Za-z0-9_."'-]+)\s*=/.exec(line)?.[1];
    if (header !== undefined) table = plainKey(header);
    const key = header !== undefined ? table : name === undefined ? undefined : joined(table, plainKey(name));
    if (key === undefined) continue;
    // A dotted key or header names the tables above it too.
    const parts = key.split('.');
    for (let end = 1; end <= parts.length; end += 1) {
      const part = parts.slice(0, end).join('.');
      if (!lines.has(part)) lines.set(part, index + 1);
    }
  }
  return lines;
}

function joined(table: string, name: string): string {
  return table === '' ? name : `${table}.${name}`;
}

function plainKey(text: string): string {
  return text.replace(/\s*\.\s*/g, '.').replace(/["']/g, '');
}
