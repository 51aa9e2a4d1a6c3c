import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import type { HooksStatusOptions } from '../hooks/run-hooks-status.ts';
import type { Consent } from '../hooks/install-agents.ts';
import type { InstallOptions } from '../hooks/run-install.ts';
import type { SenderOptions } from '../hooks/run-sender.ts';

const END = `
Examples:
  signalbox hooks install             every agent found here
  signalbox hooks install claude --dry-run
  signalbox hooks status
  signalbox hooks uninstall`;

const INSTALL_END = `
Examples:
  signalbox hooks install
  signalbox hooks install claude codex --yes
  signalbox hooks install claude --dry-run
  signalbox hooks install codex --notify`;

const UNINSTALL_END = `
Examples:
  signalbox hooks uninstall
  signalbox hooks uninstall codex --yes`;

const STATUS_END = `
Examples:
  signalbox hooks status
  signalbox hooks status --all --json`;

const SENDER_END = `
Examples:
  signalbox hooks sender --install
  signalbox hooks sender --json`;

/** What agents run on their events: put into their settings, taken out, looked at. */
export function hooksCommand(context: CommandContext): Command {
  const hooks = new Command('hooks')
    .summary("set up agents' hooks")
    .description('Sets up what coding agents run on their events.')
    .helpCommand(false)
    .addCommand(installCommand(context))
    .addCommand(uninstallCommand(context))
    .addCommand(statusCommand(context))
    .addCommand(senderCommand(context))
    .addHelpText('after', END);
  return hooks.action(() => hooks.outputHelp());
}

function installCommand(context: CommandContext): Command {
  return withConsent(new Command('install'))
    .option('--notify', "Codex' notify too; a program that is there still runs")
    .summary("put our hooks into agents' settings")
    .description(
      'Puts our hooks into the settings of the agents that are named, or of all that are found here. Shows what would change and asks. What others have put there stays; uninstalling gives the file back as it was.',
    )
    .argument('[agents...]', 'whose, e.g. claude or codex')
    .addHelpText('after', INSTALL_END)
    .action(async (names: string[], options: InstallOptions) => {
      const { runInstall } = await import('../hooks/run-install.ts');
      await runInstall(names, options, context);
    });
}

function uninstallCommand(context: CommandContext): Command {
  return withConsent(new Command('uninstall'))
    .summary("take our hooks out of agents' settings")
    .description(
      'Takes our hooks out again, of the agents that are named or of all. A file that nobody has changed since becomes, byte for byte, what it was.',
    )
    .argument('[agents...]', 'whose, e.g. claude or codex')
    .addHelpText('after', UNINSTALL_END)
    .action(async (names: string[], options: Consent) => {
      const { runUninstall } = await import('../hooks/run-uninstall.ts');
      await runUninstall(names, options, context);
    });
}

function withConsent(command: Command): Command {
  return command
    .option('--yes', "don't ask")
    .option('--dry-run', 'show what would change, and change nothing');
}

function statusCommand(context: CommandContext): Command {
  return new Command('status')
    .summary('what is installed, trusted and heard')
    .description(
      'Shows for each agent which hooks are installed and trusted, when each has fired last, and what no hook of it tells.',
    )
    .option('--all', 'also agents that are not on this machine')
    .option('--json', 'as JSON')
    .addHelpText('after', STATUS_END)
    .action(async (options: HooksStatusOptions) => {
      const { runHooksStatus } = await import('../hooks/run-hooks-status.ts');
      runHooksStatus(options, context);
    });
}

function senderCommand(context: CommandContext): Command {
  return new Command('sender')
    .summary('the program that agents run')
    .description(
      'Shows where the sender is that agents run on every event, and whether it is the one of this version. Its path stays the same across updates.',
    )
    .option('--install', 'put it there, or bring it up to date')
    .option('--uninstall', 'take it away')
    .option('--json', 'as JSON')
    .addHelpText('after', SENDER_END)
    .action(async (options: SenderOptions) => {
      const { runSender } = await import('../hooks/run-sender.ts');
      runSender(options, context);
    });
}
