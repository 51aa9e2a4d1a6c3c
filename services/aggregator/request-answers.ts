import { seconds } from '../../protocol/aggregate.ts';
import { explain } from '../../protocol/explain.ts';
import type {
  ExplainData,
  ExplainedTelling,
  SessionRow,
  SessionsData,
} from '../../protocol/messages/explain.ts';
import type { Command, Requester } from '../../protocol/messages/request.ts';
import type { StatsData } from '../../protocol/messages/stats.ts';
import type { TableOptions } from '../../protocol/table-changes.ts';
import type { SessionTable } from '../../protocol/table.ts';
import { findStats } from './find-stats.ts';
import type { AggregatorOptions, Told } from './aggregator-options.ts';
import { keepStats } from './recent-stats.ts';
import { latestEntries } from './session-log.ts';
import { sessionPayload } from './session-payload.ts';
import type { Store } from './store/hub-store.ts';
import { type Said, USER_WORDS, type UserWord } from './user-words.ts';
import { type Asked, fitting, wanted } from './wanted-sessions.ts';

/** Answers a request: its `data`. @param now unix ms; @throws SignalboxError what the requester is told */
export type Answer = (asked: Asked, now: number, by: Requester) => object;

export interface Known {
  readonly table: SessionTable;
  readonly store: Store;
  readonly options: TableOptions;
  /** How long the history is kept [days]. */
  readonly historyDays: number;
  /** What was decided about telling the phone of a session. */
  readonly phone?: AggregatorOptions['phone'];
  /** Does something to the table, after all that came before, and resolves to its answer when it is on disk. @throws SignalboxError `not_committed` */
  readonly say: (act: (now: number) => Said) => object;
}

/** The requests that this hub answers. A new one is one line here; one that changes the table, one word more in user-words.ts. */
export function createAnswers(known: Known): Readonly<Partial<Record<Command, Answer>>> {
  const { table, say } = known;
  const words: Partial<Record<Command, Answer>> = Object.fromEntries(
    Object.entries<UserWord>(USER_WORDS).map(([command, act]): [string, Answer] => [
      command,
      (asked, _now, by) => say((now) => act(table, asked, by, now)),
    ]),
  );
  const stats = (days: number | undefined, now: number): StatsData => findStats(known, days, now);
  const recentStats = keepStats(stats);
  const answers: Partial<Record<Command, Answer>> = {
    explain: (asked, now) => explainAll(known, asked, now, Object.keys(answers)),
    sessions: (asked) => listAll(known, asked),
    stats: ({ days }, now, by) => (by.role === 'operator' ? stats : recentStats)(days, now),
    ...words,
  };
  return answers;
}

function explainAll(known: Known, asked: Asked, now: number, commands: readonly string[]): ExplainData {
  const { store, options, table } = known;
  const { timeouts, rules } = options;
  const refusals = store.refusals();
  const { taken, left } = fitting(wanted(table, asked), ({ session, project }) => {
    const pause = table.pauseOf(session);
    const told = known.phone?.(session.provider, session.key);
    const explanation = explain(
      session,
      {
        project,
        timeouts,
        rules,
        log: latestEntries(store, session, now),
        refused: refusals.filter(({ provider }) => provider === session.provider),
        commands,
        ...(pause !== undefined && { pause }),
      },
      now,
    );
    return told === undefined
      ? explanation
      : { ...explanation, phone: told.map((each) => tellingAt(each, now)) };
  });
  return { explanations: taken, left_out: left };
}

function tellingAt({ at, outcome, why, words }: Told, now: number): ExplainedTelling {
  return { at: seconds(at), age_s: Math.max(0, seconds(now - at)), outcome, why, words };
}

function listAll({ table }: Known, asked: Asked): SessionsData {
  const { taken, left } = fitting(wanted(table, asked), ({ session }): SessionRow => {
    // Its folder is told on its own topic alone, which fewer roles may read.
    const { cwd: _, ...row } = sessionPayload(session, table);
    return row;
  });
  return { sessions: taken, left_out: left };
}
