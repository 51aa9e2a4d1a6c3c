import { findSessions } from '../../protocol/find-session.ts';
import type { Session } from '../../protocol/session.ts';
import { ATTENTION_PRIORITY } from '../../protocol/states.ts';
import type { SessionTable } from '../../protocol/table.ts';

/** What is asked for; `provider` is a slug of ours. */
export interface Asked {
  readonly provider?: string;
  readonly session?: string;
  readonly minutes?: number;
  readonly days?: number;
}

/** A session with its project's name as it is to be shown. */
export interface Wanted {
  readonly session: Session;
  readonly project: string;
}

/** The sessions that are asked for, those that need the user first, of those the newest. @throws SignalboxError `no_such_session`, `ambiguous_session` */
export function wanted(table: SessionTable, asked: Asked): Wanted[] {
  const all = [...table.sessions()].map((session) => {
    const { key, session_id, provider } = session;
    return { session, project: table.projectOf(session), key, session_id, provider };
  });
  return findSessions(all, asked).sort(
    ({ session: a }, { session: b }) =>
      ATTENTION_PRIORITY[a.state] - ATTENTION_PRIORITY[b.state] || b.state_since - a.state_since,
  );
}

/** A packet of the bus holds 64 KB (spec: bus, "Durability" 1); the rest of it is room for the envelope [bytes]. */
const DATA_BYTES = 56 * 1024;

/** As many as one message holds; the first whatever its size, which its own bounds keep small. */
export function fitting<T, R>(items: readonly T[], make: (item: T) => R): { taken: R[]; left: number } {
  const taken: R[] = [];
  let room = DATA_BYTES;
  for (const item of items) {
    const made = make(item);
    room -= Buffer.byteLength(JSON.stringify(made)) + 1;
    if (room < 0 && taken.length > 0) break;
    taken.push(made);
  }
  return { taken, left: items.length - taken.length };
}
