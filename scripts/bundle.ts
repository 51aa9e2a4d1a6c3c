import { chmodSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { PLUGINS_BUILD, PROGRAM, PROGRAM_BUILD, SENDER, SENDER_BUILD } from './bundles.ts';

/** Bundles the program and the hooks' senders into dist/. Each file is written only when it is another one, and at once: agents may be running it. */
await bundleProgram();
await bundleSenders();

/** Parts that no longer are go last, so that a program that is just starting finds its own. */
async function bundleProgram(): Promise<void> {
  const { outputFiles, metafile } = await build(PROGRAM_BUILD);
  const made = new Set([basename(PROGRAM.contents)]);
  for (const { path, text } of outputFiles) {
    made.add(basename(path));
    // npm makes the program runnable when it links it, and not again when it is built again.
    replace(path, text, basename(path) === PROGRAM.main ? 0o755 : 0o644);
  }
  replace(PROGRAM.contents, `${JSON.stringify(metafile.outputs)}\n`);
  for (const name of readdirSync(PROGRAM.folder))
    if (!made.has(name)) rmSync(join(PROGRAM.folder, name), { recursive: true });
}

async function bundleSenders(): Promise<void> {
  const { outputFiles } = await build(SENDER_BUILD);
  const [bundle] = outputFiles;
  if (bundle === undefined) throw new Error('esbuild made nothing');
  replace(SENDER.output, bundle.text);
  // The default sender, a shell script, falls back on that program.
  replace(SENDER.scriptOutput, readFileSync(SENDER.script, 'utf8'), 0o755);
  for (const plugin of (await build(PLUGINS_BUILD)).outputFiles) replace(plugin.path, plugin.text);
  // The package is one of ES modules; this folder's one program is not; the installers below it are again.
  replace(join(dirname(SENDER.output), 'package.json'), '{ "type": "commonjs" }\n');
  replace(join(dirname(SENDER.output), 'installers/package.json'), '{ "type": "module" }\n');
}

function replace(path: string, text: string, mode = 0o644): void {
  if (contentOf(path) === text) return chmodSync(path, mode);
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  chmodSync(draft, mode);
  renameSync(draft, path);
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
