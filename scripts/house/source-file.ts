import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, type ParseResult } from 'oxc-parser';

/** One parsed source. */
export interface SourceFile {
  /** From the root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly program: ParseResult['program'];
  readonly comments: ParseResult['comments'];
  /** The line, from 1, of an offset into the text. */
  lineAt(offset: number): number;
}

/** One broken rule at one place. */
export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

/** A rule looks at one file and knows nothing of the others. */
export type Rule = (file: SourceFile) => Violation[];

const NOT_OURS = new Set(['node_modules', 'dist', 'coverage', 'fixtures', 'firmware']);

/** Every TypeScript and JavaScript source below the root, parsed; throws on one that can't be parsed. */
export function readSources(root: string): SourceFile[] {
  return sourcePaths(root, '').map((path) => parse(path, readFileSync(join(root, path), 'utf8')));
}

function sourcePaths(root: string, folder: string): string[] {
  const paths: string[] = [];
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    if (entry.name.startsWith('.') || NOT_OURS.has(entry.name)) continue;
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) paths.push(...sourcePaths(root, path));
    else if (/\.[cm]?[jt]s$/.test(entry.name)) paths.push(path);
  }
  return paths.toSorted();
}

function parse(path: string, text: string): SourceFile {
  const { program, comments, errors } = parseSync(path, text);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  return { path, text, program, comments, lineAt: (offset) => text.slice(0, offset).split('\n').length };
}
