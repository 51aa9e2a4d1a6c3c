import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PROGRAM } from '../../scripts/bundles.ts';
import { ROOT } from './house-tree.ts';
import { runCli } from './run-cli.ts';
import { temporaryFolder } from './temporary-folder.ts';

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

/** Writes down every module that a process loads, by its URL or path. */
const TRACE = `
import { appendFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
const file = process.env.MODULE_TRACE;
register('data:text/javascript,' + encodeURIComponent(
  "import { appendFileSync } from 'node:fs';" +
  'export async function load(url, context, next) {' +
  '  appendFileSync(' + JSON.stringify(file) + ", url + '\\\\n');" +
  '  return next(url, context);' +
  '}'));
process.on('exit', () => appendFileSync(file, Object.keys(createRequire(file).cache).join('\\n')));
`;

/** What a command loads of the program, and how it ended. */
export interface Loaded {
  readonly status: number | null;
  /** Our own sources, from the root. */
  readonly own: readonly string[];
  /** Names of packages, each once. */
  readonly packages: readonly string[];
}

/** Runs the built program and tells which sources lie in those of its files that were loaded. */
export async function loadedSources(args: readonly string[]): Promise<Loaded> {
  const home = temporaryFolder();
  const [trace, hook] = [join(home, 'modules'), join(home, 'trace.mjs')];
  writeFileSync(hook, TRACE);
  const env = { NODE_OPTIONS: `--import ${hook}`, MODULE_TRACE: trace };
  const { status } = await runCli(args, { home, env });
  const loaded = [...new Set(readFileSync(trace, 'utf8').split('\n'))];
  const parts = shippedParts();
  const inside = loaded
    .filter((path) => path.includes(`/${PROGRAM.folder}/`))
    .flatMap((path) => Object.keys(parts.get(basename(path))?.inputs ?? {}));
  const sources = [...inside, ...loaded.filter((path) => path.includes('/node_modules/'))];
  const packages = sources.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return {
    status,
    own: sources.filter((path) => !path.includes('node_modules/')),
    packages: [...new Set(packages)],
  };
}
