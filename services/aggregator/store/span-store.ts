import type { Span } from '../../../protocol/spans.ts';
import type { AttentionState } from '../../../protocol/states.ts';
import type { Connection } from '../../../runtime/database/database-store.ts';

/** The history: which state a session was in, from when to when. SQLite's errors come through as they are. */
export interface SpanStatements {
  add(spans: readonly Span[]): void;
  since(state: AttentionState, since: number): Span[];
  first(): number | undefined;
  prune(before: number, most: number): number;
}

/** In the order of the columns. */
type SpanRecord = [
  provider: string,
  key: string,
  project: string,
  state: AttentionState,
  reason: string,
  by_user: number,
  started_at: number,
  ended_at: number,
  ended_by: string,
];

const COLUMNS = 'provider, key, project, state, reason, by_user, started_at, ended_at, ended_by';

export function prepareSpanStatements(connection: Connection): SpanStatements {
  const insert = connection.prepare<SpanRecord>(
    `INSERT INTO span (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const since = connection
    .prepare<[string, number], SpanRecord>(
      `SELECT ${COLUMNS} FROM span WHERE state = ? AND ended_at >= ? ORDER BY ended_at`,
    )
    .raw();
  const first = connection.prepare<[], number>('SELECT started_at FROM span ORDER BY seq LIMIT 1').pluck();
  const prune = connection.prepare<[number, number]>(
    'DELETE FROM span WHERE seq IN (SELECT seq FROM span ORDER BY seq LIMIT ?) AND ended_at < ?',
  );
  return {
    add(spans) {
      for (const span of spans) insert.run(...valuesOf(span));
    },
    since: (state, moment) => since.all(state, moment).map(spanOf),
    first: () => first.get(),
    prune: (before, most) => prune.run(most, before).changes,
  };
}

function valuesOf(span: Span): SpanRecord {
  const { provider, key, project, state, reason, by_user, started_at, ended_at, ended_by } = span;
  return [provider, key, project, state, reason, by_user ? 1 : 0, started_at, ended_at, ended_by];
}

function spanOf(record: SpanRecord): Span {
  const [provider, key, project, state, reason, by_user, started_at, ended_at, ended_by] = record;
  return { provider, key, project, state, reason, by_user: by_user === 1, started_at, ended_at, ended_by };
}
