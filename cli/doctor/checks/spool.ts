import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { droppedIn, isSpooled, SPOOL_LIMITS } from '../../../runtime/spool.ts';
import { BAD } from '../../../services/aggregator/spool-files.ts';
import { spoolLossesOf } from '../../../services/aggregator/spool-losses.ts';
import { ago, shortDuration } from '../../terminal/duration.ts';
import { broken, type Check, type Finding, ok, warning } from '../check.ts';
import type { Facts } from '../facts.ts';

/** A hub takes a file within milliseconds, or at its next look; longer it waits for nothing [ms]. */
const TAKEN_WITHIN = 30_000;
/** Losses are told of for this long [ms]. */
const LATELY = 7 * 24 * 60 * 60 * 1000;

/** What senders have left because they reached no hub. */
export const spoolCheck: Check = {
  name: 'spool',
  run(facts) {
    if (facts.folder.kind === 'missing' || facts.folder.kind === 'unusable') return [];
    const names = list(facts.paths.spool);
    const waiting = names.filter(isSpooled).sort();
    const found = [...waits(waiting, facts), ...damaged(names, facts), ...losses(facts)];
    return found.length > 0 ? found : [ok('empty')];
  },
};

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function waits(waiting: readonly string[], { paths, hub, now }: Facts): Finding[] {
  const [first] = waiting;
  if (first === undefined) return [];
  const since = statSync(join(paths.spool, first), { throwIfNoEntry: false })?.mtimeMs ?? now;
  const events = waiting.length === 1 ? '1 event waits' : `${waiting.length} events wait`;
  const age = `the oldest for ${shortDuration((now - since) / 1000)}`;
  const numbers = { waiting: waiting.length, limit: SPOOL_LIMITS.files, oldest_at: Math.round(since) };
  if (hub.kind !== 'running') {
    const message = `${events} for a hub, ${age}.`;
    return [warning('spool_waits', message, 'Start it, and it takes them over: signalbox up', numbers)];
  }
  if (now - since < TAKEN_WITHIN) return [ok(`${events}, and the hub is at it`, numbers)];
  const message = `${events}, ${age}, and the hub does not take them over.`;
  return [broken('spool_stuck', message, `See its log, and the mode of ${paths.spool}.`, numbers)];
}

function damaged(names: readonly string[], { paths }: Facts): Finding[] {
  const bad = names.filter((name) => name.endsWith(BAD));
  if (bad.length === 0) return [];
  const files = bad.length === 1 ? '1 file was' : `${bad.length} files were`;
  const message = `${files} no event and set aside (${BAD} in ${paths.spool}).`;
  return [warning('spool_damaged', message, 'Look at them, and delete them.', { files: bad })];
}

/** Those that no hub has heard of yet, and those that the last one has. */
function losses({ paths, database, now }: Facts): Finding[] {
  const known = database.kind === 'sound' ? spoolLossesOf(database.meta) : undefined;
  const lately = known !== undefined && now - known.last_at < LATELY ? known : undefined;
  const count = droppedIn(paths.spool) + (lately?.count ?? 0);
  if (count === 0) return [];
  const when = lately === undefined ? '' : `, the last ${ago((now - lately.last_at) / 1000)}`;
  const message = `${count === 1 ? '1 event was' : `${count} events were`} dropped since no hub took them over${when}.`;
  return [
    warning('spool_dropped', message, 'Keep a hub running; what was dropped is lost.', { dropped: count }),
  ];
}
