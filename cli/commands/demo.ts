import { Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from '../context.ts';
import type { DemoOptions } from '../demo/run-demo.ts';

const END = `
It needs no agent and touches nothing of yours: the hub is a private one, with a
folder and ports of its own, and is gone afterwards. The agents' events are
recordings of real clients.

Examples:
  signalbox demo
  signalbox demo --speed 4      in a quarter of the time
  signalbox demo | cat          one line an act and a change`;

const SLOWEST = 0.1;
const FASTEST = 1_000;

export function demoCommand(context: CommandContext): Command {
  return new Command('demo')
    .summary('a day of three agents in a minute')
    .description('Plays a scripted day of three agents on a private hub, in about a minute.')
    .option('--speed <factor>', 'how much faster, e.g. 2', speed, 1)
    .addHelpText('after', END)
    .action(async (options: DemoOptions) => {
      const { runDemo } = await import('../demo/run-demo.ts');
      await runDemo(options, context);
    });
}

function speed(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= SLOWEST && value <= FASTEST) return value;
  throw new InvalidArgumentError(`It takes a number from ${SLOWEST} to ${FASTEST}.`);
}
