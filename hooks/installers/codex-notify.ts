import { isDeepStrictEqual } from 'node:util';
import { parse, TomlError } from 'smol-toml';
import { SignalboxError } from '../../protocol/errors.ts';
import type { SenderCommand } from './agent-hooks.ts';
import { isSenderPath } from './sender-path.ts';
import { skipSpace, type Statement, stringEnd, topLevelStatements } from './toml-statements.ts';

/** What tells the sender that its last argument is what Codex hands to `notify`, and what stands before a program that is run as well. */
const CALL = 'codex-notify';
const CHAIN = '--';
const BYTE_ORDER_MARK = '\uFEFF';

/** Codex' one slot for a program. */
export interface Notify {
  readonly words: readonly string[];
  /** How many of them, from the first on, are ours; 0: it is another's. */
  readonly own: number;
}

/** What `notify` in a config.toml is; undefined where there is none. @throws SignalboxError `settings_unreadable` */
export function notifyIn(text: string, path: string): Notify | undefined {
  const words = understood(text, path)['notify'];
  if (words === undefined) return undefined;
  if (Array.isArray(words) && words.every((word): word is string => typeof word === 'string'))
    return { words, own: ownWords(words) };
  throw unreadable(path, text, statementOf(body(text))?.valueStart ?? 0, '"notify" is no list of texts');
}

/** The words that this version wants there: the sender, and behind it a program that is there already. */
export function wantedNotify({ program }: SenderCommand, present: Notify | undefined): readonly string[] {
  const others = present?.words.slice(present.own) ?? [];
  return [...program, CALL, ...(others.length > 0 ? [CHAIN, ...others] : [])];
}

/** The text with our sender in `notify`; all else stays byte for byte. @throws SignalboxError `settings_unreadable` */
export function withNotify(text: string, path: string, sender: SenderCommand): string {
  const present = notifyIn(text, path);
  const wanted = wantedNotify(sender, present);
  if (isDeepStrictEqual(present?.words, wanted)) return text;
  const open = body(present !== undefined && present.own > 0 ? withoutNotify(text, path) : text);
  const statement = statementOf(open);
  const words = [...sender.program, CALL].map(tomlText).join(', ');
  const next = statement === undefined ? lineAdded(open, words) : chained(open, statement, words, wanted);
  return checked(text, marked(text, next), path, wanted);
}

/** The text with `notify` as it was before us: another's program, or none. @throws SignalboxError `settings_unreadable` */
export function withoutNotify(text: string, path: string): string {
  const present = notifyIn(text, path);
  const open = body(text);
  const statement = statementOf(open);
  if (present === undefined || present.own === 0 || statement === undefined) return text;
  const others = present.words.slice(present.own);
  if (others.length === 0) return checked(text, marked(text, lineRemoved(open, statement)), path, undefined);
  const first = statement.valueStart + 1;
  let at = first;
  for (let word = 0; word < present.own; word += 1) {
    at = skipSpace(open, stringEnd(open, skipSpace(open, at)));
    // Behind the comma.
    at += 1;
  }
  if (open[at] === ' ') at += 1;
  return checked(text, marked(text, open.slice(0, first) + open.slice(at)), path, others);
}

/** How many words from the first on are ours: `[node,] sender, "codex-notify" [, "--"]`. */
function ownWords(words: readonly string[]): number {
  const call = words.indexOf(CALL);
  if ((call !== 1 && call !== 2) || !isSenderPath(words[call - 1])) return 0;
  return words[call + 1] === CHAIN ? call + 2 : words.length === call + 1 ? call + 1 : 0;
}

/** A blank is added unless the line ends there, so that what was there can be told again. */
function chained(text: string, { valueStart }: Statement, words: string, wanted: readonly string[]): string {
  const rest = text.slice(valueStart + 1);
  const chain = wanted.includes(CHAIN) ? `, ${tomlText(CHAIN)},${/^\r?\n/.test(rest) ? '' : ' '}` : '';
  return `${text.slice(0, valueStart + 1)}${words}${chain}${rest}`;
}

/** Behind the last statement above the first table: what is written above a table belongs to it. */
function lineAdded(text: string, words: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const line = `notify = [${words}]`;
  const last = topLevelStatements(text).at(-1);
  if (last === undefined) return `${line}${eol}${text}`;
  const end = text.indexOf('\n', last.end);
  return end < 0 ? `${text}${eol}${line}` : `${text.slice(0, end + 1)}${line}${eol}${text.slice(end + 1)}`;
}

function lineRemoved(text: string, { start, end }: Statement): string {
  const begin = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  if (start === 0 || next >= 0) return text.slice(0, begin) + (next < 0 ? '' : text.slice(next + 1));
  return text.slice(0, begin).replace(/\r?\n$/, '');
}

function statementOf(text: string): Statement | undefined {
  return topLevelStatements(text).find(({ key }) =>
    isDeepStrictEqual({ ...parse(`${key} = 0`) }, { notify: 0 }),
  );
}

/** TOML knows the escapes of JSON, and wants one more. */
function tomlText(word: string): string {
  return JSON.stringify(word).replaceAll('\u007F', '\\u007F');
}

function body(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

function marked(before: string, text: string): string {
  return before.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK + text : text;
}

type Table = Readonly<Record<string, unknown>>;

function understood(text: string, path: string): Table {
  try {
    return parse(body(text), { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = (error.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '');
    throw new SignalboxError('settings_unreadable', { path, line: error.line, column: error.column, reason });
  }
}

/** Text is edited, so the outcome is read again: nothing but `notify` may differ. */
function checked(before: string, after: string, path: string, wanted: readonly string[] | undefined): string {
  const { notify: _, ...old } = understood(before, path);
  const { notify, ...others } = understood(after, path);
  if (isDeepStrictEqual(notify, wanted) && isDeepStrictEqual(others, old)) return after;
  throw unreadable(path, before, 0, '"notify" could not be changed alone');
}

function unreadable(path: string, text: string, at: number, reason: string): SignalboxError {
  const lines = body(text).slice(0, at).split('\n');
  const column = (lines.at(-1) ?? '').length + 1;
  return new SignalboxError('settings_unreadable', { path, line: lines.length, column, reason });
}
