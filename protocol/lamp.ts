import type { Attention, SessionFacts } from './session.ts';
import { type AttentionKind, type AttentionState, LAMP_STATES, type LampState } from './states.ts';

const RANK: Readonly<Record<LampState, number>> = Object.fromEntries(
  LAMP_STATES.map((state, index) => [state, index]),
) as Record<LampState, number>;

/** Negative when `a` is the stronger lamp. */
export function compareLamps(a: LampState, b: LampState): number {
  return RANK[a] - RANK[b];
}

/** The stronger of two lamps. */
export function strongerLamp(a: LampState, b: LampState | undefined): LampState {
  return b !== undefined && compareLamps(b, a) < 0 ? b : a;
}

/** Requests that ask for a look, not for a decision. */
const REVIEW: ReadonlySet<AttentionKind> = new Set<AttentionKind>([
  'notification',
  'possible_question',
  'dialog',
]);

/** The lamp of some open requests: `permission` if one needs a decision, else `needs_review`; `undefined` when there is none. */
export function requestLamp(open: readonly Attention[]): LampState | undefined {
  if (open.length === 0) return undefined;
  return open.every((attention) => REVIEW.has(attention.kind)) ? 'needs_review' : 'permission';
}

/** The row that decided a session's lamp before the latch: the first that holds. */
export type LampRule =
  | 'open_request'
  | 'failed_end'
  | 'unknown'
  | 'fresh'
  | 'running'
  | 'completed'
  | 'at_rest';

/** A session's lamp before the latch (spec: state, section 6), and what decided it. */
export function baseLamp(
  facts: SessionFacts,
  derived: { readonly state: AttentionState; readonly reason: string; readonly open: readonly Attention[] },
  completed: boolean,
): { readonly lamp: LampState; readonly rule: LampRule } {
  const request = requestLamp(derived.open);
  if (request !== undefined) return { lamp: request, rule: 'open_request' };
  if (!facts.turn.running && facts.turn.end === 'failed') return { lamp: 'blocked', rule: 'failed_end' };
  switch (derived.state) {
    case 'unknown':
      return { lamp: 'stale', rule: 'unknown' };
    case 'running':
      return derived.reason === 'session_start'
        ? { lamp: 'ready', rule: 'fresh' }
        : { lamp: 'active', rule: 'running' };
    case 'done':
      return completed ? { lamp: 'completed', rule: 'completed' } : { lamp: 'ready', rule: 'at_rest' };
    default:
      return { lamp: 'ready', rule: 'at_rest' };
  }
}

/** Latched by a raw signal until the next event but Stop and SessionEnd; the others until something as strong as `active` happens. */
const RAW_LATCHES: ReadonlySet<LampState> = new Set<LampState>(['paused', 'stale']);

/** Does this lamp, shown after an event that is neither Stop nor SessionEnd, end a latch? */
export function endsLatch(latch: LampState, shown: LampState): boolean {
  return RAW_LATCHES.has(latch) || compareLamps(shown, 'active') <= 0;
}
