import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Inspected, SoundDatabase } from '../../../services/aggregator/store/inspect-store.ts';
import { bytesText } from '../../terminal/bytes.ts';
import { shortDuration } from '../../terminal/duration.ts';
import { broken, brokenAs, type Check, type Finding, ok, warning } from '../check.ts';
import type { Facts } from '../facts.ts';

/** Two clocks of one machine never differ by so much [ms]. */
const FUTURE = 60_000;
/** Above this a start takes long, and so does every copy [bytes]. */
const LARGE = 1024 * 1024 * 1024;

export const databaseCheck: Check = {
  name: 'database',
  run(facts) {
    if (facts.folder.kind === 'missing' || facts.folder.kind === 'unusable') return [];
    return [
      ...stateOf(facts.database, facts),
      ...movedAside(facts.paths.database),
      ...movedAside(facts.paths.notifierDatabase),
    ];
  },
};

function stateOf(database: Inspected, facts: Facts): Finding[] {
  const { paths, hub } = facts;
  const path = paths.database;
  switch (database.kind) {
    case 'missing':
      if (hub.kind !== 'running') return [ok('there is none yet: the first "signalbox up" makes it')];
      return [
        broken('database_missing', `The hub runs, and its database ${path} is gone.`, 'Start the hub again.'),
      ];
    case 'damaged': {
      const message = `The database ${path} is damaged: ${database.reason}.`;
      const mend =
        'Start the hub again: it moves the file aside, begins a fresh one, and shows "stale" until agents report.';
      return [broken('database_damaged', message, mend)];
    }
    case 'newer':
      return [brokenAs('database_newer', { path, found: database.found, known: database.known })];
    case 'unreadable':
      return [brokenAs('database_unusable', { path, reason: database.reason })];
    case 'sound':
      return [size(database, facts), ...future(database, facts)];
  }
}

function size({ bytes }: SoundDatabase, { settings }: Facts): Finding {
  const numbers = { bytes };
  if (bytes <= LARGE) return ok(`sound, ${bytesText(bytes)}`, numbers);
  const { days } = settings.config.history;
  const mend = `Set "history.days" to less than ${days}.`;
  return warning('database_large', `The database has ${bytesText(bytes)}.`, mend, numbers);
}

/** A clock that was ahead once leaves its times behind: what is new then looks old. */
function future({ events }: SoundDatabase, { now }: Facts): Finding[] {
  const newest = events[0]?.last_at ?? 0;
  if (newest - now < FUTURE) return [];
  const message = `The newest event in the database is dated ${shortDuration((newest - now) / 1000)} from now: this machine's clock is wrong, or was.`;
  const mend =
    'Set the clock right. If it is right now, stop the hub and move the database away: what comes now counts as older than what is in it.';
  return [broken('event_in_future', message, mend, { newest_at: newest })];
}

const ASIDE = /\.damaged-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-\d{2}(?:\.\d+)?$/;

/** Damaged copies that a hub has moved aside, newest last. */
function movedAside(path: string): Finding[] {
  const found = readdirSync(dirname(path))
    .filter((name) => name.startsWith(`${basename(path)}.damaged-`) && ASIDE.test(name))
    .sort();
  const last = found.at(-1);
  if (last === undefined) return [];
  const [, day, hour, minute] = ASIDE.exec(last) as unknown as [string, string, string, string];
  const message = `A damaged database was moved aside on ${day} at ${hour}:${minute} UTC: ${join(dirname(path), last)}${found.length > 1 ? ` (and ${found.length - 1} before)` : ''}.`;
  return [
    warning('database_moved_aside', message, 'Delete it when nothing in it is of use any more.', {
      files: found,
    }),
  ];
}
