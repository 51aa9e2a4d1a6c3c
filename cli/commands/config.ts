import { Command } from 'commander';
import type { ConfigOptions } from '../config/run-config.ts';
import type { CommandContext } from '../context.ts';
import { withBus } from '../options.ts';

const END = `
Examples:
  signalbox config
  SIGNALBOX_BROKER_PORT=1884 signalbox config     with a variable tried out
  signalbox config --json | jq .data_folder

A flag goes before a variable, a variable before the file, the file before the
default. Passwords are never shown.`;

export function configCommand(context: CommandContext): Command {
  const command = new Command('config')
    .summary('all settings and where each comes from')
    .description('Shows the effective settings, and where each value comes from.')
    .option('--json', 'as JSON')
    .addHelpText('after', END);
  return withBus(command).action(async (options: ConfigOptions) => {
    const { runConfig } = await import('../config/run-config.ts');
    runConfig(options, context);
  });
}
