import Database from 'better-sqlite3';
import { isCommand } from '../../../protocol/messages/request.ts';
import type { Span } from '../../../protocol/spans.ts';
import { SELF_TEST } from '../../../protocol/self-test.ts';
import type { AttentionState } from '../../../protocol/states.ts';
import { prepareSpanStatements } from './span-store.ts';
import type { Connection } from '../../../runtime/database/database-store.ts';
import type { Batch, EventRow, LastEvent, RefusalRow, RefusedTally, StoredEvent, Tally } from './rows.ts';

/** Everything that is asked of one open database of the hub. SQLite's errors come through as they are. */
export interface HubStatements {
  /** @returns rows written */
  commit(batch: Batch): number;
  isKnown(provider: string, id: string): boolean;
  sessionBodies(): string[];
  providerBodies(): string[];
  pauseBodies(): string[];
  eventsOf(provider: string, key: string, sinceMoment: number, most: number): StoredEvent[];
  lastEvents(): LastEvent[];
  refusals(): RefusedTally[];
  allMeta(): Meta[];
  setMeta(name: string, value: string): void;
  spansSince(state: AttentionState, since: number): Span[];
  historySince(): number | undefined;
  prune(before: number, most: number): number;
}

/** A name and its value. */
type Meta = [name: string, value: string];

interface EventRecord {
  readonly seq: number;
  readonly provider: string;
  readonly key: string;
  readonly session_id: string;
  readonly event: string;
  readonly id: string | null;
  readonly received_at: number;
  readonly sent_at: number | null;
  readonly moment: number;
  readonly live: number;
  readonly body: string;
}

type EventValues = [
  provider: string,
  key: string,
  session_id: string,
  event: string,
  id: string | null,
  received_at: number,
  sent_at: number | null,
  moment: number,
  live: number,
  body: string,
];

const ALL_META = 'SELECT name, value FROM meta';

/** What can still be read of a damaged database: its names and values, or nothing. */
export function readMeta(path: string): Meta[] {
  try {
    const damaged = new Database(path, { readonly: true, fileMustExist: true });
    try {
      return damaged.prepare<[], Meta>(ALL_META).raw().all();
    } finally {
      damaged.close();
    }
  } catch {
    return [];
  }
}

