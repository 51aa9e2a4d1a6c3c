import { fileURLToPath } from 'node:url';
import type { CommandContext } from './context.ts';

/** How the user runs our commands: installed, or in a checkout by npm. */
export function commandOf(env: CommandContext['env']): string {
  return env['npm_lifecycle_event'] === undefined ? 'signalbox' : 'npm run -s signalbox --';
}

/** This very program as others can start it: absolute paths of Node and of main.js. */
export function ownProgram(): readonly [string, string] {
  return [process.execPath, fileURLToPath(new URL('./main.js', import.meta.url))];
}

/** A file that the package brings for the agents, by its path below `hooks`. The one program that all commands are in lies beside that folder, and so does this one. */
export function shippedHookFile(path: string): URL {
  return new URL(`../hooks/${path}`, import.meta.url);
}
