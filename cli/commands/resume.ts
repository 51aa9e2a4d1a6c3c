import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { withBus } from '../options.ts';
import type { WordOptions } from '../user-words/ask-word.ts';

const END = `
Examples:
  signalbox resume
  signalbox resume --provider codex`;

export function resumeCommand(context: CommandContext): Command {
  const command = new Command('resume')
    .summary('end a pause')
    .description(
      'Ends a pause: lamps show again, and what begins from now on alerts. Without a name: every pause.',
    )
    .option('--provider <name>', 'only of this agent')
    .option('--session <session>', 'only this session: the beginning of a key or session id')
    .option('--json', 'what was done, as JSON')
    .addHelpText('after', END);
  return withBus(command).action(async (options: WordOptions) => {
    const { runResume } = await import('../user-words/run-words.ts');
    await runResume(options, context);
  });
}
