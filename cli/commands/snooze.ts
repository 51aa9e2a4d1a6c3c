import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { withBus } from '../options.ts';
import type { SnoozeOptions } from '../user-words/run-words.ts';

const END = `
State and lamp stay as they are. When the time is over and it still waits, it
alerts once more. Without a name it is said to all that waits.

Examples:
  signalbox snooze
  signalbox snooze 14c8 --minutes 30`;

export function snoozeCommand(context: CommandContext): Command {
  const command = new Command('snooze')
    .summary('be alerted again later')
    .description('What waits for you wakes nobody for a while, and alerts once more after that.')
    .argument('[session]', 'the beginning of a key or session id')
    .option('--minutes <minutes>', 'for how long (10 when left out)')
    .option('--provider <name>', 'only of this agent')
    .option('--json', 'what was done, as JSON')
    .addHelpText('after', END);
  return withBus(command).action(async (session: string | undefined, options: SnoozeOptions) => {
    const { runSnooze } = await import('../user-words/run-words.ts');
    await runSnooze({ ...options, ...(session !== undefined && { session }) }, context);
  });
}
