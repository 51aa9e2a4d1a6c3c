import { seconds } from './aggregate.ts';
import { derive, type Derived, isRaised, leading } from './derive.ts';
import { LEAVES_STALE, type Timeouts } from './expiry.ts';
import { closersOf } from './explain-closers.ts';
import { evidenceOf, isStatusFact, type LoggedEvent } from './explain-evidence.ts';
import { aheadWords, holdWords, lampWords, pauseWords, ruleWords } from './explain-words.ts';
import type {
  ExplainedAhead,
  ExplainedEvent,
  ExplainedEvidence,
  ExplainedRequest,
  Explanation,
} from './messages/explain.ts';
import { EVERYTHING, type Pause } from './pauses.ts';
import { isSessionId } from './session-key.ts';
import type { Attention, Evidence, RuleSettings, Session } from './session.ts';

/** What is known beside the record. */
export interface ExplainContext {
  /** Its project's name as it is to be shown. */
  readonly project: string;
  readonly timeouts: Timeouts;
  readonly rules: RuleSettings;
  /** The latest entries of its log, in the order of moments. */
  readonly log: readonly LoggedEvent[];
  /** What of its provider was refused; times in unix ms. */
  readonly refused: readonly { readonly code: string; readonly count: number; readonly last_at: number }[];
  /** What has paused it: the widest. */
  readonly pause?: Pause;
  /** The requests that this hub answers: only what it can do is said to help. */
  readonly commands: readonly string[];
}

/** Most open requests, events and pieces of background work that are told of: the message has to stay small. */
const MOST_OPEN = 12;
const MOST_EVENTS = 10;
const MOST_WORK = 12;

/**
 * Why a session is what it is (spec: state, section 4 rule 7: every piece of evidence carries its origin and age). Pure; state, reason, lamp and what comes next are `derive`'s own.
 * @param now unix ms
 */
export function explain(session: Session, context: ExplainContext, now: number): Explanation {
  const derived = derive(session, now, context.timeouts);
  const { rule, state, reason, lamp, lamp_rule } = derived;
  const asks =
    rule === 'open_request'
      ? leading(session.attentions.filter((open) => isRaised(open, session, now)))
      : undefined;
  const decided = isStatusFact(rule, session, asks) ? 'status_newer' : rule;
  const shown = session.attentions.slice(-MOST_OPEN);
  const since = session.state === state ? session.state_since : now;
  return {
    v: 1,
    key: session.key,
    provider: session.provider,
    session_id: session.session_id,
    host: session.host,
    project: context.project,
    state,
    reason,
    lamp: context.pause === undefined ? lamp : 'paused',
    since: seconds(since),
    since_s: age(since, now),
    decided_by: {
      rule: decided,
      words: ruleWords(decided, session),
      evidence: told(evidenceOf(rule, session, asks, context.log), now),
    },
    lamp_by: {
      ...(context.pause === undefined
        ? { rule: lamp_rule, words: lampWords(lamp_rule, lamp) }
        : { rule: 'pause', words: pauseWords(context.pause) }),
      ...(session.latch !== undefined && { latch: session.latch }),
    },
    ...(context.pause !== undefined && { paused: pausedOf(context.pause, now) }),
    alert: alertOf(session, derived),
    open: shown.map((open) => requestOf(open, session, context, now)),
    open_more: session.attentions.length - shown.length,
    ...(derived.held !== undefined && { held: holdOf(derived.held, session) }),
    next: nextOf(session, derived, now),
    status: statusOf(session, now),
    background: session.background.slice(0, MOST_WORK).map(({ type }) => type),
    events: context.log.slice(-MOST_EVENTS).map((logged) => eventOf(logged, now)),
    refused: context.refused.map(({ code, count, last_at }) => ({
      code,
      count,
      last_at: seconds(last_at),
      age_s: age(last_at, now),
    })),
  };
}

/** Whole seconds from a time until now; what lies ahead, as after a set clock, is new. */
function age(at: number, now: number): number {
  return Math.max(0, seconds(now - at));
}

function told({ origin, what, at }: Evidence, now: number): ExplainedEvidence {
  return { origin, what, at: seconds(at), age_s: age(at, now) };
}

function requestOf(
  open: Attention,
  session: Session,
  context: ExplainContext,
  now: number,
): ExplainedRequest {
  const isAcknowledged = session.acked.includes(open.id);
  const isHeld = !isAcknowledged && !isRaised(open, session, now);
  const closers = closersOf(open, session, now, context.rules);
  if (!isAcknowledged && context.commands.includes('ack'))
    closers.push({ by: 'ack', words: 'signalbox ack' });
  return {
    id: open.id,
    kind: open.kind,
    ...(open.agent_id !== undefined && { agent_id: open.agent_id }),
    ...(open.tool !== undefined && { tool: open.tool }),
    opened_at: seconds(open.opened_at),
    age_s: age(open.opened_at, now),
    evidence: told(open.evidence, now),
    standing: isAcknowledged ? 'acknowledged' : isHeld ? 'held' : 'raised',
    ...(isAcknowledged && { acked: ackOf(session, now) }),
    ...(open.raise_at !== undefined && { raised_at: seconds(open.raise_at) }),
    ...(open.by_user === true && { by_user: true }),
    closed_by: closers,
  };
}

