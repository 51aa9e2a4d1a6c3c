import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { withSettings } from '../options.ts';
import type { UpOptions } from '../up/run-up.ts';

const END = `
Everything runs in this one process: the MQTT broker, the aggregator and the
HTTP port. All settings: docs/configuration.md.

Examples:
  signalbox up
  signalbox up --port 1884                     another MQTT port
  signalbox up --broker-url mqtt://desk.local  the bus is on another broker`;

export function upCommand(context: CommandContext): Command {
  const command = new Command('up')
    .summary('run the hub, until Ctrl-C')
    .description('Runs the hub until Ctrl-C: it listens to the agents and tells who needs you.')
    .option('--port <number>', 'MQTT port, 1883 unless set otherwise')
    .option('--http-port <number>', 'HTTP port, 4787 unless set otherwise')
    .option('--listen <address>', 'address to listen on; only loopback in this version')
    .option('--broker-url <url>', 'another broker that carries the bus')
    .option('--prefix <levels>', 'topic levels in front of all topics, e.g. team/alice')
    .option('--log-level <level>', 'debug, info, warn, error or silent')
    .addHelpText('after', END);
  return withSettings(command).action(async (options: UpOptions) => {
    const { runUp } = await import('../up/run-up.ts');
    await runUp(options, context);
  });
}
