import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout that the tests run in. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What a program said and how it ended. */
export interface Outcome {
  readonly status: number;
  /** Standard output and standard error, as they came. */
  readonly output: string;
}

/** A small house in a temporary folder, under the configuration of the real one. */
export interface HouseTree {
  readonly root: string;
  write(path: string, text: string): void;
  /** Runs a program of node_modules/.bin (or of the PATH) in the tree. */
  run(command: string, ...args: string[]): Promise<Outcome>;
  close(): void;
}

const CONFIGURATION = [
  'package.json',
  'tsconfig.json',
  'tsconfig.base.json',
  'tsconfig.build.json',
  'vitest.config.ts',
  '.oxlintrc.json',
  'biome.json',
  'knip.json',
  '.gitignore',
  'scripts',
];

/** A clean source on every floor: each exports a value and a type, and imports what its floor may. */
const SOURCES: Readonly<Record<string, string>> = {
  'protocol/noon.ts': 'export const noon = 12;\nexport type Noon = typeof noon;\n',
  'runtime/motor.ts':
    "import { noon } from '../protocol/noon.ts';\n\nexport const motor = noon;\nexport type Motor = typeof motor;\n",
  'broker/post.ts':
    "import { motor } from '../runtime/motor.ts';\n\nexport const post = motor;\nexport type Post = typeof post;\n",
  'services/aggregator/sum.ts':
    "import { motor } from '../../runtime/motor.ts';\n\nexport const sum = motor;\nexport type Sum = typeof sum;\n",
  'services/http/door.ts':
    "import { noon } from '../../protocol/noon.ts';\n\nexport const door = noon;\nexport type Door = typeof door;\n",
  'services/notifier/bell.ts':
    "import { noon } from '../../protocol/noon.ts';\n\nexport const bell = noon;\nexport type Bell = typeof bell;\n",
  'services/sources/ear.ts':
    "import { noon } from '../../protocol/noon.ts';\n\nexport const ear = noon;\nexport type Ear = typeof ear;\n",
  'services/usage/gauge.ts':
    "import { noon } from '../../protocol/noon.ts';\n\nexport const gauge = noon;\nexport type Gauge = typeof gauge;\n",
  'hooks/signalbox-hook.sh': '#!/bin/sh\nexit 0\n',
  'hooks/signalbox-hook.ts':
    "import { motor } from '../runtime/motor.ts';\n\nprocess.exitCode = motor - 12;\n",
  'hooks/installers/hand.ts':
    "import { noon } from '../../protocol/noon.ts';\n\nexport const hand = noon;\nexport type Hand = typeof hand;\n",
  'hooks/plugins/amp.ts': 'export const amp = 1;\nexport type Amp = typeof amp;\n',
  'hooks/plugins/opencode.ts': 'export const opencode = 1;\nexport type Opencode = typeof opencode;\n',
  'cli/main.ts':
    "import { post } from '../broker/post.ts';\nimport { sum } from '../services/aggregator/sum.ts';\nimport { door } from '../services/http/door.ts';\n\nexport const main = post + sum + door;\n",
};

/** Makes the tree; `close` removes it. */
export function createHouseTree(): HouseTree {
  const root = mkdtempSync(join(tmpdir(), 'signalbox-house-'));
  const tree: HouseTree = {
    root,
    write(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    run: (command, ...args) => run(root, command, args),
    close: () => rmSync(root, { recursive: true, force: true }),
  };
  const projects = [...new Set(Object.keys(SOURCES).map((path) => dirname(path)))];
  const configuration = [
    ...CONFIGURATION,
    ...[...projects, 'test']
      .map((folder) => `${folder}/tsconfig.json`)
      // A folder without one belongs to the project around it.
      .filter((path) => existsSync(join(ROOT, path))),
  ];
  for (const path of configuration) cpSync(join(ROOT, path), join(root, path), { recursive: true });
  for (const [path, text] of Object.entries(SOURCES)) tree.write(path, text);
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return tree;
}

/** Runs a program in a folder, found first in the checkout's node_modules/.bin. A running Vitest is hidden from it, and that it runs in CI. */
export function run(
  cwd: string,
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:CI$|VITEST|TEST$|NODE_ENV$|NODE_V8_COVERAGE$)/.test(name),
  );
  const path = [join(ROOT, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...Object.fromEntries(own), NO_COLOR: '1', PATH: path, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ status: code ?? 1, output: Buffer.concat(chunks).toString() }));
  });
}
