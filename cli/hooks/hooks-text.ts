import { plainText } from '../../runtime/plain-text.ts';
import { ago } from '../terminal/duration.ts';
import type { Look } from '../terminal/look.ts';
import { palette } from '../terminal/paint.ts';
import { wrap } from '../terminal/wrap.ts';
import type { AgentState, HookState } from './hooks-state.ts';

const PIPE_WIDTH = 80;
const WIDEST = 100;
const INDENT = 2;

const NOTIFY = {
  ours: 'its notify is ours',
  chained: 'its notify is ours, and runs the program that was there',
  other: 'its notify is another program',
} as const;

/** The agents and their hooks for people. @param nameOf an agent's name by its slug */
export function hooksText(
  states: readonly AgentState[],
  nameOf: (slug: string) => string,
  look: Look,
): string {
  if (states.length === 0) return 'No agent was found on this machine.\n';
  return states.map((state) => agentText(state, nameOf(state.provider), look)).join('\n');
}

function agentText(state: AgentState, name: string, { colour, width, now }: Look): string {
  const { bold, dim, green, yellow, red } = palette(colour);
  const columns = Math.min(Number.isFinite(width) ? width : PIPE_WIDTH, WIDEST);
  const line = (text: string, paint = (plain: string): string => plain): string =>
    paint(wrap(plainText(text), columns, { first: INDENT, rest: INDENT + 2 }));
  const { hooks, problem, invisible, file, version, left_out } = state;
  const title = `${bold(name)}${version === undefined ? '' : ` ${version}`}  ${dim(plainText(file))}`;
  const lines = [title];
  if (problem !== undefined) lines.push(line(problem, red));
  else if (hooks.every(({ installed }) => installed === 'no'))
    lines.push(line(`not installed: signalbox hooks install ${state.provider}`, yellow));
  else {
    const wrong = hooks.filter(({ installed }) => installed !== 'yes');
    lines.push(
      wrong.length === 0
        ? line(`installed, ${hooks.length} events`, green)
        : line(`to be brought up to date: signalbox hooks install ${state.provider}`, yellow),
    );
    const untrusted = hooks.filter(({ trusted }) => trusted === false);
    if (untrusted.length > 0)
      lines.push(
        line(
          `not trusted yet, so it skips ${untrusted.length}: start it once and choose "Trust all"`,
          yellow,
        ),
      );
    if (left_out !== undefined)
      lines.push(line(`its version can't be told, so these are left out: ${left_out.join(', ')}`, yellow));
    lines.push(...firedLines(hooks, now).map((text) => line(text)));
  }
  if (state.notify !== undefined && state.notify !== 'none') lines.push(line(NOTIFY[state.notify]));
  if (invisible.length > 0) lines.push(line(`no hook tells: ${invisible.join('; ')}`, dim));
  return `${lines.join('\n')}\n`;
}

/** Which have fired, the newest first, and which never have. */
function firedLines(hooks: readonly HookState[], now: number): string[] {
  const fired = hooks
    .filter((hook) => hook.last_at !== undefined)
    .sort((a, b) => (b.last_at ?? 0) - (a.last_at ?? 0))
    .map(({ event, last_at = 0 }) => `${event} ${ago((now - last_at) / 1000)}`);
  const silent = hooks.filter(({ last_at, installed }) => last_at === undefined && installed !== 'no');
  return [
    fired.length > 0 ? `fired: ${fired.join(', ')}` : 'none has fired yet',
    ...(fired.length > 0 && silent.length > 0
      ? [`never fired: ${silent.map(({ event }) => event).join(', ')}`]
      : []),
  ];
}
