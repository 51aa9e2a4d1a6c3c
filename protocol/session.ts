import type { BackgroundWork, CanonicalEvent } from './events.ts';
import type { AttentionKind, AttentionState, LampState } from './states.ts';

/** All times are unix milliseconds. *Moment*: when the client did it (the sender's clock); everything else is the hub's own clock. */

/** Where a fact came from and when, for `explain`. */
export interface Evidence {
  readonly origin: 'hook' | 'signal' | 'status' | 'process';
  /** The event's name, the raw signal's, or the status; of a look at its process: what was found. */
  readonly what: string;
  readonly at: number;
}

/** One open request: the agent waits for the user (spec: state, section 3). */
export interface Attention {
  /** Unique within the session, and the same again when the session's events are folded again. */
  readonly id: string;
  readonly kind: AttentionKind;
  /** The subagent that asks; left out for the main agent. */
  readonly agent_id?: string;
  readonly tool?: string;
  /** Digest of the tool's input: with agent and tool it is the request's key (rule 1). */
  readonly digest?: string;
  readonly request?: string;
  readonly call?: string;
  readonly opened_at: number;
  readonly moment: number;
  /** Counts only from then on (rule 8); left out: at once. */
  readonly raise_at?: number;
  /** An account error's kind. */
  readonly error?: string;
  /** Opened by the user, outside a turn: shown, never alerted for. */
  readonly by_user?: boolean;
  /** A status has told of it, and was withdrawn: only hooks can tell of its end. */
  readonly withdrawn?: boolean;
  readonly evidence: Evidence;
}

/** How the main agent's last turn ended, or what the session began with. */
export type TurnEnd =
  /** Started and never prompted: agreed to be `running`. */
  | 'fresh'
  | 'done'
  | 'scheduled'
  | 'failed'
  | 'interrupted'
  /** Nothing runs: resumed, cleared, ended, or paused from the start. */
  | 'idle';

/** The main agent's turn: running, or how it ended. */
export interface Turn {
  readonly running: boolean;
  /** The prompt's or turn's id, where the agent gives one. */
  readonly id?: string;
  readonly started_at?: number;
  /** Moment of its end. */
  readonly ended_at?: number;
  /** When the hub heard of its end: what `completed` is counted from. */
  readonly end_seen_at?: number;
  readonly end: TurnEnd;
  /** Ended by a status: a Stop with an older moment that arrives later tells how (rule 7). */
  readonly by_status?: boolean;
  /** Reason of the state it supports, running or ended. */
  readonly reason: string;
}

/** A tool call that has begun and not ended. */
export interface OpenTool {
  readonly tool: string;
  readonly agent_id?: string;
  readonly digest?: string;
  readonly call?: string;
  readonly at: number;
}

/** What a client says of itself. */
export type StatusValue = 'idle' | 'busy' | 'waiting' | 'shell';

/** The last status that is known. */
export interface KnownStatus {
  readonly value: StatusValue;
  /** Moment: the client's own time stamp. */
  readonly at: number;
  readonly seen_at: number;
  readonly waiting_for?: string;
  /** What stood before stands until then: a hook that is newer, or background work after which the client is idle. */
  readonly contested_until?: number;
  /** It was written before the last turn edge: its source does not keep up, and hooks stand alone. */
  readonly stuck?: boolean;
}

/** A process as the system tells it apart from later ones with its id. */
export interface KnownProcess {
  readonly pid: number;
  /** When it started, in the system's own notation: to be compared, not read. */
  readonly start: string;
  /** Where the id means something: a boot and a process namespace, or a machine. */
  readonly scope: string;
}

/** What a watcher tells of a process: it was found alive or dead, or can't be told of any more. */
export type ProcessValue = 'alive' | 'dead' | 'unwatched';

/**
 * A client's status, from a second source. `gone`: its record was removed; `withdrawn`: its source can't be used any more, so what it said last supports nothing from now on;
 * the others tell of its process.
 */
export interface StatusReport {
  readonly provider: string;
  readonly session_id: string;
  readonly host: string;
  readonly value: StatusValue | 'gone' | 'withdrawn' | ProcessValue;
  /** The process that was found alive. */
  readonly process?: KnownProcess;
  readonly waiting_for?: string;
  readonly cwd?: string;
  readonly pid?: number;
  readonly entrypoint?: string;
}

/** A status with its times. */
export interface StatusInput {
  readonly status: StatusReport;
  /** The client's own time stamp. */
  readonly moment: number;
  readonly arrival: number;
}

/** The user's word that they know of what is open. */
export interface AckInput {
  /** @property by who has said so */
  readonly ack: { readonly by: string };
  readonly arrival: number;
}

/** One step of a session's fold. */
export type FoldInput = EventInput | StatusInput | AckInput;

