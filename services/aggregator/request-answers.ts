import { explain } from '../../protocol/explain.ts';
import { findSessions } from '../../protocol/find-session.ts';
import type { ExplainData, SessionRow, SessionsData } from '../../protocol/messages/explain.ts';
import type { Command } from '../../protocol/messages/request.ts';
import type { Session } from '../../protocol/session.ts';
import { ATTENTION_PRIORITY } from '../../protocol/states.ts';
import type { TableOptions } from '../../protocol/table-changes.ts';
import type { SessionTable } from '../../protocol/table.ts';
import { latestEntries } from './session-log.ts';
import { sessionPayload } from './session-payload.ts';
import type { Store } from './store/hub-store.ts';

/** What is asked for; `provider` is a slug of ours. */
export interface Asked {
  readonly provider?: string;
  readonly session?: string;
  readonly minutes?: number;
}

/** Answers a request: its `data`. @param now unix ms; @throws SignalboxError what the requester is told */
export type Answer = (asked: Asked, now: number) => object;

export interface Known {
  readonly table: SessionTable;
  readonly store: Store;
  readonly options: TableOptions;
}

/** A packet of the bus holds 64 KB (spec: bus, "Durability" 1); the rest of it is room for the envelope [bytes]. */
const DATA_BYTES = 56 * 1024;

/** The requests that this hub answers. A new one is one line here. */
export function createAnswers(known: Known): Readonly<Partial<Record<Command, Answer>>> {
  const answers: Partial<Record<Command, Answer>> = {
    explain: (asked, now) => explainAll(known, asked, now, Object.keys(answers)),
    sessions: (asked) => listAll(known, asked),
  };
  return answers;
}

function explainAll(known: Known, asked: Asked, now: number, commands: readonly string[]): ExplainData {
  const { store, options } = known;
  const { timeouts, rules } = options;
  const refusals = store.refusals();
  const { taken, left } = fitting(wanted(known, asked), ({ session, project }) =>
    explain(
      session,
      {
        project,
        timeouts,
        rules,
        log: latestEntries(store, session, now),
        refused: refusals.filter(({ provider }) => provider === session.provider),
        commands,
      },
      now,
    ),
  );
  return { explanations: taken, left_out: left };
}

function listAll(known: Known, asked: Asked): SessionsData {
  const { taken, left } = fitting(wanted(known, asked), ({ session, project }): SessionRow => {
    // Its folder is told on its own topic alone, which fewer roles may read.
    const { cwd: _, ...row } = sessionPayload(session, project);
    return row;
  });
  return { sessions: taken, left_out: left };
}

interface Shown {
  readonly session: Session;
  readonly project: string;
  readonly key: string;
  readonly session_id: string;
  readonly provider: string;
}

/** The sessions that are asked for, those that need the user first, of those the newest. */
function wanted({ table }: Known, asked: Asked): Shown[] {
  const all = [...table.sessions()].map((session) => {
    const { key, session_id, provider } = session;
    return { session, project: table.projectOf(session), key, session_id, provider };
  });
  return findSessions(all, asked).sort(
    ({ session: a }, { session: b }) =>
      ATTENTION_PRIORITY[a.state] - ATTENTION_PRIORITY[b.state] || b.state_since - a.state_since,
  );
}

/** As many as one message holds; the first whatever its size, which its own bounds keep small. */
function fitting<T, R>(items: readonly T[], make: (item: T) => R): { taken: R[]; left: number } {
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
