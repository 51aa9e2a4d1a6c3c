import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import type { InitOptions } from '../init/run-init.ts';

const END = `
It shows each change before it asks. A second time it changes nothing that is in
place. "signalbox uninstall" takes all of it back.

Examples:
  signalbox init
  signalbox init --dry-run
  signalbox init --yes --no-service     for scripts
  signalbox init --phone                the phone's code again, and a test

Messages to the phone go through a server, so --yes alone leaves them out: say
--phone for the public one, or --ntfy-server.`;

export function initCommand(context: CommandContext): Command {
  return new Command('init')
    .summary('set it up: agents, phone, start at login')
    .description(
      'Sets Signalbox up on this machine: finds the agents, installs their hooks, offers messages to the phone, and to start the hub at login. Asks before each change.',
    )
    .option('--yes', "don't ask, and do all of it")
    .option('--phone', 'set up messages to the phone, with a private topic, and send a test')
    .option('--no-phone', 'leave out the phone')
    .option('--ntfy-server <url>', 'a server of your own for it, instead of https://ntfy.sh')
    .option('--no-service', 'leave out the start at login')
    .option('--dry-run', 'show what would change, and change nothing')
    .addHelpText('after', END)
    .action(async (options: InitOptions) => {
      const { runInit } = await import('../init/run-init.ts');
      await runInit(options, context);
    });
}
