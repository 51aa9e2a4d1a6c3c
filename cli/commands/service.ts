import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import type { ServiceOptions, ServiceStatusOptions } from '../service/run-service.ts';

const END = `
Examples:
  signalbox service install
  signalbox service status
  signalbox service uninstall`;

const INSTALL_END = `
Examples:
  signalbox service install
  signalbox service install --dry-run      only print the file`;

const UNINSTALL_END = `
Examples:
  signalbox service uninstall
  signalbox service uninstall --dry-run`;

const STATUS_END = `
Examples:
  signalbox service status
  signalbox service status --json`;

/** The hub as a service: a systemd user unit or a launchd agent. */
export function serviceCommand(context: CommandContext): Command {
  const service = new Command('service')
    .summary('start the hub at login')
    .description(
      'Starts the hub at login and keeps it running: a systemd user unit, on macOS a launchd agent.',
    )
    .helpCommand(false)
    .addCommand(installCommand(context))
    .addCommand(uninstallCommand(context))
    .addCommand(statusCommand(context))
    .addHelpText('after', END);
  return service.action(() => service.outputHelp());
}

function installCommand(context: CommandContext): Command {
  return new Command('install')
    .summary('start it at login, and now')
    .description(
      'Writes the service, has it started at login, and starts it now. It runs this very program, and again when it fails. A second time changes nothing.',
    )
    .option('--dry-run', 'print the file, and change nothing')
    .addHelpText('after', INSTALL_END)
    .action(async (options: ServiceOptions) => {
      const { runServiceInstall } = await import('../service/run-service.ts');
      await runServiceInstall(options, context);
    });
}

function uninstallCommand(context: CommandContext): Command {
  return new Command('uninstall')
    .summary('stop it, and start it no more')
    .description('Stops the service and takes its file away. The hub can still be run by hand.')
    .option('--dry-run', 'show what would go, and change nothing')
    .addHelpText('after', UNINSTALL_END)
    .action(async (options: ServiceOptions) => {
      const { runServiceUninstall } = await import('../service/run-service.ts');
      await runServiceUninstall(options, context);
    });
}

function statusCommand(context: CommandContext): Command {
  return new Command('status')
    .summary('whether it is installed and runs')
    .description(
      'Shows whether the service is installed, whether it starts at login, and whether the hub runs.',
    )
    .option('--json', 'as JSON')
    .addHelpText('after', STATUS_END)
    .action(async (options: ServiceStatusOptions) => {
      const { runServiceStatus } = await import('../service/run-service.ts');
      await runServiceStatus(options, context);
    });
}
