import { contextHere } from './here.ts';
import { runProgram } from './program.ts';

/** Runs the command that this process was started with; its status becomes the process's. */
export async function runHere(): Promise<void> {
  process.exitCode = await runProgram(contextHere());
}
