import type { Migration } from '../../../runtime/database/database-store.ts';

/**
 * The hub's database: what happened, what the table holds now, and who this hub is.
 *
 * `event` is the log (spec: bus, "Durability"): bodies are cut-down events or a person's words, and nothing else. Its index by moment serves the folding of late events (spec:
 * state, rule 6), the unique one recognises an event that comes a second time. Retention goes by `seq`, which needs no index of its own.
 * `span` is the history: a row for each state that a session has left, added when it is over. What lasts is in `session`, so that a hub which is killed neither loses nor doubles it. Its index
 * finds the waits, or all states, of a time.
 * `pause` is what the user has paused. `seen` and `refused` are sums, so that `doctor` reads a few rows instead of the log; of what was refused, only that.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    number: 1,
    sql: `
      CREATE TABLE event (
        seq INTEGER PRIMARY KEY,
        provider TEXT NOT NULL,
        key TEXT NOT NULL,
        session_id TEXT NOT NULL,
        event TEXT NOT NULL,
        id TEXT,
        received_at INTEGER NOT NULL,
        sent_at INTEGER,
        moment INTEGER NOT NULL,
        live INTEGER NOT NULL,
        body TEXT NOT NULL
      ) STRICT;
      CREATE INDEX event_by_moment ON event (provider, key, moment);
      CREATE UNIQUE INDEX event_by_id ON event (provider, id) WHERE id IS NOT NULL;

      CREATE TABLE seen (
        provider TEXT NOT NULL,
        event TEXT NOT NULL,
        count INTEGER NOT NULL,
        last_at INTEGER NOT NULL,
        PRIMARY KEY (provider, event)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE refused (
        provider TEXT NOT NULL,
        code TEXT NOT NULL,
        count INTEGER NOT NULL,
        last_at INTEGER NOT NULL,
        PRIMARY KEY (provider, code)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE session (
        provider TEXT NOT NULL,
        key TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (provider, key)
      ) STRICT;

      CREATE TABLE provider (slug TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;

      CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    `,
  },
  {
    number: 2,
    sql: `CREATE TABLE pause (scope TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;`,
  },
  {
    number: 3,
    sql: `
      CREATE TABLE span (
        seq INTEGER PRIMARY KEY,
        provider TEXT NOT NULL,
        key TEXT NOT NULL,
        project TEXT NOT NULL,
        state TEXT NOT NULL,
        reason TEXT NOT NULL,
        by_user INTEGER NOT NULL,
        started_at INTEGER NOT NULL,
        ended_at INTEGER NOT NULL,
        ended_by TEXT NOT NULL
      ) STRICT;
      CREATE INDEX span_by_end ON span (state, ended_at);
    `,
  },
];
