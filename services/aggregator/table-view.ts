import type { ErrorCode } from '../../protocol/errors.ts';
import type { SessionPayload } from '../../protocol/messages/session.ts';
import type { SignalPayload } from '../../protocol/messages/signal.ts';
import type { AttentionState } from '../../protocol/states.ts';
import type { SessionTable } from '../../protocol/table.ts';
import type { Counters, Fate } from './counters.ts';
import { sessionPayload } from './session-payload.ts';

/** What has been counted since the start, for whoever looks. */
export interface Counts {
  /** Events that came; `provider` is empty where none of ours was named. */
  readonly events: readonly { readonly provider: string; readonly outcome: Fate; readonly count: number }[];
  readonly rejects: ReadonlyMap<ErrorCode, number>;
  /** Sessions there are, by state. */
  readonly sessions: ReadonlyMap<AttentionState, number>;
}

/** The table as the bus shows it, for whoever is asked by somebody who doesn't listen there. Nothing is computed before it is asked for. */
export interface TableView {
  /** Of every provider that has one, idle ones too, in registry order. */
  signals(): readonly { readonly provider: string; readonly signal: SignalPayload }[];
  sessions(): readonly SessionPayload[];
  counts(): Counts;
}

export function createTableView(table: SessionTable, counters: Counters): TableView {
  return {
    signals: () => table.providers().map((provider) => ({ provider, signal: table.signal(provider) })),
    sessions: () => Array.from(table.sessions(), (session) => sessionPayload(session, table)),
    counts() {
      const sessions = new Map<AttentionState, number>();
      for (const { state } of table.sessions()) sessions.set(state, (sessions.get(state) ?? 0) + 1);
      return { ...counters.counts(), sessions };
    },
  };
}
