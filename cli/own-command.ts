import type { CommandContext } from './context.ts';

/** How the user runs our commands: installed, or in a checkout by npm. */
export function commandOf(env: CommandContext['env']): string {
  return env['npm_lifecycle_event'] === undefined ? 'signalbox' : 'npm run -s signalbox --';
}
