/**
 * The one form of an event inside Signalbox: what an adapter makes of an agent's hook, cut down to an allow-list. Event log, spool, recordings and the wire
 * between hubs hold nothing else (spec: agents, section 1 "Privacy is an allow-list"). No zod here: the sender bundles this file.
 */
export const EVENT_NAMES = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'PermissionRequest',
  'PermissionDenied',
  'Elicitation',
  'ElicitationResult',
  'PreModelSwitch',
  'PostModelSwitch',
  'Notification',
  'Stop',
  'StopFailure',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'SessionEnd',
  'Interrupt',
  /** A raw lamp signal; its name is in `signal`. */
  'Signal',
  /** Known to the agent's adapter and meaningless for state (display, file and task events): logged, changes nothing. */
  'Other',
] as const;
export type EventName = (typeof EVENT_NAMES)[number];

/** Raw lamp signals (spec: state, section 1); what each means is in event-table.ts. */
export const SIGNAL_NAMES = [
  'idle',
  'turn_end',
  'session_start',
  'session_end',
  'thinking',
  'working',
  'tool_done',
  'subagent_start',
  'subagent_stop',
  'done',
  'attention',
  'notification',
  'permission',
  'permission_request',
  'blocked',
  'failure',
  'error',
  'exception',
  'max_tokens',
  'stale',
  'off',
  'pause',
  'paused',
] as const;
export type SignalName = (typeof SIGNAL_NAMES)[number];

/** One piece of background work that a Stop lists; nothing of what it runs. */
export interface BackgroundWork {
  readonly id: string;
  readonly type: string;
  readonly status: string;
}

/** A canonical event. Times are unix milliseconds. Every text is cut, and every word is `[A-Za-z0-9_.-]{1,64}` or `other`. */
export interface CanonicalEvent {
  readonly v: 1;
  readonly event: EventName;
  /** Provider slug. */
  readonly provider: string;
  /** The agent's own session id; left out when the agent gives none (the hub derives one from provider, host and cwd). */
  readonly session_id?: string;
  readonly cwd?: string;
  /** The sender's machine; left out for the hub's own. */
  readonly host?: string;
  /** Unique per sending; the same id twice is one event. */
  readonly id?: string;
  readonly sent_at?: number;
  readonly transcript?: string;
  /** The prompt's (Claude) or turn's (Codex) id. */
  readonly prompt_id?: string;
  readonly agent_id?: string;
  readonly agent_type?: string;
  /** The parent's session id, for child sessions with an id of their own. */
  readonly parent_id?: string;
  /** The tool call's id. */
  readonly call?: string;
  /** The id of a permission or question request, where the agent has one. */
  readonly request?: string;
  readonly tool?: string;
  /** 16 hex digits: keyed digest of the tool's input. Opaque. */
  readonly digest?: string;
  readonly permission_mode?: string;
  readonly entrypoint?: string;
  /** A Notification's type. */
  readonly notification?: string;
  /** A StopFailure's kind. */
  readonly error?: string;
  readonly reason?: string;
  /** A SessionStart's source. */
  readonly source?: string;
  readonly trigger?: string;
  readonly signal?: SignalName;
  /** An `Other`'s name, and the agent's own name where it is not the canonical one. */
  readonly native?: string;
  /** How an elicitation or a question was answered, one word. */
  readonly outcome?: string;
  readonly background?: readonly BackgroundWork[];
  /** How many scheduled wake-ups a Stop lists. */
  readonly crons?: number;
  /** How many calls a PostToolBatch closes. */
  readonly calls?: number;
  /** The prompt is the client's own (a background task's report), not typed by the user. */
  readonly own_prompt?: boolean;
  /** The last message asks the user something (spec: state, section 7). */
  readonly question?: boolean;
  /** The last message is a failure although the agent calls it an answer. */
  readonly failed?: boolean;
  /** A Stop whose turn has completed a plan: it waits for approval. */
  readonly plan?: boolean;
  /** Sent by a subagent's `notify`, a title generator or the like: told by Codex' notify. */
  readonly notify?: boolean;
  /** Who answers the thread's permission requests from now on: told by Codex' rollout. */
  readonly reviewer?: string;
  readonly ppid?: number;
  readonly pid?: number;
  readonly tty?: string;
  readonly tmux_pane?: string;
  readonly term_program?: string;
  readonly job_id?: string;
  readonly child_session?: boolean;
  readonly ssh?: boolean;
  /** Present when the event came in a sender's envelope; without it, it was written by hand. */
  readonly enveloped?: boolean;
  /** Only with `privacy.titles`; at most 80 characters. */
  readonly title?: string;
}

const EVENT_SET: ReadonlySet<string> = new Set(EVENT_NAMES);
const SIGNAL_SET: ReadonlySet<string> = new Set(SIGNAL_NAMES);

export function isEventName(value: unknown): value is EventName {
  return typeof value === 'string' && EVENT_SET.has(value);
}

export function isSignalName(value: unknown): value is SignalName {
  return typeof value === 'string' && SIGNAL_SET.has(value);
}

/** Keyed and plain digests, handed in: protocol code does no cryptography of its own. Results are hex text. */
export interface Hasher {
  readonly hmac: (text: string) => string;
  readonly sha256: (text: string) => string;
}
