import { Command, InvalidArgumentError, Option } from 'commander';
import { MOST_STATS_DAYS } from '../../protocol/stats-days.ts';
import type { CommandContext } from '../context.ts';
import { withBus } from '../options.ts';
import type { StatsOptions } from '../stats/run-stats.ts';
import { STATS_GROUPS } from '../stats/stats-groups.ts';

const END = `
Examples:
  signalbox stats
  signalbox stats --days 30 --by project
  signalbox stats --json | jq .total

A wait lasts from the request until it is answered, acknowledged or over. It
asks the hub through its Unix socket: it works for the user whose hub it is.`;

export function statsCommand(context: CommandContext): Command {
  const command = new Command('stats')
    .summary('how long agents waited for you')
    .description('Tells how long agents waited for you: by day, project or reason.')
    .option('--days <days>', 'how many days, today among them (7 when left out)', daysOf)
    .addOption(new Option('--by <what>', 'what each line is for').choices(STATS_GROUPS).default('day'))
    .option('--json', 'as JSON: by day, by project and by reason')
    .addHelpText('after', END);
  return withBus(command).action(async (options: StatsOptions) => {
    const { runStats } = await import('../stats/run-stats.ts');
    await runStats(options, context);
  });
}

function daysOf(text: string): number {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= MOST_STATS_DAYS) return days;
  throw new InvalidArgumentError(`It takes a whole number from 1 to ${MOST_STATS_DAYS}.`);
}
