import { homedir } from 'node:os';
import type { CommandContext } from './context.ts';
import { createEnding, endWithoutReader } from './ending.ts';
import { runProgram } from './program.ts';

/** Runs the command that this process was started with; its status becomes the process's. */
export async function runHere(): Promise<void> {
  const context: CommandContext = {
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
  endWithoutReader(process);
  process.exitCode = await runProgram(context);
}
