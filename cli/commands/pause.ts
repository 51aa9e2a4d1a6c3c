import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { withBus } from '../options.ts';
import type { WordOptions } from '../user-words/ask-word.ts';

const END = `
States go on; "signalbox status" shows them. What begins meanwhile alerts
nobody, not after the pause either. It outlasts a restart of the hub.

Examples:
  signalbox pause        until "signalbox resume"
  signalbox pause 45     for 45 minutes`;

export function pauseCommand(context: CommandContext): Command {
  const command = new Command('pause')
    .summary('lamps off, no alerts, for a while')
    .description('Pauses the lamps: they show "paused", and nothing alerts.')
    .argument('[minutes]', 'for how long; until "resume" when left out')
    .option('--provider <name>', 'only of this agent')
    .option('--session <session>', 'only this session: the beginning of a key or session id')
    .option('--json', 'what was done, as JSON')
    .addHelpText('after', END);
  return withBus(command).action(async (minutes: string | undefined, options: WordOptions) => {
    const { runPause } = await import('../user-words/run-words.ts');
    await runPause(minutes, options, context);
  });
}
