import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Tells of a path below the context whether the build gets to see it. */
export type Included = (path: string) => boolean;

/** The rules of a .dockerignore: the last pattern that matches a path, or a folder above it, decides. */
export function dockerignore(text: string): Included {
  const patterns = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ includes: line.startsWith('!'), expression: expressionOf(line.replace(/^!/, '')) }));
  return (path) => patterns.findLast(({ expression }) => expression.test(path))?.includes ?? true;
}

function expressionOf(pattern: string): RegExp {
  const source = pattern
    .replace(/^\/|\/$/g, '')
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/|\*\*|\*|\?/g, (wild) =>
      wild === '**/' ? '(?:.*/)?' : wild === '**' ? '.*' : wild === '*' ? '[^/]*' : '[^/]',
    );
  return new RegExp(`^${source}(?:/|$)`);
}

/** Copies files and folders of the context as COPY does: into `to`, a folder's content rather than the folder. Returns how many files went. */
export function copyContext(
  root: string,
  sources: readonly string[],
  to: string,
  included: Included,
): number {
  let count = 0;
  for (const source of sources) {
    const below = source === '.' ? filesBelow(root, '') : [source];
    for (const path of below.filter(included)) {
      const target = join(to, path);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(join(root, path), target);
      count += 1;
    }
  }
  return count;
}

/** Never looked into: large, and shut out by every .dockerignore of ours. */
const SKIPPED = new Set(['node_modules', '.git', 'dist', 'coverage']);

function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return entry.isFile() ? [path] : [];
    return SKIPPED.has(entry.name) ? [] : filesBelow(root, path);
  });
}
