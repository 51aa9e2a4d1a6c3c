import { cutDown, type EventDraft } from '../event-fields.ts';
import type { CanonicalEvent } from '../events.ts';

/** What a line of a Codex rollout tells that no hook does, as an event of the thread; its moment is the line's own time stamp. */
export type RolloutEvent = CanonicalEvent & { readonly sent_at: number };

/** What has to be remembered between the lines of one rollout. */
export interface RolloutState {
  /** The turn that began last. */
  readonly turn?: string;
  /** The turn in which a plan was completed: its end asks for approval. */
  readonly planned?: string;
  /** The turn that began in plan mode. */
  readonly planning?: string;
}

/**
 * Reads one line of a rollout (`CODEX_HOME/sessions`, seen with Codex 0.171): `turn_aborted`, `task_complete` with or without an error, a completed plan, who reviews
 * requests. A line that tells nothing, or is no whole line yet, gives no event. The review of a request is a thread of its own: its event names the turn of the request.
 */
export function readRolloutLine(
  line: string,
  thread: string,
  state: RolloutState,
): { event?: RolloutEvent; state: RolloutState } {
  const entry = parsed(line);
  const payload = isRecord(entry?.['payload']) ? entry['payload'] : undefined;
  const timestamp = entry?.['timestamp'];
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  if (payload === undefined || !(at >= 0)) return { state };
  const turn = payload['turn_id'];
  if (entry?.['type'] === 'turn_context') {
    const reviewer = payload['approvals_reviewer'];
    return reviewer === undefined
      ? { state }
      : { event: told({ event: 'Other', reviewer }, thread, turn, at), state };
  }
  if (entry?.['type'] !== 'event_msg') return { state };
  switch (payload['type']) {
    case 'task_started':
      return started(payload, thread, at);
    case 'item_completed': {
      const item = payload['item'];
      return isRecord(item) && item['type'] === 'Plan' && typeof turn === 'string'
        ? { state: { ...state, planned: turn } }
        : { state };
    }
    case 'turn_aborted':
      return { event: told({ event: 'Interrupt', reason: payload['reason'] }, thread, turn, at), state: {} };
    case 'task_complete': {
      const error = errorKind(payload['error']);
      if (error !== undefined)
        return { event: told({ event: 'StopFailure', error }, thread, turn, at), state: {} };
      return {
        event: told({ event: 'Stop', ...(endsWithPlan(state, payload) && { plan: true }) }, thread, turn, at),
        state: {},
      };
    }
    default:
      return { state };
  }
}

/** How Codex calls the turn in which a model of its own reviews a request. */
const REVIEW = 'guardian_review';

function started(
  payload: Record<string, unknown>,
  thread: string,
  at: number,
): { event?: RolloutEvent; state: RolloutState } {
  const { turn_id: turn, turn_attribution: by } = payload;
  const state = typeof turn === 'string' ? { turn } : {};
  if (isRecord(by) && by['turn_trigger'] === REVIEW)
    return { event: told({ event: 'Other', reviewer: REVIEW }, thread, by['parent_turn_id'], at), state };
  const plans = payload['collaboration_mode_kind'] === 'plan' && typeof turn === 'string';
  return { state: plans ? { ...state, planning: turn } : state };
}

/** Codex takes the plan out of the message: a turn in plan mode that ends without one has ended with its plan. */
function endsWithPlan(
  { planned, planning }: RolloutState,
  { turn_id: turn, last_agent_message: message }: Record<string, unknown>,
): boolean {
  return turn !== undefined && (planned === turn || (planning === turn && message === null));
}

/** The thread of a rollout, by its file's name: `rollout-<time>-<uuid>.jsonl`. */
export function threadOf(fileName: string): string | undefined {
  return /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/.exec(fileName)?.[1];
}

function told(draft: Omit<EventDraft, 'provider'>, thread: string, turn: unknown, at: number): RolloutEvent {
  const event = cutDown({
    ...draft,
    provider: 'codex',
    session_id: thread,
    prompt_id: turn,
    sent_at: at,
    notify: true,
    enveloped: true,
  });
  return { ...event, sent_at: at };
}

/** `codex_error_info` is a word, or an object whose only key is one. */
function errorKind(error: unknown): string | undefined {
  if (error === undefined || error === null) return undefined;
  const info = isRecord(error) ? error['codex_error_info'] : undefined;
  if (typeof info === 'string') return info;
  return isRecord(info) ? (Object.keys(info)[0] ?? 'unknown') : 'unknown';
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
