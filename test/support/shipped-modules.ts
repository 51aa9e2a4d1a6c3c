import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { PROGRAM } from '../../scripts/bundles.ts';
import { ROOT } from './house-tree.ts';

/** One file of the built program: what it was made of, and what it imports. */
export interface Part {
  /** Sources of ours and of packages, from the root. */
  readonly inputs: Readonly<Record<string, object>>;
  readonly imports: readonly { readonly path: string; readonly external?: boolean }[];
}

/** The files of the built program, by their name. */
export function shippedParts(): ReadonlyMap<string, Part> {
  const parts = JSON.parse(readFileSync(`${ROOT}${PROGRAM.contents}`, 'utf8')) as Record<string, Part>;
  return new Map(Object.entries(parts).map(([path, part]) => [basename(path), part]));
}

/** The sources that lie in the files of the program that a process has loaded, given by URL or path. */
export function shippedSources(loaded: readonly string[]): readonly string[] {
  const parts = shippedParts();
  const names = new Set(
    loaded.filter((path) => path.includes(`/${PROGRAM.folder}/`)).map((path) => basename(path)),
  );
  return [...names].flatMap((name) => Object.keys(parts.get(name)?.inputs ?? {}));
}
