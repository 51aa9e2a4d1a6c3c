import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { SENDER, SENDER_BUILD } from './sender-bundle.ts';

/** Bundles the hooks' sender into dist/. Written only when it is another one, and at once: agents may be running it. */
const { outputFiles } = await build(SENDER_BUILD);
const [bundle] = outputFiles;
if (bundle === undefined) throw new Error('esbuild made nothing');
replace(SENDER.output, bundle.text);
// The package is one of ES modules; this folder's one program is not.
replace(join(dirname(SENDER.output), 'package.json'), '{ "type": "commonjs" }\n');

function replace(path: string, text: string): void {
  if (contentOf(path) === text) return;
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
