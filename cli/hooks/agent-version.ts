import { execFileSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Agent, Machine } from '../../hooks/installers/agent-hooks.ts';

/** An agent that may take a while to start has this long to tell its version [ms]. */
const WITHIN = 5_000;
/** A program that tells more than its version is another one [bytes]. */
const MOST = 4_096;
/** `2.1.332 (Claude Code)`, `codex-cli 0.152.0`. */
const VERSION = /(?:^|\s)v?(\d{1,5}\.\d{1,5}\.\d{1,5})(?=[\s+-]|$)/;

/** The version that an agent tells of itself, e.g. `2.1.332`; undefined when its program isn't found or doesn't say. */
export function versionOf(agent: Agent, machine: Machine): string | undefined {
  const path = programOf(agent, machine);
  if (path === undefined) return undefined;
  const { env, home, platform } = machine;
  try {
    // A shim of npm's is a script for the command processor, to which a blank ends a path.
    const shell = platform === 'win32';
    const said = execFileSync(shell ? `"${path}"` : path, ['--version'], {
      encoding: 'utf8',
      env: { ...env, HOME: home },
      timeout: WITHIN,
      // One that hangs may refuse to be ended otherwise.
      killSignal: 'SIGKILL',
      maxBuffer: MOST,
      stdio: ['ignore', 'pipe', 'ignore'],
      shell,
    });
    return VERSION.exec(said)?.[1];
  } catch {
    return undefined;
  }
}

/** Absolute path of an agent's program: the first in PATH, else where its own installer puts it. */
function programOf({ program, programFolders }: Agent, machine: Machine): string | undefined {
  if (program === undefined) return undefined;
  const endings = machine.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  // What a relative one means hangs on where we are.
  const inPath = (machine.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  return [...inPath, ...(programFolders?.(machine) ?? [])]
    .flatMap((folder) => endings.map((ending) => join(folder, program + ending)))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
