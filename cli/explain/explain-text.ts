import type { ExplainedAhead, ExplainedEvent, Explanation } from '../../protocol/messages/explain.ts';
import { statePaint } from '../status/provider-row.ts';
import { cellText, cutToWidth } from '../terminal/cells.ts';
import { ago, shortDuration, timeOfDay } from '../terminal/duration.ts';
import { lampBadge } from '../terminal/lamp-badge.ts';
import type { Look } from '../terminal/look.ts';
import { palette } from '../terminal/paint.ts';
import { layOut } from '../terminal/table.ts';
import { wrap } from '../terminal/wrap.ts';
import { LAMP_WORDS, reasonWords, stateWords } from '../words.ts';
import { closersWords, evidenceWords, requestWords, statusWords, wordWords } from './explain-words.ts';

export interface ExplainParts {
  readonly explanations: readonly Explanation[];
  /** How many more there are. */
  readonly left_out: number;
  /** One that was asked for by name, in full. */
  readonly whole: boolean;
  readonly nameOf: (slug: string) => string;
  readonly look: Look;
}

/** Sentences read badly in wider lines, and a pipe has no width of its own. */
const WIDEST = 80;
/** More of a name is cut. */
const LONGEST_PROJECT = 30;
const DAY = 86_400;

/** Explanations for people: the state first, then why, what is open, what changes it, what was heard and what refused. */
export function explainText({ explanations, left_out, whole, nameOf, look }: ExplainParts): string {
  if (explanations.length === 0) return 'There is no session to explain.\n';
  const { dim } = palette(look.colour);
  const blocks = explanations.map((each) => {
    const head = headLines(each, nameOf(each.provider), look);
    return [...head, ...(whole ? fullLines(each, nameOf(each.provider), look) : shortLines(each, look))];
  });
  const end = [
    ...(left_out > 0 ? [dim(`${left_out} more had no room; name one to see it.`)] : []),
    ...(whole ? [] : [dim('More of one of them: signalbox explain KEY')]),
  ];
  const all = end.length === 0 ? blocks : [...blocks, end];
  return `${all.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function headLines(each: Explanation, name: string, { colour, now }: Look): string[] {
  const { state, reason, lamp, since, since_s, key, session_id, host } = each;
  const { bold, dim } = palette(colour);
  const badge = lampBadge(lamp, { colour });
  const project = cutToWidth(cellText(each.project), LONGEST_PROJECT);
  const why = reasonWords(cellText(reason));
  const said = statePaint(state, colour)(stateWords(state)) + (why === '' ? '' : ` (${why})`);
  const when = since_s < DAY ? `, since ${timeOfDay(Math.min(since * 1000, now))}` : '';
  const id = cutToWidth(cellText(session_id), 36);
  return [
    `${badge.paint(badge.text)}  ${bold(cellText(name))}  ${project}  ${said}`,
    dim(`     for ${shortDuration(since_s)}${when}`),
    dim(`     key ${key}, session ${id}, on ${cutToWidth(cellText(host), 24)}`),
  ];
}

function shortLines(each: Explanation, look: Look): string[] {
  const text = (words: string, first = 5): string => fold(words, look, first, first);
  const { decided_by, open } = each;
  return [
    text(cellText(decided_by.words)),
    text(`By ${evidenceWords(decided_by.evidence)}.`),
    ...open.map((request) => fold(`- ${requestWords(request)}`, look, 5, 7)),
  ];
}

function fullLines(each: Explanation, name: string, look: Look): string[] {
  return [
    ...section('Why', whyLines(each, look), look),
    ...section('Still open', openLines(each, look), look),
    ...section('What changes it', changeLines(each, look), look),
    ...section('Heard lately', each.events.length === 0 ? [] : eventLines(each.events, look), look),
    ...section('Phone', phoneLines(each, look), look),
    ...section('Refused', refusedLines(each, name, look), look),
  ];
}

function section(heading: string, lines: readonly string[], { colour }: Look): string[] {
  return lines.length === 0 ? [] : ['', palette(colour).bold(heading), ...lines];
}

function whyLines({ decided_by, lamp, lamp_by, state, alert, paused }: Explanation, look: Look): string[] {
  return [
    fold(cellText(decided_by.words), look),
    fold(`By ${evidenceWords(decided_by.evidence)}.`, look),
    fold(`Lamp ${LAMP_WORDS[lamp]}: ${lowered(cellText(lamp_by.words))}`, look),
    ...(paused === undefined ? [] : [fold(pausedWords(paused, look.now), look)]),
    ...(state === 'needs_user' ? [fold(cellText(alert.words), look)] : []),
  ];
}

function pausedWords(paused: NonNullable<Explanation['paused']>, now: number): string {
  const { at, until, in_s = 0 } = paused;
  const end = until === undefined ? '' : `, until ${timeOfDay(until * 1000)} (in ${shortDuration(in_s)})`;
  return `Paused ${wordWords(paused)}, at ${timeOfDay(Math.min(at * 1000, now))}${end}.`;
}

function openLines({ open, open_more, background }: Explanation, look: Look): string[] {
  return [
    ...open.flatMap((request) => [
      fold(requestWords(request), look, 2, 4),
      fold(closersWords(request), look, 4, 4),
    ]),
    ...(open_more > 0 ? [fold(`and ${open_more} older`, look)] : []),
    ...(background.length > 0
      ? [fold(`background work: ${background.map(cellText).join(', ')}`, look, 2, 4)]
      : []),
  ];
}

function changeLines({ next, held, status }: Explanation, look: Look): string[] {
  return [
    ...next.map((ahead) => fold(aheadWords(ahead), look, 2, 4)),
    ...(held === undefined ? [] : [fold(cellText(held.words), look)]),
    fold(statusWords(status), look),
  ];
}

function aheadWords({ in_s, words }: ExplainedAhead): string {
  return `${in_s < 1 ? 'at once' : `in ${shortDuration(in_s)}`}: ${cellText(words)}`;
}

function eventLines(events: readonly ExplainedEvent[], { colour }: Look): string[] {
  const { dim } = palette(colour);
  const rows = events.map((event) => [
    { text: ago(event.age_s), paint: dim },
    { text: event.signal === undefined ? event.event : `signal ${event.signal}` },
    {
      text: [
        event.by === undefined ? (event.tool ?? event.notification ?? '') : `by ${event.by}`,
        event.agent_id === undefined ? '' : 'subagent',
      ]
        .filter((part) => part !== '')
        .join(', '),
    },
    { text: lateWords(event), paint: dim },
  ]);
  const columns = [{ min: 10 }, {}, { shrinkTo: 10 }, {}];
  return layOut(rows, columns, { width: WIDEST - 2, absolute: false }).map((line) => `  ${line}`);
}

/** How an event came, where that is worth a word. */
function lateWords({ lag_ms, live }: ExplainedEvent): string {
  const late = lag_ms >= 1000 ? `${shortDuration(lag_ms / 1000)} late` : '';
  return [live ? '' : 'not live', late].filter((part) => part !== '').join(', ');
}

function phoneLines({ phone = [] }: Explanation, look: Look): string[] {
  return phone.map(({ age_s, words }) => fold(`${ago(age_s)}: ${cellText(words)}`, look, 2, 4));
}

function refusedLines({ refused }: Explanation, name: string, look: Look): string[] {
  return refused.map(({ code, count, age_s }) =>
    fold(
      `${count} × ${cellText(code)}, the last ${ago(age_s)} (of all that came from ${cellText(name)})`,
      look,
      2,
      4,
    ),
  );
}

function fold(text: string, { width }: Look, first = 2, rest = 2): string {
  return wrap(text, Math.min(width, WIDEST), { first, rest });
}

/** A sentence behind a colon. */
function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
