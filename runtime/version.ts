import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

let known: string | undefined;

/** The version of this package, read from its package.json once. */
export function version(): string {
  known ??= readVersion(import.meta.dirname);
  return known;
}

/** Sources and compiled files lie at different depths below package.json. */
function readVersion(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = packageVersion(join(folder, 'package.json'));
    if (found !== undefined) return found;
    if (folder === dirname(folder)) return 'unknown';
  }
}

function packageVersion(file: string): string | undefined {
  try {
    const { name, version: own } = JSON.parse(readFileSync(file, 'utf8')) as {
      name?: unknown;
      version?: unknown;
    };
    return name === 'signalbox' && typeof own === 'string' ? own : undefined;
  } catch {
    return undefined;
  }
}
