import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { withBus } from '../options.ts';
import { signalNames } from '../signal/signal-names.ts';
import type { SignalOptions } from '../signal/run-signal.ts';

const END = `
Without --provider it is every provider's signal. With --session or --cwd it is
one session's; without them it is the lamp that shows while no session is live.

Names, by the lamp they show:
${signalNames(2)}

Examples:
  signalbox signal working --provider claude --cwd .
  make test && signalbox signal done || signalbox signal failure`;

export function signalCommand(context: CommandContext): Command {
  const command = new Command('signal')
    .summary('send a lamp signal from a script')
    .description('Sends a raw lamp signal. It returns when the hub has taken it.')
    .argument('<signal>', 'what to signal, e.g. working or done')
    .option('--provider <name>', 'whose lamp')
    .option('--session <id>', 'of which session; needs --provider')
    .option('--cwd <folder>', 'of the session in that folder; needs --provider')
    .option('--json', 'what was sent, as JSON')
    .addHelpText('after', END);
  return withBus(command).action(async (name: string, options: SignalOptions) => {
    const { runSignal } = await import('../signal/run-signal.ts');
    await runSignal(name, options, context);
  });
}
