import { KIND_REASONS } from './event-table.ts';
import { EXPIRES_INTO, OPEN_TOOL_HOLD, type Timeouts } from './expiry.ts';
import { baseLamp, requestLamp, strongerLamp } from './lamp.ts';
import type { Attention, SessionFacts, TurnEnd } from './session.ts';
import type { AttentionState, LampState } from './states.ts';
import { holdsTimers } from './status.ts';

/** What a session is at a moment, and when that changes by time alone. */
export interface Derived {
  readonly state: AttentionState;
  readonly reason: string;
  readonly lamp: LampState;
  /** Its time is over: the record goes. `state` is then what it is removed from. */
  readonly removed: boolean;
  /** Unix ms of the next change that only time makes; infinite when there is none. */
  readonly deadline: number;
}

/** The state that a turn's end leaves a session in. */
const END_STATES: Readonly<Record<TurnEnd, AttentionState>> = {
  fresh: 'running',
  done: 'done',
  scheduled: 'idle',
  failed: 'error',
  interrupted: 'idle',
  idle: 'idle',
};

/** Does this request count at that time? Not before it is raised (rule 8), not after the user has acknowledged it. */
export function isRaised(open: Attention, facts: SessionFacts, now: number): boolean {
  return (open.raise_at ?? 0) <= now && !facts.acked.includes(open.id);
}

/** Derives a session's state, reason, lamp and next deadline: never assigned by an event (spec: state, sections 1, 5 and 6). */
export function derive(facts: SessionFacts, now: number, timeouts: Timeouts): Derived {
  const open = facts.attentions.filter((attention) => isRaised(attention, facts, now));
  const live = liveState(facts, open);
  const expiry = expire(facts, live, now, timeouts);
  const completedUntil = (facts.turn.end_seen_at ?? 0) + timeouts.completed;
  const base = baseLamp(facts, { ...expiry, open }, now < completedUntil);
  const lamp = facts.latch === undefined ? base : strongerLamp(base, facts.latch);
  const contested = facts.status?.contested_until ?? 0;
  const raises = facts.attentions.map((attention) => attention.raise_at ?? 0).filter((at) => at > now);
  const deadline = Math.min(
    expiry.ends,
    ...raises,
    ...(base === 'completed' ? [completedUntil] : []),
    ...(contested > now ? [contested] : []),
  );
  return { state: expiry.state, reason: expiry.reason, lamp, removed: expiry.removed, deadline };
}

/** The lamp of the moment, by events alone: no time has passed and no latch counts. */
export function liveLamp(facts: SessionFacts, now: number): LampState {
  const open = facts.attentions.filter((attention) => isRaised(attention, facts, now));
  return baseLamp(facts, { ...liveState(facts, open), open }, true);
}

type Live = Pick<Derived, 'state' | 'reason'>;

/** First that holds. */
function liveState(facts: SessionFacts, open: readonly Attention[]): Live {
  if (facts.raw_stale === true) return { state: 'unknown', reason: 'stale' };
  const asks = leading(open);
  if (asks !== undefined) return { state: 'needs_user', reason: requestReason(asks) };
  if (facts.turn.running) return { state: 'running', reason: facts.turn.reason };
  if (facts.compact) return { state: 'running', reason: 'compact' };
  if (facts.queued === 'turn') return { state: 'running', reason: 'queued_prompt' };
  if (facts.turn.end === 'failed') return { state: 'error', reason: facts.turn.reason };
  if (facts.background.length > 0) return { state: 'running', reason: 'background_task' };
  return { state: END_STATES[facts.turn.end], reason: facts.turn.reason };
}

/** The request that speaks for the session: one that needs a decision before one that needs a look, then the newest. */
export function leading(open: readonly Attention[]): Attention | undefined {
  const lamp = requestLamp(open);
  return open.filter((attention) => requestLamp([attention]) === lamp).at(-1);
}

function requestReason(attention: Attention): string {
  return attention.error ?? KIND_REASONS[attention.kind];
}

/** The live state with its time: `unknown` is what nothing supports any more (rule 9). */
function expire(
  facts: SessionFacts,
  live: Live,
  now: number,
  timeouts: Timeouts,
): Live & { removed: boolean; ends: number } {
  const limit =
    live.state === 'idle' && live.reason === 'scheduled' ? timeouts.scheduled : timeouts[live.state];
  if (holdsTimers(facts)) return { ...live, removed: false, ends: Number.POSITIVE_INFINITY };
  const ends = Math.max(facts.updated_at + limit, live.state === 'running' ? heldUntil(facts) : 0);
  if (now < ends) return { ...live, removed: false, ends };
  // Nobody ever worked in a session whose only event is its start (rule 12).
  if (EXPIRES_INTO[live.state] === 'removed' || !facts.worked) return { ...live, removed: true, ends };
  const gone = ends + timeouts.unknown;
  return { state: 'unknown', reason: 'stale', removed: now >= gone, ends: gone };
}

/** A long tool is not stale (rule 10). */
function heldUntil(facts: SessionFacts): number {
  return facts.open_tools.reduce((latest, open) => Math.max(latest, open.at + OPEN_TOOL_HOLD), 0);
}