/** What is known of a session: the fold of its events. State and lamp are derived from it (derive.ts), never stored by an event. */
export interface SessionFacts {
  readonly provider: string;
  readonly session_id: string;
  readonly host: string;
  /** The first cwd that the session reported: its project. */
  readonly cwd?: string;
  /** What timers run from. */
  readonly updated_at: number;
  readonly created_at: number;
  readonly attentions: readonly Attention[];
  readonly turn: Turn;
  /** A prompt typed while the turn ran: `pending` until the turn ends, then `turn` while its own turn runs (rule 2). */
  readonly queued?: 'pending' | 'turn' | undefined;
  readonly open_tools: readonly OpenTool[];
  /** Subagents that have started and not stopped. */
  readonly agents: readonly string[];
  readonly background: readonly BackgroundWork[];
  /** A compaction outside a turn is under way. */
  readonly compact: boolean;
  /** Moment and arrival of the last state-relevant hook. */
  readonly last_hook_at?: number;
  readonly last_hook_seen_at?: number;
  /** The last state-relevant hook came without the sender's time. */
  readonly unstamped?: boolean | undefined;
  readonly status?: KnownStatus | undefined;
  /** The client has removed its record: the session is shown no more (rule 7). */
  readonly gone?: boolean | undefined;
  /** Moment of the last event that closes requests (rule 5). */
  readonly resolved_at?: number;
  /** Moment of the last turn edge: a typed prompt, a Stop without background work, a StopFailure (rule 7). */
  readonly edge_at?: number;
  /** An alert that a Stop or SessionEnd has closed, or a raw signal set, and nobody has seen (spec: state, section 6). */
  readonly latch?: LampState | undefined;
  /** Raw `stale`: unknown until the next event. */
  readonly raw_stale?: boolean | undefined;
  /** Ids of requests that the user has acknowledged. */
  readonly acked: readonly string[];
  /** When the user has last acknowledged something, and who it was. */
  readonly acked_at?: number;
  readonly acked_by?: string;
  /** Something else than SessionStart has been heard (rule 12). */
  readonly worked: boolean;
  /** Every event so far was written by hand, without a sender's envelope. */
  readonly by_hand: boolean;
  readonly permission_mode?: string;
  readonly entrypoint?: string;
  /** Who answers its permission requests, where that is not the user (rule 8). */
  readonly reviewer?: string | undefined;
  readonly pid?: number;
  readonly ppid?: number;
  /** Its process, while that is known to be alive. */
  readonly process?: KnownProcess | undefined;
  readonly tmux_pane?: string;
  readonly term_program?: string;
  readonly job_id?: string;
  readonly transcript?: string;
}

/** The one record of a session: its facts, and what was derived from them when it last changed. */
export interface Session extends SessionFacts {
  /** First 12 hex digits of SHA-256(host NUL session_id): its topic level. */
  readonly key: string;
  /** The project's name before names that are equal get their parent in front. */
  readonly project_name: string;
  readonly state: AttentionState;
  readonly reason: string;
  readonly lamp: LampState;
  readonly state_since: number;
  /** The same as a moment, and anew when a wait's reason changes: what the history goes by (spans.ts). */
  readonly span_since?: number | undefined;
  readonly last_running_at?: number | undefined;
  /** When the alert for this wait is due; left out when there is none, or it has been given. */
  readonly alert_due?: number | undefined;
  /** How often this wait has alerted: once, and once more after each snooze. */
  readonly alerted?: number | undefined;
  /** This wait alerts nobody: it began, or its alert came due, while it was paused. */
  readonly muted?: boolean | undefined;
  /** The user does not want to hear of this wait before. */
  readonly snoozed_until?: number | undefined;
  /** Its last event was not live: what time alone makes of it alerts nobody (rule 11). */
  readonly replayed?: boolean | undefined;
}

/** An event with its times. */
export interface EventInput {
  readonly event: CanonicalEvent;
  /** The sender's time, never later than the arrival. */
  readonly moment: number;
  readonly arrival: number;
}

/** An event with its times. @param arrival unix ms */
export function eventInput(event: CanonicalEvent, arrival: number): EventInput {
  return { event, moment: Math.min(event.sent_at ?? arrival, arrival), arrival };
}

/** How an event reached the hub. */
export interface Received {
  /** Unix ms. */
  readonly now: number;
  /** False for what was spooled, redelivered or found at the start: it updates state and never alerts as it comes (rule 11). */
  readonly live: boolean;
  /** Stands for the payload's bytes: the same ones for a provider within a second are one event. */
  readonly fingerprint?: string;
}

/** What of the settings the rules look at. */
export interface RuleSettings {
  /** `agents`: shells and monitors don't keep a session running (rule 3). */
  readonly background: 'all' | 'agents';
}

/** A record of a session never heard of before. */
export function newFacts(
  of: { readonly provider: string; readonly session_id?: string; readonly host?: string },
  arrival: number,
  turn: Turn,
): SessionFacts {
  return {
    provider: of.provider,
    // The table takes nothing without one (a raw signal apart, which makes no session then).
    session_id: of.session_id as string,
    host: of.host ?? '',
    updated_at: arrival,
    created_at: arrival,
    attentions: [],
    turn,
    open_tools: [],
    agents: [],
    background: [],
    compact: false,
    acked: [],
    worked: false,
    by_hand: true,
  };
}
