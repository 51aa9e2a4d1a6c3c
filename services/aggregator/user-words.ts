import { seconds } from '../../protocol/aggregate.ts';
import { SNOOZE } from '../../protocol/expiry.ts';
import { type Command, type Requester, requesterText } from '../../protocol/messages/request.ts';
import type {
  ClearedData,
  PauseEntry,
  PausesData,
  WaitsData,
  WordSession,
} from '../../protocol/messages/words.ts';
import { EVERYTHING, type Pause } from '../../protocol/pauses.ts';
import type { Session } from '../../protocol/session.ts';
import { isSessionId, sessionId } from '../../protocol/session-key.ts';
import type { SessionTable } from '../../protocol/table.ts';
import { type Word, wordRow, type WordTarget } from './event-row.ts';
import { type Asked, fitting, wanted } from './wanted-sessions.ts';
import type { EventRow } from './store/rows.ts';

const MINUTE = 60_000;

/** What came of a word: the answer, and its entries for the log. */
export interface Said {
  readonly data: object;
  readonly rows: readonly EventRow[];
}

/** Does what a user says to the table. Time has passed until `now` when it is called. @throws SignalboxError what the requester is told */
export type UserWord = (table: SessionTable, asked: Asked, by: Requester, now: number) => Said;

/** The user's words (spec: state, section 6). Each names a session, a provider or nothing. */
export const USER_WORDS = {
  ack(table, asked, by, now): Said {
    const { found, named } = sessionsOf(table, asked);
    const meant = named === undefined ? found.filter((session) => table.wantsAck(session)) : found;
    const done = table.acknowledge(meant, requesterText(by), now);
    return waits(table, { command: 'ack', by, at: now }, { done, named, asked });
  },

  snooze(table, asked, by, now): Said {
    const { found, named } = sessionsOf(table, asked);
    const until = now + (asked.minutes === undefined ? SNOOZE : asked.minutes * MINUTE);
    const done = table.snooze(found, until, now);
    return waits(table, word('snooze', asked, by, now), { done, named, asked, until });
  },

  pause(table, asked, by, now): Said {
    const scope = scopeOf(table, asked);
    const until = asked.minutes === undefined ? undefined : now + asked.minutes * MINUTE;
    const pause = table.pause(scope.id, until, requesterText(by), now);
    const data: PausesData = { paused: [pauseEntry(pause)], resumed: [] };
    return { data, rows: [wordRow(word('pause', asked, by, now), scope.target)] };
  },

  resume(table, asked, by, now): Said {
    const scope = scopeOf(table, asked);
    const resumed = table.resume(scope.id, now);
    const { provider, key } = scope.target;
    const wider =
      provider === undefined ? undefined : table.pauseOf({ provider, ...(key !== undefined && { key }) });
    const data: PausesData = {
      paused: wider === undefined ? [] : [pauseEntry(wider)],
      resumed: resumed.map(pauseEntry),
    };
    return { data, rows: [wordRow(word('resume', asked, by, now), scope.target)] };
  },

  clear(table, asked, by, now): Said {
    const { found, named } = sessionsOf(table, asked);
    const providers =
      named !== undefined
        ? [named.provider]
        : asked.provider !== undefined
          ? [asked.provider]
          : table.providers();
    const { taken, left } = fitting(found, (session) => told(table, session));
    table.clear(found, providers, now);
    const data: ClearedData = { sessions: taken, left_out: left, providers };
    return { data, rows: rowsOf({ command: 'clear', by, at: now }, found, asked) };
  },
} as const satisfies Partial<Record<Command, UserWord>>;

function word(command: Command, { minutes }: Asked, by: Requester, at: number): Word {
  return { command, by, at, ...(minutes !== undefined && { minutes }) };
}

/** `named`: the one that was asked for by name. @throws SignalboxError `no_such_session`, `ambiguous_session` */
function sessionsOf(table: SessionTable, asked: Asked): { found: Session[]; named: Session | undefined } {
  const found = wanted(table, asked).map(({ session }) => session);
  return { found, named: asked.session === undefined ? undefined : found[0] };
}

function scopeOf(table: SessionTable, asked: Asked): { id: string; target: WordTarget } {
  const { named } = asked.session === undefined ? { named: undefined } : sessionsOf(table, asked);
  if (named !== undefined) return { id: sessionId(named.provider, named.key), target: named };
  const { provider } = asked;
  return provider === undefined ? { id: EVERYTHING, target: {} } : { id: provider, target: { provider } };
}

function waits(
  table: SessionTable,
  said: Word,
  what: {
    readonly done: readonly Session[];
    readonly named: Session | undefined;
    readonly asked: Asked;
    readonly until?: number;
  },
): Said {
  const { done, named, asked, until } = what;
  const { taken, left } = fitting(done, (session) => told(table, session));
  const data: WaitsData = {
    sessions: taken,
    left_out: left,
    ...(named !== undefined && done.length === 0 && { idle: told(table, named) }),
    ...(until !== undefined && { until: seconds(until) }),
  };
  return { data, rows: rowsOf(said, done, named ?? asked) };
}

/** One entry a session; where nothing was to be done, one for whom it was meant. */
function rowsOf(said: Word, sessions: readonly Session[], meant: Session | Asked): EventRow[] {
  if (sessions.length > 0) return sessions.map((session) => wordRow(said, session));
  if ('key' in meant) return [wordRow(said, meant)];
  return [wordRow(said, meant.provider === undefined ? {} : { provider: meant.provider })];
}

/** A session as it was before the word. */
function told(table: SessionTable, session: Session): WordSession {
  const { key, provider, state, attentions } = session;
  return {
    key,
    provider,
    project: table.projectOf(session),
    state,
    kinds: attentions.map(({ kind }) => kind),
  };
}

function pauseEntry({ scope, at, until, by }: Pause): PauseEntry {
  const [provider = '', session = ''] = scope.split(' ');
  return {
    ...(scope !== EVERYTHING && { provider }),
    ...(isSessionId(scope) && { session }),
    at: seconds(at),
    ...(until !== undefined && { until: seconds(until) }),
    by,
  };
}
