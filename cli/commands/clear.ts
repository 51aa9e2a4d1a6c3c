import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { withBus } from '../options.ts';
import type { ClearOptions } from '../user-words/run-words.ts';

const END = `
A session that still runs comes back with its next event. The lamp of an agent
without a session is ready again.

Examples:
  signalbox clear 14c8
  signalbox clear --provider codex
  signalbox clear --all`;

export function clearCommand(context: CommandContext): Command {
  const command = new Command('clear')
    .summary('remove sessions from the table')
    .description('Removes the record of a session, of all sessions of an agent, or of all.')
    .argument('[session]', 'the beginning of a key or session id')
    .option('--provider <name>', 'all of this agent, or the session among them')
    .option('--all', 'every session of every agent')
    .option('--json', 'what was done, as JSON')
    .addHelpText('after', END);
  return withBus(command).action(async (session: string | undefined, options: ClearOptions) => {
    const { runClear } = await import('../user-words/run-words.ts');
    await runClear({ ...options, ...(session !== undefined && { session }) }, context);
  });
}
