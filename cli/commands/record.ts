import { Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from '../context.ts';
import { withSettings } from '../options.ts';
import type { RecordOptions } from '../record/run-record.ts';

const END = `
A recording holds the fields that the hub keeps of an event, and nothing else:
no prompt, no code, no tool's input or output. Paths and names of projects are
in it. It records what comes from now on until Ctrl-C; with --since it takes
what has come from the hub's event log, also while no hub runs.

Examples:
  signalbox record strange.jsonl
  signalbox record --since 1h strange.jsonl`;

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

export function recordCommand(context: CommandContext): Command {
  const command = new Command('record')
    .summary('record what the bus gets')
    .description('Makes a recording of the events that the hub gets, for "signalbox replay" and bug reports.')
    .argument('<file>', 'the recording to make, e.g. session.jsonl')
    .option('--since <time>', 'what came in this time, e.g. 30m, 1h or 2d', milliseconds)
    .option('--force', 'replace a file that is there')
    .addHelpText('after', END);
  return withSettings(command).action(async (file: string, options: RecordOptions) => {
    const { runRecord } = await import('../record/run-record.ts');
    await runRecord(file, options, context);
  });
}

function milliseconds(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,6}(?:\.\d+)?) ?(s|m|min|h|d)$/.exec(text) ?? [];
  const size = UNITS[unit];
  if (size === undefined) throw new InvalidArgumentError('It takes a time such as 30m, 1h or 2d.');
  return Math.round(Number(number) * size);
}
