import { basename } from 'node:path';
import type { SourceFile, Violation } from './source-file.ts';

/** The longest a file may be without a reason, in lines. */
const LONGEST = 300;

/** Files that may be longer, each with its reason. */
export const LONG_FILES: Readonly<Record<string, string>> = {
  'protocol/errors.ts': 'the one catalogue: an entry a code',
  'protocol/table.ts':
    'the one door to all sessions: its parts are files of their own, what is left ties them together',
};

const VAGUE = /^(?:utils?|helpers?|misc|common|index)\.[cm]?[jt]s$/;
const TIDY = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9-]+)*\.[cm]?[jt]s$/;

/** A file is short, has one job and is named after it. */
export function shapeRules(file: SourceFile): Violation[] {
  const found: Violation[] = [];
  const tell = (rule: string, line: number, message: string): void => {
    found.push({ path: file.path, line, rule, message });
  };
  const name = basename(file.path);
  if (VAGUE.test(name)) tell('name', 1, `"${name}" names no job`);
  else if (!TIDY.test(name)) tell('name', 1, `"${name}" is not lower-case-with-hyphens`);

  const lines = file.text.trimEnd().split('\n').length;
  if (lines > LONGEST && LONG_FILES[file.path] === undefined) {
    tell('size', LONGEST, `${lines} lines; split it, or give the reason in scripts/house/shape-rules.ts`);
  }
  if (lines <= LONGEST && LONG_FILES[file.path] !== undefined) {
    tell('size', 1, 'short again: take it out of the table in scripts/house/shape-rules.ts');
  }

  const { body } = file.program;
  const isReExport = (node: (typeof body)[number]): boolean =>
    node.type === 'ExportAllDeclaration' || (node.type === 'ExportNamedDeclaration' && node.source !== null);
  if (body.length > 0 && body.every(isReExport))
    tell('barrel', 1, 'a barrel: import from where a thing is made');
  return found;
}
