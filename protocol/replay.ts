import type { AdaptContext } from './adapters/adapt.ts';
import { toolDigest } from './adapters/tool-digest.ts';
import { SOURCE_READ_AFTER } from './expiry.ts';
import { isMeaningless } from './irrelevant.ts';
import type { Session } from './session.ts';
import { recordedCopilotLog, recordedRollout, recordedStatuses } from './sources/recorded-sources.ts';
import { readRecording, type RecordedLine, recordedEvent, zeroOf } from './sources/recording.ts';
import type { TableOptions, Transition } from './table-changes.ts';
import { SessionTable } from './table.ts';
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
  /** False: hooks alone. */
  readonly sources: boolean;
  /** The text of the Codex rollouts beside the recording: each line names its file in `_file`. */
  readonly rollout?: string;
  /** The text of the Copilot log beside the recording. */
  readonly events?: string;
}

/** What a replay tells beside the changes: for scores that count alerts. */
export interface Replayed {
  readonly changes: readonly ReplayedChange[];
  readonly transitions: readonly (Transition & { readonly t_ms: number })[];
  readonly alerts: readonly ReplayedAlert[];
}

/** A session's alert, given when its provider's counter grew. */
export interface ReplayedAlert {
  /** Milliseconds since the recording's start. */
  readonly t_ms: number;
  readonly session_id: string;
  /** Why it waits. */
  readonly reason: string;
}

/**
 * Runs a recording through the real adapters and the real table under a virtual clock: what the bus would have said, moment by moment. Deadlines come exactly when
 * they are due, between the lines; after the last line the clock stands still.
 */
export function replay(text: string, options: ReplayOptions): Replayed {
  const lines = readRecording(text);
  const zero = zeroOf(lines);
  const table = new SessionTable(options.table);
  const told = new Teller(zero);
  const steps = [
    ...hooksOf(lines, zero, options),
    ...(options.sources ? sourcesOf(lines, zero, options) : []),
    // Whatever the last line is: time has passed until then.
    ...lines.slice(-1).map(({ tMs }) => ({ at: zero + tMs, run: () => {} })),
  ];
  for (const { at, run } of steps.toSorted((a, b) => a.at - b.at)) {
    for (let due = table.nextDeadline(); due !== undefined && due <= at; due = table.nextDeadline()) {
      table.advance(due);
      told.tell(table, due);
    }
    run(table, at);
    told.tell(table, at);
  }
  return told;
}

/** Something that reaches the hub at a time, unix ms. */
interface Step {
  readonly at: number;
  readonly run: (table: SessionTable, now: number) => void;
}

function hooksOf(lines: readonly RecordedLine[], zero: number, { adapting }: ReplayOptions): Step[] {
  return lines
    .filter((line) => line.argv !== undefined)
    .map((line) => ({
      at: zero + line.tMs,
      run: (table, now) => {
        const event = recordedEvent(line, now, adapting);
        if (event === undefined) return;
        const live = line.live ?? true;
        table.apply(event, { now, live });
        if (!live) table.drained(now);
      },
    }));
}

function sourcesOf(lines: readonly RecordedLine[], zero: number, options: ReplayOptions): Step[] {
  const { host, hasher } = options.adapting;
  const statuses = recordedStatuses(lines, zero).map(({ seenAt, report, moment }) => ({
    at: seenAt + SOURCE_READ_AFTER,
    run: (table: SessionTable, now: number) =>
      void table.observe({ ...report, host }, moment, { now, live: true }),
  }));
  const named = firstHooks(lines, zero, options);
  const logged = [
    ...recordedRollout(options.rollout ?? ''),
    ...recordedCopilotLog(options.events ?? '', (input) => toolDigest(hasher, 'copilot', input)),
  ];
  const turns = logged.map((event) => ({
    at: Math.max(event.sent_at, named.get(event.session_id) ?? 0) + SOURCE_READ_AFTER,
    run: (table: SessionTable, now: number) => void table.apply({ ...event, host }, { now, live: true }),
  }));
  return [...statuses, ...turns];
}

/** When the first hook of each session came: only a hook tells which rollout or log is to be read. Unix ms. */
function firstHooks(
  lines: readonly RecordedLine[],
  zero: number,
  { adapting }: ReplayOptions,
): Map<string | undefined, number> {
  const first = new Map<string | undefined, number>();
  for (const line of lines.filter(({ argv }) => argv !== undefined)) {
    const at = zero + line.tMs;
    const event = recordedEvent(line, at, adapting);
    if (event === undefined || event.notify === true || isMeaningless(event)) continue;
    if (!first.has(event.session_id)) first.set(event.session_id, at);
  }
  return first;
}

class Teller implements Replayed {
  readonly changes: ReplayedChange[] = [];
  readonly transitions: (Transition & { t_ms: number })[] = [];
  readonly alerts: ReplayedAlert[] = [];
  readonly #zero: number;
  readonly #last = new Map<string, { session_id: string; shown: string }>();
  readonly #alerted = new Set<string>();

  constructor(zero: number) {
    this.#zero = zero;
  }

  tell(table: SessionTable, now: number): void {
    const since = now - this.#zero;
    const { sessions, transitions } = table.takeChanges();
    for (const transition of transitions) this.transitions.push({ ...transition, t_ms: since });
    for (const [id, session] of sessions) {
      this.#session(id, session, since);
      this.#alert(id, session, since);
    }
  }

  #alert(id: string, session: Session | undefined, t_ms: number): void {
    if (session?.alerted === undefined) return void this.#alerted.delete(id);
    if (this.#alerted.has(id)) return;
    this.#alerted.add(id);
    this.alerts.push({ t_ms, session_id: session.session_id, reason: session.reason });
  }

  #session(id: string, session: Session | undefined, t_ms: number): void {
    const last = this.#last.get(id);
    // What is removed has been told of before.
    const { session_id } = (session ?? last) as Pick<Session, 'session_id'>;
    const { state, reason, lamp } = session ?? { state: null, reason: '', lamp: null };
    const shown = [state, reason, lamp].join(' ');
    if (last?.shown === shown) return;
    if (session === undefined) this.#last.delete(id);
    else this.#last.set(id, { session_id, shown });
    this.changes.push({ t_ms, session_id, state, reason, lamp });
  }
}
