import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { copyContext, type Included } from './build-context.ts';
import type { Instruction, Stage } from './dockerfile.ts';

export interface TrialOptions {
  /** The build context. */
  readonly context: string;
  readonly included: Included;
  /** Where the stages' file systems lie, one folder a stage. */
  readonly folder: string;
  /** What a build on this machine needs beyond the image's own variables. */
  readonly env: Readonly<Record<string, string>>;
  readonly tell: (line: string) => void;
}

/** A stage whose commands have been run in a folder of its own that stands for the image's file system. */
export interface BuiltStage {
  /** The folder that stands for `/`. */
  readonly root: string;
  readonly workdir: string;
  /** The stage's ENV, its paths in this folder. */
  readonly env: Readonly<Record<string, string>>;
  /** What the instructions that only describe the image say last: CMD, HEALTHCHECK, USER, STOPSIGNAL, VOLUME. */
  readonly said: ReadonlyMap<string, string>;
}

/** Paths of an image that our Dockerfile writes to; others are the base image's. */
const OWN_PATHS = /(?<![\w./-])\/(?=(?:app|data)(?![\w-]))/g;

/** Runs what a stage says, RUN and COPY for real, and returns what came of it. @throws when a command fails */
export function runStage(
  stage: Stage,
  built: ReadonlyMap<string, BuiltStage>,
  options: TrialOptions,
): BuiltStage {
  const root = join(options.folder, stage.name === '' ? 'runtime' : stage.name);
  mkdirSync(root, { recursive: true });
  const here = (text: string): string => text.replace(OWN_PATHS, `${root}/`);
  const said = new Map<string, string>();
  const env: Record<string, string> = {};
  let workdir = root;

  function run({ name, rest }: Instruction): void {
    switch (name) {
      case 'WORKDIR':
        workdir = here(rest);
        return void mkdirSync(workdir, { recursive: true });
      case 'ENV':
        return void Object.assign(
          env,
          Object.fromEntries(rest.split(/\s+/).map((pair) => here(pair).split('='))),
        );
      case 'RUN':
        options.tell(`RUN ${rest}`);
        execFileSync('/bin/sh', ['-ec', ownedByUs(here(rest))], {
          cwd: workdir,
          env: { ...env, ...options.env },
          stdio: ['ignore', 'inherit', 'inherit'],
        });
        return;
      case 'COPY':
        return copy(rest.split(/\s+/));
      default:
        said.set(name, rest);
    }
  }

  function copy(words: readonly string[]): void {
    const sources = words.filter((word) => !word.startsWith('--')).slice(0, -1);
    const to = join(workdir, words.at(-1) ?? '');
    const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
    if (from === undefined) {
      const count = copyContext(options.context, sources, to, options.included);
      return options.tell(`COPY ${words.join(' ')}: ${count} files`);
    }
    const other = built.get(from);
    if (other === undefined) throw new Error(`COPY from an unknown stage: ${from}`);
    for (const source of sources) {
      const target = words.at(-1)?.endsWith('/') ? join(to, basename(source)) : to;
      cpSync(join(other.root, source), target, { recursive: true, verbatimSymlinks: true });
    }
  }

  for (const instruction of stage.instructions) run(instruction);
  return { root, workdir, env, said };
}

/** The image's user `node` has the number 1000; here it need not exist, and only root may give files away. */
function ownedByUs(command: string): string {
  const [user, group] =
    process.getuid?.() === 0 ? [1000, 1000] : [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  return command.replace('-o node -g node', `-o ${user} -g ${group}`);
}
