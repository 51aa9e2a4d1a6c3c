import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** How a block of shell commands in a document is to be run: to its end, until it is told to stop, or not in a test. */
export type DocMode = 'run' | 'background' | 'elsewhere';

/** A block of shell commands in a document. */
export interface DocBlock {
  /** Of its first line, for the reader of a failure. */
  readonly line: number;
  readonly mode: DocMode;
  readonly commands: string;
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MODES: Readonly<Record<string, DocMode>> = {
  '': 'run',
  background: 'background',
  elsewhere: 'elsewhere',
};
/** Languages of blocks that hold no command. */
const SHOWN = ['text', 'json', 'jsonc', 'ini', 'toml', 'yaml', 'css'];

/** The documents with commands in them, as paths from the project's root. */
export function docPages(): readonly string[] {
  const docs = readdirSync(`${ROOT}docs`).filter((name) => name.endsWith('.md'));
  return ['README.md', 'CONTRIBUTING.md', ...docs.map((name) => `docs/${name}`)].filter(
    (page) => docBlocks(page).length > 0,
  );
}

/**
 * The blocks of shell commands of a document, in order. The fence's word behind `sh` says how they are run.
 * @throws RangeError for a fence that says nothing about whether it is to be run
 */
export function docBlocks(page: string): readonly DocBlock[] {
  const text = readFileSync(ROOT + page, 'utf8');
  const blocks: DocBlock[] = [];
  for (const match of text.matchAll(/^([ ]*)```(.*)\n([\s\S]*?)^\1```$/gm)) {
    const [, indent = '', info = '', body = ''] = match;
    const [language = '', word = ''] = info.split(' ');
    const line = text.slice(0, match.index).split('\n').length + 1;
    if (SHOWN.includes(language)) continue;
    const mode = MODES[word];
    if (language !== 'sh' || mode === undefined) throw new RangeError(`${page}:${line}: what is "${info}"?`);
    const lines = body.split('\n').map((each) => each.slice(indent.length));
    blocks.push({ line, mode, commands: lines.join('\n').trim() });
  }
  return blocks;
}
