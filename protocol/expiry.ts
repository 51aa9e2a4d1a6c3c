import type { AttentionState } from './states.ts';

/** How long things last, in milliseconds (spec: state, section 5). 0 means at once. */
export interface Timeouts {
  readonly needs_user: number;
  readonly error: number;
  readonly done: number;
  readonly running: number;
  readonly unknown: number;
  readonly idle: number;
  /** `idle` with reason `scheduled`. */
  readonly scheduled: number;
  /** The lamp `completed` after a turn's end. */
  readonly completed: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export const DEFAULT_TIMEOUTS: Timeouts = {
  needs_user: 60 * MINUTE,
  error: 30 * MINUTE,
  done: 5 * MINUTE,
  running: 10 * MINUTE,
  unknown: 20 * MINUTE,
  idle: 5 * MINUTE,
  scheduled: 24 * HOUR,
  completed: 30 * SECOND,
};

/** What a state turns into when its time is over. */
export type Expiry = 'unknown' | 'removed';

export const EXPIRES_INTO: Readonly<Record<AttentionState, Expiry>> = {
  needs_user: 'removed',
  error: 'removed',
  done: 'removed',
  running: 'unknown',
  unknown: 'removed',
  idle: 'removed',
};

/** A session removed by expiry from one of these leaves its provider's fallback lamp `stale`: nobody answered, and green would be a guess. */
export const LEAVES_STALE: ReadonlySet<AttentionState> = new Set<AttentionState>([
  'needs_user',
  'error',
  'unknown',
]);

/** A session must stay in `needs_user` this long before `alert` grows: 0 lets false flashes through, 1.5 s misses short waits. */
export const ALERT_SETTLE = 500;
/** A request in a session without a person is raised only if it is still open after this: a bare `-p` answers itself after 40 to 100 ms (rule 8). */
export const HEADLESS_HOLD = 300;
/** A request that Codex has reviewed by a model of its own is raised only if it is still open after this (rule 8). */
export const REVIEW_HOLD = 5 * SECOND;
/** An open tool holds `running` at most this long where nobody can tell whether its process lives (rule 10). */
export const OPEN_TOOL_HOLD = 2 * HOUR;
/** A confirming notification opens nothing this soon after a resolver or a turn's end (rule 5). */
export const CONFIRM_QUIET = 300;
/** A PreToolUse of the ended turn this soon after its end came late; later, a hook has blocked the Stop (rule 2). */
export const LATE_TOOL = 500;
/** The client writes a turn's status up to this long before its typed prompt's hook (rule 7). */
export const PROMPT_LEAD = 500;
/** And up to this long before the hook of its end. */
export const END_LEAD = 50;
/** A status that is older than a hook counts only this long after it (rule 7). */
export const STATUS_SETTLE = 700;
/** A snooze of which nobody has said how long it lasts (section 6). */
export const SNOOZE = 10 * MINUTE;
/** A client that is idle after background work has finished that work only if it still is so this much later: it may be about to take up what the work brought. */
export const WORK_OVER_SETTLE = 300;
/** A late event is put in its place among those of this time, and they are folded again (rule 6). */
export const REFOLD_WINDOW = 30 * SECOND;
/** After what was spooled or redelivered is in, a wait that still stands alerts this much later (rule 11). */
export const REPLAY_SETTLE = 2 * SECOND;
/** An older wait among it alerts nobody, unless a status confirms it. */
export const REPLAY_FRESH = 10 * MINUTE;
/** A watcher of a second source reads a change this much later: what a replay reckons with. */
export const SOURCE_READ_AFTER = 50;
/** What a client has removed is remembered this long: its late hooks don't bring it back (rule 7). So is the status of a session that no hook has told of yet. */
export const GONE_MEMORY = 10 * MINUTE;
/** Codex' notify is believed on its own only when no hook of Codex has been heard for this long (rule 13). */
export const HOOKS_WORK = 24 * HOUR;
/** The same event from two installations arrives within this time and is one event (section 2). */
export const DUPLICATE_WINDOW = SECOND;
/** What is told late counts in the history from its own moment on, but not from further back: a sender's clock may be of any time. */
export const HISTORY_REACH = 24 * HOUR;
