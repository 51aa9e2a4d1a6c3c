import type {
  ClearedData,
  PauseEntry,
  PausesData,
  WaitsData,
  WordSession,
} from '../../protocol/messages/words.ts';
import { cellText, cutToWidth } from '../terminal/cells.ts';
import { shortDuration, timeOfDay } from '../terminal/duration.ts';
import { stateWords } from '../words.ts';
import type { Answered } from './ask-word.ts';

/** More of a name is cut. */
const LONGEST_PROJECT = 40;
/** More sessions are not named one by one. */
const MOST_NAMED = 20;

type Naming = Pick<Answered<unknown>, 'nameOf'>;

/** `acknowledged: web-shop (Claude, permission)`, a line a session; where nothing was to be acknowledged, that. */
export function ackText({ data, nameOf }: Answered<WaitsData>): string {
  if (data.sessions.length > 0) return lines('acknowledged', data, { nameOf });
  return `Nothing to acknowledge: ${quietWords(data, { nameOf })}.\n`;
}

/** The same for a snooze, with the time at which the wait alerts again. */
export function snoozeText({ data, nameOf }: Answered<WaitsData>): string {
  if (data.sessions.length === 0) return `Nothing to snooze: ${quietWords(data, { nameOf })}.\n`;
  const until = data.until === undefined ? '' : ` until ${timeOfDay(data.until * 1000)}`;
  return lines(`snoozed${until}`, data, { nameOf });
}

/** `paused: everything, until 15:04 (30 min)`. */
export function pauseText({ data, nameOf, now }: Answered<PausesData>): string {
  return data.paused
    .map((pause) => `paused: ${scopeWords(pause, { nameOf })}, ${endWords(pause, now)}\n`)
    .join('');
}

/** What goes on again, and what stays paused all the same. */
export function resumeText({ data, nameOf, now }: Answered<PausesData>): string {
  const { resumed, paused } = data;
  const done = resumed.map((pause) => `resumed: ${scopeWords(pause, { nameOf })}\n`).join('');
  const still = paused
    .map((pause) => `Still paused: ${scopeWords(pause, { nameOf })}, ${endWords(pause, now)}\n`)
    .join('');
  return done + still || 'Nothing is paused.\n';
}

/** `removed: web-shop (Claude, running)`, a line a session. */
export function clearText({ data, nameOf }: Answered<ClearedData>): string {
  if (data.sessions.length > 0) return lines('removed', data, { nameOf });
  return 'No session to remove; lamps without a session are ready.\n';
}

function lines(
  done: string,
  { sessions, left_out }: Pick<WaitsData, 'sessions' | 'left_out'>,
  naming: Naming,
): string {
  const named = sessions.slice(0, MOST_NAMED).map((session) => `${done}: ${sessionWords(session, naming)}\n`);
  const more = sessions.length + left_out - named.length;
  return named.join('') + (more > 0 ? `${done}: ${more} more\n` : '');
}

function sessionWords({ project, provider, kinds, state }: WordSession, { nameOf }: Naming): string {
  const what = [...new Set(kinds)].map((kind) => kind.replaceAll('_', ' ')).join(', ') || stateWords(state);
  return `${projectText(project)} (${cellText(nameOf(provider))}, ${what})`;
}

function quietWords({ idle }: WaitsData, naming: Naming): string {
  if (idle === undefined) return 'no session waits';
  const { project, provider, state, kinds } = idle;
  const isKnown = kinds.length > 0 && state !== 'needs_user';
  const what = isKnown ? 'waits, and you know of it' : `is ${stateWords(state)}`;
  return `${projectText(project)} (${cellText(naming.nameOf(provider))}) ${what}`;
}

function projectText(project: string): string {
  return cutToWidth(cellText(project), LONGEST_PROJECT);
}

function scopeWords({ provider, session }: PauseEntry, { nameOf }: Naming): string {
  if (provider === undefined) return 'everything';
  return session === undefined
    ? cellText(nameOf(provider))
    : `session ${session} (${cellText(nameOf(provider))})`;
}

function endWords({ provider, session, until }: PauseEntry, now: number): string {
  if (until !== undefined)
    return `until ${timeOfDay(until * 1000)} (${shortDuration(Math.round(until - now / 1000))})`;
  const which = session === undefined ? provider && ` --provider ${provider}` : ` --session ${session}`;
  return `until you say "signalbox resume${which ?? ''}"`;
}
