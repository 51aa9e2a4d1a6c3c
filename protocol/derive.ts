import { KIND_REASONS } from './event-table.ts';
import { EXPIRES_INTO, type Expiry, OPEN_TOOL_HOLD, type Timeouts } from './expiry.ts';
import { baseLamp, type LampRule, requestLamp, strongerLamp } from './lamp.ts';
import type { Attention, SessionFacts, TurnEnd } from './session.ts';
import type { AttentionState, LampState } from './states.ts';
import { holdsTimers } from './status.ts';

/** The row of the derivation that decided the state: the first that holds (spec: state, section 1), or its time was over. */
export type StateRule =
  | 'raw_signal'
  | 'open_request'
  | 'turn_runs'
  | 'compaction'
  | 'queued_prompt'
  | 'failed_end'
  | 'background_work'
  | 'turn_end'
  | 'expired';

/** What time alone will do. */
export interface Ahead {
  readonly what: 'unknown' | 'removed' | 'raised' | 'lamp_ready' | 'status_settles';
  /** Unix ms. */
  readonly at: number;
}

/** What keeps a session's time from running (rule 10); `live_tool`: an open tool whose process is known to be alive. */
export type TimerHold = 'status' | 'open_tool' | 'live_tool';

/** What a session is at a moment, and when that changes by time alone. */
export interface Derived {
  /** What decided the state, and what the lamp. */
  readonly rule: StateRule;
  readonly lamp_rule: LampRule | 'latch';
  readonly state: AttentionState;
  readonly reason: string;
  readonly lamp: LampState;
  /** Its time is over: the record goes. `state` is then what it is removed from. */
  readonly removed: boolean;
  /** When the time of what it was before was over, unix ms: of what has turned into `unknown` by time alone. */
  readonly over_at: number | undefined;
  readonly held: TimerHold | undefined;
  readonly ahead: readonly Ahead[];
  /** Unix ms of the first of them; infinite when there is none. */
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
  const lamp = facts.latch === undefined ? base.lamp : strongerLamp(base.lamp, facts.latch);
  const ahead: Ahead[] = Number.isFinite(expiry.ends) ? [{ what: expiry.into, at: expiry.ends }] : [];
  for (const { raise_at: at = 0 } of facts.attentions) if (at > now) ahead.push({ what: 'raised', at });
  if (base.lamp === 'completed') ahead.push({ what: 'lamp_ready', at: completedUntil });
  const contested = facts.status?.contested_until ?? 0;
  if (contested > now) ahead.push({ what: 'status_settles', at: contested });
  return {
    rule: expiry.rule,
    lamp_rule: lamp === base.lamp ? base.rule : 'latch',
    state: expiry.state,
    reason: expiry.reason,
    lamp,
    removed: expiry.removed,
    over_at: expiry.over_at,
    held: expiry.held,
    ahead,
    deadline: ahead.reduce((first, { at }) => Math.min(first, at), Number.POSITIVE_INFINITY),
  };
}

/** The lamp of the moment, by events alone: no time has passed and no latch counts. */
export function liveLamp(facts: SessionFacts, now: number): LampState {
  const open = facts.attentions.filter((attention) => isRaised(attention, facts, now));
  return baseLamp(facts, { ...liveState(facts, open), open }, true).lamp;
}

type Live = Pick<Derived, 'rule' | 'state' | 'reason'>;

/** First that holds. */
function liveState(facts: SessionFacts, open: readonly Attention[]): Live {
  if (facts.raw_stale === true) return { rule: 'raw_signal', state: 'unknown', reason: 'stale' };
  const asks = leading(open);
  if (asks !== undefined) return { rule: 'open_request', state: 'needs_user', reason: requestReason(asks) };
  if (facts.turn.running) return { rule: 'turn_runs', state: 'running', reason: facts.turn.reason };
  if (facts.compact) return { rule: 'compaction', state: 'running', reason: 'compact' };
  if (facts.queued === 'turn') return { rule: 'queued_prompt', state: 'running', reason: 'queued_prompt' };
  if (facts.turn.end === 'failed') return { rule: 'failed_end', state: 'error', reason: facts.turn.reason };
  if (facts.background.length > 0)
    return { rule: 'background_work', state: 'running', reason: 'background_task' };
  return { rule: 'turn_end', state: END_STATES[facts.turn.end], reason: facts.turn.reason };
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
): Live & {
  removed: boolean;
  over_at?: number;
  ends: number;
  into: Expiry;
  held: TimerHold | undefined;
} {
  const limit =
    live.state === 'idle' && live.reason === 'scheduled' ? timeouts.scheduled : timeouts[live.state];
  // Nobody ever worked in a session whose only event is its start (rule 12).
  const into = facts.worked ? EXPIRES_INTO[live.state] : 'removed';
  if (holdsTimers(facts))
    return { ...live, removed: false, ends: Number.POSITIVE_INFINITY, into, held: 'status' };
  const own = facts.updated_at + limit;
  const ends = Math.max(own, live.state === 'running' ? heldUntil(facts) : 0);
  const held = ends > own ? (Number.isFinite(ends) ? 'open_tool' : 'live_tool') : undefined;
  if (now < ends) return { ...live, removed: false, ends, into, held };
  if (into === 'removed') return { ...live, removed: true, ends, into, held: undefined };
  const gone = ends + timeouts.unknown;
  return {
    rule: 'expired',
    state: 'unknown',
    reason: 'stale',
    removed: now >= gone,
    over_at: ends,
    ends: gone,
    into: 'removed',
    held: undefined,
  };
}

/** A long tool is not stale: not while its process is known to be alive, and not for long where that can't be told (rule 10). */
function heldUntil(facts: SessionFacts): number {
  if (facts.process !== undefined && facts.open_tools.length > 0) return Number.POSITIVE_INFINITY;
  return facts.open_tools.reduce((latest, open) => Math.max(latest, open.at + OPEN_TOOL_HOLD), 0);
}