function pausedOf({ scope, at, until, by }: Pause, now: number): NonNullable<Explanation['paused']> {
  const what = scope === EVERYTHING ? 'everything' : isSessionId(scope) ? 'session' : 'provider';
  return {
    what,
    at: seconds(at),
    age_s: age(at, now),
    by,
    ...(until !== undefined && { until: seconds(until), in_s: age(now, until) }),
  };
}

/** The last time that something of this session was acknowledged. */
function ackOf(
  { acked_at, acked_by, updated_at }: Session,
  now: number,
): NonNullable<ExplainedRequest['acked']> {
  const at = acked_at ?? updated_at;
  return { at: seconds(at), age_s: age(at, now), by: acked_by ?? '' };
}

/** Whether this wait has alerted. What says nothing is not there: a notification that changed nothing leaves no trace. */
function alertOf(session: Session, { state }: Derived): Explanation['alert'] {
  if (state !== 'needs_user') return { outcome: 'none', why: 'not_waiting', words: 'It waits for nobody.' };
  if (session.snoozed_until !== undefined) {
    const words = 'You have snoozed it: it alerts once more, if it still waits then.';
    return { outcome: 'due', why: 'snoozed', words, at: seconds(session.snoozed_until) };
  }
  if (session.alerted !== undefined)
    return { outcome: 'given', why: 'waited', words: 'The one alert for this wait has been given.' };
  if (session.alert_due !== undefined) {
    const words = 'It alerts as soon as the wait has settled.';
    return { outcome: 'due', why: 'settles', words, at: seconds(session.alert_due) };
  }
  if (session.muted === true) {
    const words = 'No alert: it was paused when this wait began, or when its alert was due.';
    return { outcome: 'none', why: 'paused', words };
  }
  if (session.attentions.every((open) => open.by_user === true))
    return { outcome: 'none', why: 'opened_by_you', words: 'No alert: you have opened this yourself.' };
  const words = 'No alert: the wait was found among events that came late, and those alert nobody.';
  return { outcome: 'none', why: 'not_live', words };
}

function holdOf(by: NonNullable<Derived['held']>, { open_tools }: Session): NonNullable<Explanation['held']> {
  const tools = open_tools.map(({ tool }) => tool).slice(-MOST_WORK);
  return { by, words: holdWords(by, tools) };
}

/** What time alone will do, soonest first. */
function nextOf(session: Session, { ahead, state }: Derived, now: number): ExplainedAhead[] {
  const leavesStale = session.worked && LEAVES_STALE.has(state);
  const alert =
    state === 'needs_user' && session.alert_due !== undefined
      ? [{ what: 'alert' as const, at: session.alert_due }]
      : [];
  return [...ahead, ...alert]
    .toSorted((a, b) => a.at - b.at)
    .map(({ what, at }) => ({
      what,
      at: seconds(at),
      in_s: age(now, at),
      words: aheadWords(what, leavesStale),
    }));
}

function statusOf({ status, last_hook_at, background }: Session, now: number): Explanation['status'] {
  if (status === undefined)
    return { standing: 'none', words: 'No status of its client is known: its hooks are all there is.' };
  const known = {
    value: status.value,
    ...(status.waiting_for !== undefined && { waiting_for: status.waiting_for }),
    at: seconds(status.at),
    age_s: age(status.at, now),
  };
  if (status.stuck === true) {
    const words =
      'Its status is older than the last begin or end of a turn: it does not keep up, and hooks stand alone.';
    return { standing: 'stuck', ...known, words };
  }
  if (status.contested_until !== undefined) {
    const isResting = status.value === 'idle' && background.length > 0 && status.at > (last_hook_at ?? 0);
    const words = isResting
      ? 'It is idle after background work, and may be about to take up what that has brought.'
      : 'A hook is newer than its status, and stands until it has settled.';
    return { standing: 'contested', ...known, words };
  }
  return {
    standing: 'newer',
    ...known,
    words: 'Its status counts: no hook is newer, or it has outlasted the hooks.',
  };
}

function eventOf({ moment, arrival, live, ...logged }: LoggedEvent, now: number): ExplainedEvent {
  return {
    ...logged,
    at: seconds(arrival),
    age_s: age(arrival, now),
    lag_ms: Math.max(0, arrival - moment),
    live,
  };
}
