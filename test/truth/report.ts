import { CLAUDE, CODEX, COPILOT, GEMINI, OPENCODE, QWEN, SEEDS } from './clients.ts';
import { type Client, type Figures, measure, measureStops, type StopCost } from './measure.ts';

/** One line of the table. */
export interface Row {
  readonly client: string;
  readonly sources: 'hooks' | 'all';
  readonly seed?: number;
  readonly figures: Figures;
}

export interface Report {
  readonly rows: readonly Row[];
  /** Claude Code's status file stops. */
  readonly stops: StopCost;
}

/** Every score there is: clean and with the noise of each seed, hooks alone and all sources. */
export function report(): Report {
  return {
    rows: [CLAUDE, CODEX, GEMINI, QWEN, COPILOT, OPENCODE].flatMap(rowsOf),
    stops: measureStops(CLAUDE),
  };
}

function rowsOf(client: Client): Row[] {
  return ([false, true] as const).flatMap((sources) =>
    [undefined, ...SEEDS].map((seed) => ({
      client: client.name,
      sources: sources ? ('all' as const) : ('hooks' as const),
      ...(seed !== undefined && { seed }),
      figures: measure(client, { sources, ...(seed !== undefined && { seed }) }),
    })),
  );
}

const HEAD = [
  'client      sources  noise  macro   right   clean    missed  false  false  false  alerts        ends ',
  '                              %       %               wait   wait   busy   calm   + f d m       +  - ',
];

/** The report as text of at most 100 columns, and below it what went wrong. Times are seconds. */
export function reportText({ rows, stops }: Report): string {
  const { hooks, stopped } = stops;
  return [
    ...HEAD,
    ...rows.map(rowText),
    '',
    'Noise: hooks come late, pass one another, and one in twenty is lost; the number is its seed. Times in s.',
    'Alerts: right (+), false (f), doubled (d), missed waits of 0.7 s or more (m). Ends: told rightly (+) or not (-).',
    '',
    `Claude Code's status file stops after each of its changes (${stops.stops} stops): ${stopped.toFixed(2)} % of the time after it is`,
    `right, by hooks alone ${hooks.toFixed(2)} %: it costs ${(hooks - stopped).toFixed(2)} points.`,
    ...mistakes(rows),
  ].join('\n');
}

function rowText({ client, sources, seed, figures }: Row): string {
  const { total, alerts, ends, scenarios } = figures;
  const seconds = (ms: number): string => (ms / 1_000).toFixed(1).padStart(6);
  const count = (what: string): number => alerts.wrong.filter((one) => one.what === what).length;
  return [
    client.padEnd(11),
    sources.padEnd(8),
    (seed === undefined ? '–' : String(seed)).padStart(4),
    figures.macro.toFixed(2).padStart(7),
    figures.right.toFixed(2).padStart(7),
    `${figures.clean}/${scenarios.length}`.padStart(7),
    ...[total.missed_wait, total.false_wait, total.false_busy, total.false_calm].map(seconds),
    `${alerts.right.toString().padStart(4)} ${count('false')} ${count('doubled')} ${count('missed')}`,
    `${ends.right.toString().padStart(7)} ${ends.wrong.length.toString().padStart(2)}`,
  ].join(' ');
}

function mistakes(rows: readonly Row[]): string[] {
  const told = rows.flatMap(({ client, sources, seed, figures: { alerts, ends } }) => {
    const where = `${client}, ${sources}${seed === undefined ? '' : `, noise ${seed}`}`;
    const at = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
    return [
      ...alerts.wrong.map(
        (one) => `${where}: ${one.scenario} at ${at(one.at)}: ${one.what} alert ${one.reason}`,
      ),
      ...ends.wrong.map(
        (one) => `${where}: ${one.scenario} at ${at(one.at)}: ended ${one.want}, told ${one.got}`,
      ),
    ];
  });
  return told.length === 0 ? [] : ['', 'Wrong alerts and ends:', ...told];
}
