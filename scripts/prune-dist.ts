import { existsSync, readFileSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Removes from dist/ what the compiler made of a source that is gone: `tsc -b` leaves it there, where an import would still find it.
 * Only .js, .d.ts and build records are looked at, and only below folders that the compiler writes.
 */
const root = process.cwd();
const compiled = projects();

for (const folder of compiled) prune(folder);
for (const parent of new Set(compiled.map((folder) => dirname(folder)))) pruneProjects(parent);

/** The folders that the compiler writes to dist/, as the build lists them. */
function projects(): string[] {
  const { references } = JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8')) as {
    readonly references: readonly { readonly path: string }[];
  };
  return references.map(({ path }) => path.replace(/^\.\//, ''));
}

function prune(folder: string): void {
  const output = join(root, 'dist', folder);
  if (!existsSync(output)) return;
  for (const entry of readdirSync(output, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) prune(path);
    else if (
      /\.(?:js|d\.ts)$/.test(entry.name) &&
      !existsSync(join(root, path.replace(/\.(?:js|d\.ts)$/, '.ts')))
    ) {
      rmSync(join(output, entry.name));
    }
  }
  if (readdirSync(output).length === 0) rmdirSync(output);
}

/** A folder of dist/ beside the compiled ones whose sources are gone altogether. */
function pruneProjects(parent: string): void {
  const output = join(root, 'dist', parent);
  if (!existsSync(output)) return;
  for (const entry of readdirSync(output, { withFileTypes: true })) {
    if (entry.isDirectory() && !existsSync(join(root, parent, entry.name))) {
      rmSync(join(output, entry.name), { recursive: true });
    }
  }
}
