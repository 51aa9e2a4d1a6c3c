import type { SessionPayload } from '../../protocol/messages/session.ts';
import { statePaint } from '../status/provider-row.ts';
import { shortDuration } from '../terminal/duration.ts';
import { lampBadge } from '../terminal/lamp-badge.ts';
import type { Look } from '../terminal/look.ts';
import { palette } from '../terminal/paint.ts';
import { type Cell, type Column, layOut } from '../terminal/table.ts';
import { reasonWords, stateWords } from '../words.ts';
import { shortKeys } from './short-keys.ts';

export interface SessionTableParts {
  readonly shown: readonly SessionPayload[];
  /** Every session there is: keys are unique among all of them. */
  readonly all: readonly SessionPayload[];
  /** How many of them are not shown. */
  readonly hidden: number;
  readonly nameOf: (slug: string) => string;
  readonly look: Look;
}

const HEADINGS = ['', 'KEY', 'AGENT', 'PROJECT', 'STATE', 'REASON', 'SINCE', 'ASKS FOR'];
const COLUMNS: readonly Column[] = [
  { min: 3 },
  {},
  { shrinkTo: 6 },
  { shrinkTo: 10 },
  {},
  { shrinkTo: 8, drop: 1 },
  { drop: 3 },
  { shrinkTo: 10, drop: 2 },
];

/** The table of sessions for people, or a word about why it is empty. */
export function sessionTable({ shown, all, hidden, nameOf, look }: SessionTableParts): string {
  const { dim } = palette(look.colour);
  if (shown.length === 0) return `${emptyText(hidden)}\n`;
  const keys = shortKeys(all.map(({ key }) => key));
  const head = HEADINGS.map((text): Cell => ({ text, paint: dim }));
  const rows = shown.map((session) => rowOf(session, keys.get(session.key) ?? session.key, nameOf, look));
  const lines = layOut([head, ...rows], COLUMNS, { width: look.width, absolute: look.terminal });
  if (hidden > 0)
    lines.push('', dim(`${hiddenText(hidden)}; --all shows ${hidden === 1 ? 'it' : 'them'} too.`));
  return `${lines.join('\n')}\n`;
}

function rowOf(
  session: SessionPayload,
  key: string,
  nameOf: (slug: string) => string,
  { colour, now }: Look,
): readonly Cell[] {
  const { dim } = palette(colour);
  const { provider, project, state, reason, lamp, since, attentions } = session;
  return [
    lampBadge(lamp, { colour }),
    { text: key },
    { text: nameOf(provider) },
    { text: project },
    { text: stateWords(state), paint: statePaint(state, colour) },
    { text: reasonWords(reason), paint: dim },
    { text: since > 0 ? shortDuration(now / 1000 - since) : '', paint: dim },
    { text: attentions.map(attentionWords).join(', ') },
  ];
}

function attentionWords({ kind, tool, acked }: SessionPayload['attentions'][number]): string {
  const notes = [tool ?? '', acked === true ? 'acknowledged' : ''].filter((note) => note !== '');
  const words = kind.replaceAll('_', ' ');
  return notes.length === 0 ? words : `${words} (${notes.join(', ')})`;
}

function emptyText(hidden: number): string {
  if (hidden > 0)
    return `Nothing is going on. ${hiddenText(hidden)}; --all shows ${hidden === 1 ? 'it' : 'them'}.`;
  return [
    'No session is known.',
    'One appears with the first event of an agent whose hooks are installed, or with a',
    'signal of your own: signalbox signal working --provider claude --cwd .',
  ].join('\n');
}

function hiddenText(hidden: number): string {
  return hidden === 1 ? '1 idle session is not shown' : `${hidden} idle sessions are not shown`;
}