/** Prepares the statements once: they are compiled here and run per event. */
export function prepareHubStatements(connection: Connection): HubStatements {
  // By position: better-sqlite3 looks names up for each row, which costs more than the insert itself.
  const insertEvent = connection.prepare<EventValues>(`
    INSERT INTO event (provider, key, session_id, event, id, received_at, sent_at, moment, live, body)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (provider, id) WHERE id IS NOT NULL DO NOTHING`);
  const addSeen = connection.prepare<[string, string, number, number]>(`
    INSERT INTO seen (provider, event, count, last_at) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET count = count + excluded.count, last_at = max(last_at, excluded.last_at)`);
  const addRefused = connection.prepare<[string, string, number, number]>(`
    INSERT INTO refused (provider, code, count, last_at) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET count = count + excluded.count, last_at = max(last_at, excluded.last_at)`);
  const putSession = connection.prepare<[string, string, string]>(`
    INSERT INTO session (provider, key, body) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET body = excluded.body`);
  const dropSession = connection.prepare<[string, string]>(
    'DELETE FROM session WHERE provider = ? AND key = ?',
  );
  const putProvider = connection.prepare<[string, string]>(`
    INSERT INTO provider (slug, body) VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body`);
  const putPause = connection.prepare<[string, string]>(`
    INSERT INTO pause (scope, body) VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body`);
  const dropPause = connection.prepare<[string]>('DELETE FROM pause WHERE scope = ?');
  const dropProvider = connection.prepare<[string]>('DELETE FROM provider WHERE slug = ?');
  const known = connection
    .prepare<[string, string], number>('SELECT 1 FROM event WHERE provider = ? AND id = ?')
    .pluck();
  const sessionBodies = connection.prepare<[], string>('SELECT body FROM session').pluck();
  const providerBodies = connection.prepare<[], string>('SELECT body FROM provider').pluck();
  const pauseBodies = connection.prepare<[], string>('SELECT body FROM pause').pluck();
  const eventsOf = connection.prepare<[string, string, number, number], EventRecord>(`
    SELECT * FROM event WHERE provider = ? AND key = ? AND moment >= ? ORDER BY moment, seq LIMIT ?`);
  const lastEvents = connection.prepare<[], LastEvent>(
    'SELECT provider, event, count, last_at FROM seen ORDER BY provider, event',
  );
  const refusals = connection.prepare<[], RefusedTally>(
    'SELECT provider, code, count, last_at FROM refused ORDER BY provider, code',
  );
  const allMeta = connection.prepare<[], Meta>(ALL_META).raw();
  const setMeta = connection.prepare<[string, string]>(`
    INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value`);
  // Oldest first by `seq`, as far as the first one that is young enough: no index by time has to be kept for it.
  const prune = connection.prepare<[number, number]>(`
    DELETE FROM event WHERE seq IN (SELECT seq FROM event ORDER BY seq LIMIT ?) AND received_at < ?`);

  const spans = prepareSpanStatements(connection);

  const commit = connection.transaction((batch: Batch): number => {
    const { events = [], refusals: refused = [] } = batch;
    const { sessions = new Map(), providers = new Map(), pauses = new Map() } = batch;
    const seen = new Map<string, LastEvent>();
    for (const row of events) {
      // An event that is kept already is not counted again.
      if (insertEvent.run(...valuesOf(row)).changes > 0 && isOfAgent(row)) tallyEvent(seen, row);
    }
    for (const { provider, event, count, last_at } of seen.values()) {
      addSeen.run(provider, event, count, last_at);
    }
    for (const { provider, code, count, last_at } of tallyRefusals(refused)) {
      addRefused.run(provider, code, count, last_at);
    }
    for (const [name, session] of sessions) {
      if (session === undefined) dropSession.run(...keysOf(name));
      else putSession.run(session.provider, session.key, JSON.stringify(session));
    }
    for (const [slug, provider] of providers) {
      if (provider === undefined) dropProvider.run(slug);
      else putProvider.run(slug, JSON.stringify(provider));
    }
    for (const [scope, pause] of pauses) {
      if (pause === undefined) dropPause.run(scope);
      else putPause.run(scope, JSON.stringify(pause));
    }
    spans.add(batch.spans ?? []);
    const rows = [events, refused, batch.spans ?? []].reduce((sum, { length }) => sum + length, 0);
    return rows + sessions.size + providers.size + pauses.size;
  });

  return {
    // Immediate: a transaction that starts by reading can be refused the lock halfway.
    commit: (batch) => commit.immediate(batch),
    isKnown: (provider, id) => known.get(provider, id) !== undefined,
    sessionBodies: () => sessionBodies.all(),
    providerBodies: () => providerBodies.all(),
    pauseBodies: () => pauseBodies.all(),
    eventsOf: (provider, key, sinceMoment, most) => eventsOf.all(provider, key, sinceMoment, most).map(rowOf),
    lastEvents: () => lastEvents.all(),
    refusals: () => refusals.all(),
    allMeta: () => allMeta.all(),
    setMeta: (name, value) => void setMeta.run(name, value),
    spansSince: spans.since,
    historySince: spans.first,
    prune: (before, most) => Math.max(prune.run(most, before).changes, spans.prune(before, most)),
  };
}

/** A batch's name of a session: `<provider> <key>`, neither of which holds a space. */
function keysOf(name: string): [provider: string, key: string] {
  const space = name.indexOf(' ');
  return [name.slice(0, space), name.slice(space + 1)];
}

/** In the order of the columns of `insertEvent`. */
function valuesOf(row: EventRow): EventValues {
  const { provider, key, session_id, event, id, received_at, sent_at, moment, live, body } = row;
  return [
    provider,
    key,
    session_id,
    event,
    id ?? null,
    received_at,
    sent_at ?? null,
    moment,
    live ? 1 : 0,
    body,
  ];
}

function rowOf({ id, sent_at, live, ...record }: EventRecord): StoredEvent {
  return {
    ...record,
    ...(id === null ? {} : { id }),
    ...(sent_at === null ? {} : { sent_at }),
    live: live === 1,
  };
}

/** Words of a person, a try of the way and what a second source has found tell nothing of an agent's hooks. */
function isOfAgent({ event, found }: EventRow): boolean {
  return found !== true && !isCommand(event) && event !== SELF_TEST;
}

function tallyEvent(seen: Map<string, LastEvent>, { provider, event, received_at }: EventRow): void {
  const name = `${provider} ${event}`;
  seen.set(name, { provider, event, ...added(seen.get(name), received_at) });
}

function tallyRefusals(refused: readonly RefusalRow[]): Iterable<RefusedTally> {
  const tallies = new Map<string, RefusedTally>();
  for (const { provider, code, at } of refused) {
    const name = `${provider} ${code}`;
    tallies.set(name, { provider, code, ...added(tallies.get(name), at) });
  }
  return tallies.values();
}

function added(tally: Tally | undefined, at: number): Tally {
  return { count: (tally?.count ?? 0) + 1, last_at: Math.max(tally?.last_at ?? 0, at) };
}
