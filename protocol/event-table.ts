import type { CanonicalEvent, EventName, SignalName } from './events.ts';
import type { AttentionKind, LampState } from './states.ts';

/** Which open requests an event closes (spec: state, section 4 rule 1). */
export type Closes =
  /** The request of the same agent, tool and input; requests opened without a tool; with neither tool nor agent: all. */
  | 'same_key'
  /** All, but only where the event names neither tool nor agent; an agent's own PreToolUse closes nothing, but Qwen's the request of its key. */
  | 'by_hand'
  /** All of its agent, but `account` and `possible_question`. */
  | 'batch'
  /** The main agent's. */
  | 'main'
  /** Its agent's. */
  | 'agent'
  | 'elicitations'
  | 'dialogs'
  | 'all'
  | 'nothing';

/** What a canonical event means. Which of it applies is the reducer's matter (turn.ts, attentions.ts). */
export interface EventRow {
  readonly closes: Closes;
  /** The request it opens. */
  readonly opens?: AttentionKind;
  /** What becomes of the main agent's turn: it may start one, ends it, or leaves it. */
  readonly turn?: 'starts' | 'done' | 'failed' | 'interrupted' | 'ended' | 'fresh';
  /** Reason of the state `running` that the event supports, or of the state that it ends in; empty for none of its own. */
  readonly reason: string;
  /** Touches `updated_at`: notifications, display, file and unknown events don't (rule 10). */
  readonly refreshes: boolean;
  /** State-relevant in the sense of rule 7: a status newer than it wins at once. */
  readonly relevant: boolean;
  /** Makes a record for a session never heard of before. */
  readonly creates: boolean;
}

const row = (closes: Closes, more: Partial<Omit<EventRow, 'closes'>> = {}): EventRow => ({
  closes,
  reason: '',
  refreshes: true,
  relevant: true,
  creates: true,
  ...more,
});

/** The event table (spec: state, section 1), and what each event closes (section 4, rule 1). */
export const EVENT_TABLE: Readonly<Record<Exclude<EventName, 'Signal'>, EventRow>> = {
  SessionStart: row('all', { turn: 'fresh', reason: 'session_start', relevant: false }),
  UserPromptSubmit: row('main', { turn: 'starts', reason: 'user_prompt' }),
  PreToolUse: row('by_hand', { turn: 'starts', reason: 'tool_use' }),
  PostToolUse: row('same_key', { reason: 'tool_use' }),
  PostToolUseFailure: row('same_key', { reason: 'tool_use' }),
  PostToolBatch: row('batch', { reason: 'tool_use' }),
  PermissionRequest: row('nothing', { opens: 'permission', turn: 'starts' }),
  PermissionDenied: row('same_key', { reason: 'permission_denied' }),
  Elicitation: row('nothing', { opens: 'elicitation' }),
  ElicitationResult: row('elicitations', { reason: 'elicitation_result' }),
  PreModelSwitch: row('nothing', { opens: 'dialog' }),
  PostModelSwitch: row('dialogs', { creates: false }),
  Notification: row('nothing', { refreshes: false, relevant: false }),
  Stop: row('main', { turn: 'done', reason: 'stop' }),
  StopFailure: row('main', { turn: 'failed' }),
  SubagentStart: row('nothing'),
  SubagentStop: row('agent', { creates: false }),
  PreCompact: row('nothing', { reason: 'compact' }),
  PostCompact: row('nothing', { creates: false }),
  SessionEnd: row('all', { turn: 'ended', reason: 'session_end' }),
  Interrupt: row('all', { turn: 'interrupted', reason: 'interrupted' }),
  Other: row('nothing', { refreshes: false, relevant: false, creates: false }),
};

/** A session first seen by one of these is not in a turn; by anything else it is taken to be in one (rule 2). `idle_prompt` belongs to them too. */
export const FIRST_SEEN_OUTSIDE_TURN: ReadonlySet<EventName> = new Set<EventName>([
  'SessionStart',
  'SessionEnd',
  'Stop',
  'StopFailure',
  'Interrupt',
]);

/** What a SessionStart leaves the session in; `unchanged`: as it was. */
export type StartState = 'running' | 'idle' | 'unchanged';

/** By the SessionStart's source (measured: nothing runs after clear, resume and fork). */
const START_STATES: ReadonlyMap<string, StartState> = new Map<string, StartState>([
  ['startup', 'running'],
  ['clear', 'idle'],
  ['resume', 'idle'],
  ['fork', 'idle'],
  ['compact', 'unchanged'],
]);

/** What this SessionStart leaves its session in; a source that is absent or not known is a start-up's. */
export function startState(event: CanonicalEvent): StartState {
  return START_STATES.get(event.source ?? 'startup') ?? 'running';
}

