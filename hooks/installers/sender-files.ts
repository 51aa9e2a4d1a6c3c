import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { posix, win32 } from 'node:path';
import { SignalboxError } from '../../protocol/errors.ts';
import { ensureFolder, folderReason } from '../../runtime/paths.ts';
import type { SenderCommand } from './agent-hooks.ts';

/** What the sender's files are made from. */
export interface SenderSource {
  /** The shell script and the Node program, as this version brings them. */
  readonly script: string;
  readonly program: string;
  /** Absolute path of Node. */
  readonly node: string;
}

/** `outdated`: of another version, or changed or incomplete since; agents that run it still reach the hub. */
export type SenderState = 'missing' | 'current' | 'outdated';

const NAME = 'signalbox-hook';
/** Without a search in PATH, and away from BASH_ENV and exported functions; it is here on macOS and nearly every Linux. */
const BASH = '/bin/bash';

/**
 * The default sender at its stable place, `<data>/bin` (spec: agents, section 1). It is copied there whole, with the Node program that it falls back on: a package that
 * is updated, moved or taken away breaks no agent, and what an agent's settings hold stays the same. The program ends in `.cjs`, so that no package.json above it
 * says what it is; Node is a link, and where that leads nowhere the script takes the `node` in PATH. Windows has neither such scripts nor, for most users, links: there
 * the program is all, and agents run it with Node.
 */
export class SenderFiles {
  /** The file that agents run. */
  readonly path: string;
  readonly #folder: string;
  readonly #program: string;
  readonly #node: string;
  readonly #hung: string;
  readonly #platform: NodeJS.Platform;

  constructor(dataFolder: string, platform: NodeJS.Platform) {
    const { join } = platform === 'win32' ? win32 : posix;
    this.#platform = platform;
    this.#folder = join(dataFolder, 'bin');
    this.#program = join(this.#folder, `${NAME}.cjs`);
    this.#node = join(this.#folder, 'signalbox-node');
    this.#hung = join(this.#folder, 'hung');
    this.path = platform === 'win32' ? this.#program : join(this.#folder, NAME);
  }

  /** How agents run it. @param node absolute path of Node */
  command(node: string): SenderCommand {
    const platform = this.#platform;
    return { platform, program: platform === 'win32' ? [node, this.path] : [this.path] };
  }

  state(source: SenderSource): SenderState {
    if (this.#platform === 'win32') {
      const program = textOf(this.#program);
      return program === undefined ? 'missing' : program === source.program ? 'current' : 'outdated';
    }
    const script = textOf(this.path);
    if (script === undefined) return 'missing';
    const isCurrent =
      script === firstLineFor(source.script) &&
      isRunnable(this.path) &&
      textOf(this.#program) === source.program &&
      linkOf(this.#node) === source.node;
    return isCurrent ? 'current' : 'outdated';
  }

  /** Writes what differs, each file at once and as a whole: agents may be running it. @returns whether anything was written @throws SignalboxError `folder_unusable` */
  install(source: SenderSource): boolean {
    if (this.state(source) === 'current') return false;
    ensureFolder(this.#folder);
    // The script last: with it the sender is there.
    this.#replace(this.#program, (draft) =>
      writeFileSync(draft, source.program, { mode: 0o600, flag: 'wx' }),
    );
    if (this.#platform === 'win32') return true;
    this.#replace(this.#node, (draft) => symlinkSync(source.node, draft));
    this.#replace(this.path, (draft) => {
      writeFileSync(draft, firstLineFor(source.script), { flag: 'wx' });
      // Whatever the umask.
      chmodSync(draft, 0o755);
    });
    return true;
  }

  /** Takes it away. @returns whether it was there @throws SignalboxError `folder_unusable` */
  uninstall(): boolean {
    const wasThere = isThere(this.path);
    try {
      // The script first: without the others it would be slow in vain. What senders leave of their own goes too.
      for (const path of [this.path, this.#program, this.#node, this.#hung]) rmSync(path, { force: true });
    } catch (error) {
      throw this.#unusable(error);
    }
    return wasThere;
  }

  #replace(path: string, write: (draft: string) => void): void {
    const draft = `${path}.${process.pid}`;
    try {
      rmSync(draft, { force: true });
      write(draft);
      renameSync(draft, path);
    } catch (error) {
      rmSync(draft, { force: true });
      throw this.#unusable(error);
    }
  }

  #unusable(error: unknown): SignalboxError {
    return new SignalboxError(
      'folder_unusable',
      { path: this.#folder, reason: folderReason(error) },
      { cause: error },
    );
  }
}

/** The script comes with `#!/bin/sh`, which finds a bash by itself; a bash that is known to be there is 1 ms quicker. */
function firstLineFor(script: string): string {
  return isRunnable(BASH) ? script.replace(/^#!\/bin\/sh$/m, `#!${BASH} -p`) : script;
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function textOf(path: string): string | undefined {
  return read(() => readFileSync(path, 'utf8'));
}

function linkOf(path: string): string | undefined {
  return read(() => readlinkSync(path));
}

function read(of: () => string): string | undefined {
  try {
    return of();
  } catch {
    return undefined;
  }
}
