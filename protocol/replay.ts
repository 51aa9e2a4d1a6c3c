import type { AdaptContext } from './adapters/adapt.ts';
import type { Session } from './session.ts';
import { readRecording, type RecordedLine, recordedEvent, zeroOf } from './sources/recording.ts';
import { SessionTable, type TableOptions, type Transition } from './table.ts';
import type { AttentionState, LampState } from './states.ts';

/** One change of a session, as `signalbox replay` prints it. `state` null: the session is gone. */
export interface ReplayedChange {
  /** Milliseconds since the recording's start. */
  readonly t_ms: number;
  readonly session_id: string;
  readonly state: AttentionState | null;
  readonly reason: string;
  readonly lamp: LampState | null;
}

export interface ReplayOptions {
  readonly table: TableOptions;
  readonly adapting: AdaptContext;
}

/** What a replay tells beside the changes: for scores that count alerts. */
export interface Replayed {
  readonly changes: readonly ReplayedChange[];
  readonly transitions: readonly (Transition & { readonly t_ms: number })[];
  /** When each alert was given, and the provider's counter after it. */
  readonly alerts: readonly { readonly t_ms: number; readonly provider: string; readonly alert: number }[];
}

/**
 * Runs a recording through the real adapters and the real table under a virtual clock: what the bus would have said, moment by moment. Deadlines come exactly when
 * they are due, between the lines; after the last line the clock stands still.
 */
export function replay(text: string, options: ReplayOptions): Replayed {
  const lines = readRecording(text).toSorted((a, b) => a.tMs - b.tMs);
  const zero = zeroOf(lines);
  const table = new SessionTable(options.table);
  const told = new Teller(zero);
  for (const line of lines) {
    const now = zero + line.tMs;
    for (let due = table.nextDeadline(); due !== undefined && due <= now; due = table.nextDeadline()) {
      table.advance(due);
      told.tell(table, due);
    }
    step(table, line, now, options.adapting);
    told.tell(table, now);
  }
  return told;
}

function step(table: SessionTable, line: RecordedLine, now: number, adapting: AdaptContext): void {
  if (line.argv === undefined) return;
  const event = recordedEvent(line, now, adapting);
  if (event !== undefined) table.apply(event, { now, live: true });
}

class Teller implements Replayed {
  readonly changes: ReplayedChange[] = [];
  readonly transitions: (Transition & { t_ms: number })[] = [];
  readonly alerts: { t_ms: number; provider: string; alert: number }[] = [];
  readonly #zero: number;
  readonly #last = new Map<string, { session_id: string; shown: string }>();
  readonly #alerts = new Map<string, number>();

  constructor(zero: number) {
    this.#zero = zero;
  }

  tell(table: SessionTable, now: number): void {
    const t_ms = now - this.#zero;
    const { sessions, providers, transitions } = table.takeChanges();
    for (const transition of transitions) this.transitions.push({ ...transition, t_ms });
    for (const [id, session] of sessions) this.#session(id, session, t_ms);
    for (const [provider, { alert }] of providers) {
      if (alert > (this.#alerts.get(provider) ?? 0)) this.alerts.push({ t_ms, provider, alert });
      this.#alerts.set(provider, alert);
    }
  }

  #session(id: string, session: Session | undefined, t_ms: number): void {
    const last = this.#last.get(id);
    const session_id = session?.session_id ?? last?.session_id;
    if (session_id === undefined) return;
    const { state, reason, lamp } = session ?? { state: null, reason: '', lamp: null };
    const shown = [state, reason, lamp].join(' ');
    if (last?.shown === shown) return;
    if (session === undefined) this.#last.delete(id);
    else this.#last.set(id, { session_id, shown });
    this.changes.push({ t_ms, session_id, state, reason, lamp });
  }
}
