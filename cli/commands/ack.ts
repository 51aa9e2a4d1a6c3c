import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { withBus } from '../options.ts';
import type { WordOptions } from '../user-words/ask-word.ts';

const END = `
What waits stays open until it is answered; it only counts no more: not for the
lamp, not for the state, not for the phone. A new request of the same session
alerts again. Without a name it is said to all that waits.

Examples:
  signalbox ack                     all that waits
  signalbox ack 14c8                one session
  signalbox ack --provider codex`;

export function ackCommand(context: CommandContext): Command {
  const command = new Command('ack')
    .summary('say that you know what waits')
    .description('Acknowledges what waits for you, so that it alerts and shows no more.')
    .argument('[session]', 'the beginning of a key or session id')
    .option('--provider <name>', 'only of this agent')
    .option('--json', 'what was done, as JSON')
    .addHelpText('after', END);
  return withBus(command).action(async (session: string | undefined, options: WordOptions) => {
    const { runAck } = await import('../user-words/run-words.ts');
    await runAck({ ...options, ...(session !== undefined && { session }) }, context);
  });
}
