import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import type { SenderOptions } from '../hooks/run-sender.ts';

const END = `
Examples:
  signalbox hooks sender --install
  signalbox hooks sender --json`;

/** What agents run on their events, and where it is put. */
export function hooksCommand(context: CommandContext): Command {
  const sender = new Command('sender')
    .summary('the program that agents run')
    .description(
      'Shows where the sender is that agents run on every event, and whether it is\nthe one of this version. Its path stays the same across updates.',
    )
    .option('--install', 'put it there, or bring it up to date')
    .option('--uninstall', 'take it away')
    .option('--json', 'as JSON')
    .addHelpText('after', END)
    .action(async (options: SenderOptions) => {
      const { runSender } = await import('../hooks/run-sender.ts');
      runSender(options, context);
    });
  const hooks = new Command('hooks')
    .summary("set up agents' hooks")
    .description('Sets up what coding agents run on their events.')
    .helpCommand(false)
    .addCommand(sender);
  return hooks.action(() => hooks.outputHelp());
}
