import type { BuildOptions } from 'esbuild';

/** Where the program lies, from the root: `main.js`, the parts that several commands share, and what is in which of them. */
export const PROGRAM = {
  source: 'cli/main.ts',
  folder: 'dist/bin',
  main: 'main.js',
  contents: 'dist/bin/contents.json',
} as const;

/**
 * How esbuild makes the program. Of a thousand modules Node reads each by itself; of these few files it starts in about 60 % of the time, with 8 MB less. SQLite's binding stays outside:
 * it looks for its binary beside itself.
 */
export const PROGRAM_BUILD = {
  entryPoints: [PROGRAM.source],
  outdir: PROGRAM.folder,
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  external: ['better-sqlite3'],
  // Its CommonJS form asks for its own parts in a way that no bundler sees.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  // CommonJS packages in the bundle ask for Node's own modules by it.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
  legalComments: 'linked',
  charset: 'utf8',
  write: false,
  metafile: true,
} as const satisfies BuildOptions;

/** Where the hooks' program lies, from the root. */
export const SENDER = {
  source: 'hooks/signalbox-hook.ts',
  output: 'dist/hooks/signalbox-hook.js',
  script: 'hooks/signalbox-hook.sh',
  scriptOutput: 'dist/hooks/signalbox-hook.sh',
} as const;

/**
 * How esbuild makes one file of the hooks' sender. CommonJS: Node starts it about 10 ms of 60 sooner than an ES module, and a module of Node's that only the spool
 * needs is loaded when something is spooled.
 */
export const SENDER_BUILD = {
  entryPoints: [SENDER.source],
  outfile: SENDER.output,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  minify: true,
  legalComments: 'none',
  write: false,
  metafile: true,
} as const satisfies BuildOptions;

/** Where the programs lie that agents run inside themselves: Signalbox' plugins. */
export const PLUGINS = {
  sources: ['hooks/plugins/opencode.ts', 'hooks/plugins/amp.ts'],
  output: 'dist/hooks/plugins',
};

/** One readable file each: the user is shown it before it is installed. An agent's Bun or Node runs it, so nothing newer than both know is in it. */
export const PLUGINS_BUILD = {
  entryPoints: PLUGINS.sources,
  outdir: PLUGINS.output,
  bundle: true,
  platform: 'node',
  target: 'node18',
  format: 'esm',
  charset: 'utf8',
  write: false,
  metafile: true,
} as const satisfies BuildOptions;
