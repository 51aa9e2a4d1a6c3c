import type { StatsData, WaitFigures } from '../../protocol/messages/stats.ts';
import { exactDuration } from '../terminal/duration.ts';
import type { Look } from '../terminal/look.ts';
import { palette } from '../terminal/paint.ts';
import { type Cell, type Column, layOut } from '../terminal/table.ts';
import { reasonWords } from '../words.ts';
import type { StatsGroup } from './stats-groups.ts';

const HEADINGS: Readonly<Record<StatsGroup, string>> = { day: 'DAY', project: 'PROJECT', reason: 'REASON' };
const COLUMNS: readonly Column[] = [{ shrinkTo: 14 }, {}, {}, { drop: 2 }, { drop: 3 }, { drop: 1 }];

/** How long agents waited, for people: the whole in a sentence or two, and a table. */
export function statsText(data: StatsData, by: StatsGroup, look: Look): string {
  const { dim, bold } = palette(look.colour);
  const { total, open, left_out } = data;
  if (total.waits === 0) return `${emptyText(data)}\n`;
  const lines = [
    `Agents waited for you ${bold(exactDuration(total.waited_s))} ${period(data)}, ${times(total.waits)}.`,
  ];
  if (total.any_s < total.waited_s)
    lines.push(`Some of it at once: for ${exactDuration(total.any_s)} at least one of them waited.`);
  if (open > 0) lines.push(`${open === 1 ? 'One waits' : `${open} wait`} right now.`);
  lines.push('');
  const head = [HEADINGS[by], 'WAITS', 'WAITED', 'LONGEST', 'MEDIAN', 'UNANSWERED'];
  const rows = rowsOf(data, by).map(([name, figures]) => rowOf(name, figures));
  lines.push(
    ...layOut([head.map((text): Cell => ({ text, paint: dim })), ...rows], COLUMNS, {
      width: look.width,
      absolute: look.terminal,
    }),
  );
  if (by === 'project' && left_out > 0)
    lines.push(
      '',
      dim(`${left_out === 1 ? '1 more project is' : `${left_out} more projects are`} left out.`),
    );
  if (data.days > data.kept_days) lines.push('', dim(keptText(data)));
  return `${lines.join('\n')}\n`;
}

function rowsOf(
  { by_day, by_project, by_reason, since, from }: StatsData,
  by: StatsGroup,
): [string, WaitFigures][] {
  if (by === 'project') return by_project.map((entry) => [entry.project, entry]);
  if (by === 'reason') return by_reason.map((entry) => [reasonWords(entry.reason), entry]);
  // Of days before the history began nothing is known: an empty line would tell that nobody waited.
  const known = since === undefined || since <= from ? 0 : by_day.findIndex(({ waits }) => waits > 0);
  return by_day.slice(known).map((entry) => [dayText(entry.day), entry]);
}

function rowOf(name: string, { waits, waited_s, longest_s, median_s, expired }: WaitFigures): Cell[] {
  const text = (value: string): Cell => ({ text: waits === 0 ? '' : value });
  return [
    { text: name },
    { text: waits === 0 ? '-' : String(waits) },
    text(exactDuration(waited_s)),
    text(exactDuration(longest_s)),
    text(exactDuration(median_s)),
    text(expired === 0 ? '' : String(expired)),
  ];
}

/** `2026-11-30` with its weekday. */
function dayText(day: string): string {
  const weekday = new Date(`${day}T12:00:00Z`).toLocaleDateString('en-GB', {
    weekday: 'short',
    timeZone: 'UTC',
  });
  return `${weekday} ${day}`;
}

function period({ days }: StatsData): string {
  return days === 1 ? 'today' : `in the last ${days} days`;
}

function times(waits: number): string {
  return waits === 1 ? 'once' : `${waits} times`;
}

function keptText({ kept_days }: StatsData): string {
  return `The history goes back ${kept_days === 1 ? 'one day' : `${kept_days} days`} ("history.days").`;
}

function emptyText(data: StatsData): string {
  if (data.since !== undefined) return `No agent has waited for you ${period(data)}.`;
  return [
    'Nothing has been recorded yet.',
    'The history begins with the first agent that works while this hub runs; "signalbox',
    'doctor" tells whether hooks are installed.',
  ].join('\n');
}
