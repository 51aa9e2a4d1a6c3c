import { calls } from './alerts.ts';
import type { Session } from './session.ts';
import type { AttentionState } from './states.ts';

/** A session was in one state for a while: what the history is made of, written when it is over. Times are unix ms. */
export interface Span {
  readonly provider: string;
  readonly key: string;
  /** The project's name as it was shown. */
  readonly project: string;
  readonly state: AttentionState;
  readonly reason: string;
  /** The user had opened it (a dialog outside a turn): nobody waited. */
  readonly by_user: boolean;
  readonly started_at: number;
  readonly ended_at: number;
  /** `expiry`, `ack`, why the session was removed, or the reason of the state that followed. */
  readonly ended_by: string;
}

/** When what the session is began, as far as is known: a record of an earlier version tells only when the hub heard of it. */
export function spanSince({ span_since, state_since }: Pick<Session, 'span_since' | 'state_since'>): number {
  return span_since ?? state_since;
}

/**
 * Where a span ends and the next one begins: a change of state or, in a wait, of what is waited for. Both lie at the moment at which it happened, also where the hub heard of it later
 * (spooled, put in its place among others), but not before the span began.
 * @param happened unix ms; @returns when what the session is now began
 */
export function spanBegins(
  next: Pick<Session, 'state' | 'reason'>,
  before: Session | undefined,
  happened: number,
): number {
  if (before === undefined) return happened;
  return isSameSpan(next, before) ? spanSince(before) : Math.max(happened, spanSince(before));
}

/** Are the two of one span? */
export function isSameSpan(next: Pick<Session, 'state' | 'reason'>, before: Session): boolean {
  return next.state === before.state && (next.state !== 'needs_user' || next.reason === before.reason);
}

/** The span that a session is in, up to a time. @param until unix ms; its own beginning where that is later: a clock was set back */
export function openSpan(session: Session, project: string, until: number, ended_by: string): Span {
  const { provider, key, state, reason } = session;
  const started_at = spanSince(session);
  return {
    provider,
    key,
    project,
    state,
    reason,
    by_user: state === 'needs_user' && !calls(session),
    started_at,
    ended_at: Math.max(started_at, until),
    ended_by,
  };
}