/** Its PermissionRequest comes before the call's PreToolUse, which so tells that what was asked has been answered (rule 1). */
export const ASKS_FIRST = 'qwen';

/** Tools by which an agent asks the user (their PermissionRequest is the same request). */
export const ASKING_TOOLS: ReadonlyMap<string, AttentionKind> = new Map<string, AttentionKind>([
  ['AskUserQuestion', 'question'],
  ['request_user_input', 'question'],
  ['ask_user', 'question'],
  ['ask_user_question', 'question'],
  ['ExitPlanMode', 'plan_approval'],
  ['exit_plan_mode', 'plan_approval'],
]);

/** Kinds of a StopFailure that only the user can mend. */
export const ACCOUNT_ERRORS: ReadonlySet<string> = new Set([
  'authentication_failed',
  'oauth_org_not_allowed',
  'billing_error',
]);

/** The reason that a session in `needs_user` shows, by the kind of its request; `account` shows the error's kind where it has one. */
export const KIND_REASONS: Readonly<Record<AttentionKind, string>> = {
  account: 'account',
  permission: 'permission_request',
  plan_approval: 'plan_approval',
  question: 'question',
  elicitation: 'elicitation',
  notification: 'notification',
  possible_question: 'possible_question',
  dialog: 'dialog',
};

/** What a client's status waits for, by its own words. Anything else is a permission of some kind. */
export const WAITING_KINDS: ReadonlyMap<string, AttentionKind> = new Map([
  ['permission prompt', 'permission'],
  ['input needed', 'question'],
  ['dialog open', 'dialog'],
]);

/** Reason of a turn that only a status tells of. */
export const STATUS_REASON = 'status';

/** What a typed Notification does (rule 5). A type that isn't here changes nothing. */
export type NotificationRule =
  | 'confirms'
  | 'confirms_elicitation'
  | 'closes_elicitations'
  | 'idle'
  | 'login'
  | 'may_need_input';

export const NOTIFICATION_TYPES: ReadonlyMap<string, NotificationRule> = new Map<string, NotificationRule>([
  ['permission_prompt', 'confirms'],
  ['worker_permission_prompt', 'confirms'],
  ['elicitation_dialog', 'confirms_elicitation'],
  ['elicitation_url_dialog', 'confirms_elicitation'],
  ['elicitation_complete', 'closes_elicitations'],
  ['elicitation_response', 'closes_elicitations'],
  ['idle_prompt', 'idle'],
  ['auth_success', 'login'],
  ['agent_needs_input', 'may_need_input'],
]);

/** A raw lamp signal: what it shows, and the event it is the same as (`stale` and `paused`: none). */
interface SignalRow {
  readonly shows: LampState;
  readonly as?: EventName;
}

/** Raw lamp signals (spec: state, section 1). */
export const SIGNAL_TABLE: Readonly<Record<SignalName, SignalRow>> = {
  idle: { shows: 'ready', as: 'Interrupt' },
  turn_end: { shows: 'ready', as: 'Interrupt' },
  session_start: { shows: 'ready', as: 'SessionStart' },
  session_end: { shows: 'ready', as: 'SessionEnd' },
  thinking: { shows: 'active', as: 'UserPromptSubmit' },
  working: { shows: 'active', as: 'PreToolUse' },
  tool_done: { shows: 'active', as: 'PreToolUse' },
  subagent_start: { shows: 'active', as: 'PreToolUse' },
  subagent_stop: { shows: 'active', as: 'PreToolUse' },
  done: { shows: 'completed', as: 'Stop' },
  attention: { shows: 'needs_review', as: 'Notification' },
  notification: { shows: 'needs_review', as: 'Notification' },
  permission: { shows: 'permission', as: 'PermissionRequest' },
  permission_request: { shows: 'permission', as: 'PermissionRequest' },
  blocked: { shows: 'blocked', as: 'StopFailure' },
  failure: { shows: 'blocked', as: 'StopFailure' },
  error: { shows: 'blocked', as: 'StopFailure' },
  exception: { shows: 'blocked', as: 'StopFailure' },
  max_tokens: { shows: 'blocked', as: 'StopFailure' },
  stale: { shows: 'stale' },
  off: { shows: 'paused' },
  pause: { shows: 'paused' },
  paused: { shows: 'paused' },
};

/** A raw signal that shows `paused`. */
export function pauses(event: CanonicalEvent): boolean {
  return event.signal !== undefined && SIGNAL_TABLE[event.signal].shows === 'paused';
}

/** A SessionStart that isn't a compaction's; a raw `session_start` is one too. */
export function startsAnew(event: CanonicalEvent): boolean {
  if (event.signal !== undefined) return SIGNAL_TABLE[event.signal].as === 'SessionStart';
  return event.event === 'SessionStart' && event.agent_id === undefined && startState(event) !== 'unchanged';
}
