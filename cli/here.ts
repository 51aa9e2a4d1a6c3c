import { homedir } from 'node:os';
import type { CommandContext } from './context.ts';
import { createEnding, endWithoutReader } from './ending.ts';

/** The surroundings that this process was started in. */
export function contextHere(): CommandContext {
  endWithoutReader(process);
  return {
    argv: process.argv.slice(2),
    env: process.env,
    platform: process.platform,
    home: homedir(),
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    ending: createEnding(process),
  };
}
