import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { withBus } from '../options.ts';
import type { UninstallOptions } from '../uninstall/run-uninstall.ts';

const END = `
Of a hub that runs it says so, and stops it. Retained messages are cleared from
another broker when no other hub is online there. The program itself stays: take
it away as you got it.

Examples:
  signalbox uninstall
  signalbox uninstall --dry-run
  signalbox uninstall --data --yes      without a trace`;

export function uninstallCommand(context: CommandContext): Command {
  const command = new Command('uninstall')
    .summary('take it all off this machine')
    .description(
      'Takes hooks, service, retained messages and the sender off this machine and, when asked to, data and settings. Shows what goes, and asks.',
    )
    .option('--data', 'data and settings too, for good')
    .option('--yes', "don't ask")
    .option('--dry-run', 'show what would go, and change nothing')
    .addHelpText('after', END);
  return withBus(command).action(async (options: UninstallOptions) => {
    const { runUninstall } = await import('../uninstall/run-uninstall.ts');
    await runUninstall(options, context);
  });
}
