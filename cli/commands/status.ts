import { Command, Option } from 'commander';
import { LAMP_CURVES } from '../../protocol/curves.ts';
import { LAMP_STATES } from '../../protocol/states.ts';
import type { CommandContext } from '../context.ts';
import { withBus } from '../options.ts';
import { FORMAT_NAMES } from '../status/format.ts';
import type { StatusOptions } from '../status/run-status.ts';
import { LAMP_WORDS } from '../words.ts';

const END = `
Examples:
  signalbox status                who waits, for what, since when
  signalbox status --follow       the same, kept up to date, until Ctrl-C
  signalbox status --json | jq -r .line
  signalbox status --format tmux --follow     for a status bar

Every status bar's own snippet is in docs/status-bars.md.

The signs of the lamp:
${signs().join('\n')}`;

/** The glyphs with their meaning, four a line. */
function signs(): string[] {
  const all = LAMP_STATES.map((lamp) => `  ${LAMP_CURVES[lamp].glyph} ${LAMP_WORDS[lamp]}`.padEnd(16));
  return [all.slice(0, 4), all.slice(4)].map((line) => line.join('').trimEnd());
}

export function statusCommand(context: CommandContext): Command {
  const command = new Command('status')
    .summary('the signals now, or as a stream')
    .description('Shows what every agent is doing and which one needs you.')
    .option('-f, --follow', 'keep showing; in a pipe one line a change')
    .addOption(new Option('--format <name>', 'how to show it').choices(FORMAT_NAMES).default('text'))
    .option('--json', 'short for --format json')
    .option('--provider <name>', 'only this one')
    .addHelpText('after', END);
  return withBus(command).action(async (options: StatusOptions) => {
    const { runStatus } = await import('../status/run-status.ts');
    await runStatus(options, context);
  });
}
