import type { StateRule } from './derive.ts';
import {
  EVENT_TABLE,
  type EventRow,
  NOTIFICATION_TYPES,
  SIGNAL_TABLE,
  STATUS_REASON,
} from './event-table.ts';
import { type EventName, isEventName, isSignalName } from './events.ts';
import { PROCESS_GONE } from './process-gone.ts';
import type { Attention, Evidence, SessionFacts, Turn, TurnEnd } from './session.ts';
import { isStatusWork } from './status.ts';

/** One entry of the event log, as far as explanations look at it. Times are unix ms. */
export interface LoggedEvent {
  readonly event: string;
  readonly signal?: string;
  readonly tool?: string;
  readonly agent_id?: string;
  readonly notification?: string;
  /** Whose word it is, where it is a person's. */
  readonly by?: string;
  readonly moment: number;
  readonly arrival: number;
  readonly live: boolean;
}

/** Whether the fact that a rule goes by was brought by a client's status (rule 7). @param asks the request that speaks for the session, where the rule is that one is open */
export function isStatusFact(rule: StateRule, facts: SessionFacts, asks: Attention | undefined): boolean {
  switch (rule) {
    case 'turn_runs':
      return facts.turn.reason === STATUS_REASON;
    case 'background_work':
      return facts.background.some(isStatusWork);
    case 'turn_end':
      return facts.turn.by_status === true;
    default:
      return asks?.evidence.origin === 'status';
  }
}

/**
 * What a rule went by: the request's own evidence, the status, or the entry of the log that brought the fact; where that is not in the log any more, what the record itself still tells.
 * @param log in the order of moments
 */
export function evidenceOf(
  rule: StateRule,
  facts: SessionFacts,
  asks: Attention | undefined,
  log: readonly LoggedEvent[],
): Evidence {
  if (asks !== undefined) return asks.evidence;
  if (isStatusFact(rule, facts, asks)) return statusEvidence(rule, facts);
  // No log has it, and the client says nothing either: only who looks for its process learns of a kill.
  if (rule === 'failed_end' && facts.turn.reason === PROCESS_GONE)
    return { origin: 'process', what: 'dead', at: facts.updated_at };
  const entry = log.findLast((logged) => brought(rule, facts, logged));
  return entry === undefined ? remembered(rule, facts) : evidence(entry);
}

function evidence({ event, signal, arrival }: LoggedEvent): Evidence {
  return { origin: signal === undefined ? 'hook' : 'signal', what: signal ?? event, at: arrival };
}

/** The status that brought the fact; of a turn that one has ended, the status may be another one since. */
function statusEvidence(rule: StateRule, { status, turn, updated_at }: SessionFacts): Evidence {
  const isSame = rule !== 'turn_end' || status?.at === turn.ended_at;
  return status !== undefined && isSame
    ? { origin: 'status', what: status.value, at: status.seen_at }
    : { origin: 'status', what: 'idle', at: turn.end_seen_at ?? updated_at };
}

/** Did this entry bring the fact that the rule goes by? */
function brought(rule: StateRule, facts: SessionFacts, logged: LoggedEvent): boolean {
  const name = meaning(logged);
  if (name === undefined) return false;
  const row = rowOf(name);
  const { turn } = facts;
  switch (rule) {
    case 'raw_signal':
      return logged.signal === 'stale';
    case 'expired':
      return logged.arrival === facts.updated_at;
    case 'compaction':
      return name === 'PreCompact';
    case 'queued_prompt':
      return name === 'UserPromptSubmit' && logged.agent_id === undefined;
    case 'background_work':
      return name === 'Stop' && logged.agent_id === undefined;
    case 'turn_runs':
      return (
        logged.agent_id === undefined &&
        (row?.reason === turn.reason || (row?.creates === true && logged.moment === turn.started_at))
      );
    default:
      return turn.ended_at === undefined
        ? row?.turn === 'fresh' || (turn.reason === '' && logged.arrival === facts.updated_at)
        : logged.moment === turn.ended_at &&
            (name === ENDED_BY[turn.end] || logged.notification === turn.reason);
  }
}

/** The event that an entry is, or that its raw signal is the same as. */
function meaning({ event, signal }: LoggedEvent): EventName | undefined {
  if (signal !== undefined) return isSignalName(signal) ? (SIGNAL_TABLE[signal].as ?? 'Signal') : undefined;
  return isEventName(event) ? event : undefined;
}

function rowOf(name: EventName): EventRow | undefined {
  return name === 'Signal' ? undefined : EVENT_TABLE[name];
}

/** Where it is not known any more which event it was. */
const ANYTHING = 'event';

/** The event that leaves a turn so, where the log does not say which it was. */
const ENDED_BY: Readonly<Record<TurnEnd, EventName>> = {
  fresh: 'SessionStart',
  done: 'Stop',
  scheduled: 'Stop',
  failed: 'StopFailure',
  interrupted: 'Interrupt',
  idle: 'SessionEnd',
};

function endedBy({ end, reason }: Turn): string {
  // Of a turn nobody has ever told.
  if (reason === '') return ANYTHING;
  if (NOTIFICATION_TYPES.has(reason)) return 'Notification';
  return reason === 'session_start' ? 'SessionStart' : ENDED_BY[end];
}

/** What the record still tells of the event that brought a fact: its kind, and about when. */
function remembered(rule: StateRule, facts: SessionFacts): Evidence {
  const { turn, updated_at } = facts;
  const ended = turn.end_seen_at ?? updated_at;
  switch (rule) {
    case 'raw_signal':
      return { origin: 'signal', what: 'stale', at: updated_at };
    case 'expired':
      return hook(ANYTHING, updated_at);
    case 'compaction':
      return hook('PreCompact', updated_at);
    case 'turn_runs':
      return hook(BEGUN_BY.get(turn.reason) ?? 'PreToolUse', turn.started_at ?? updated_at);
    case 'queued_prompt':
      return hook('UserPromptSubmit', ended);
    case 'background_work':
      return hook('Stop', ended);
    default:
      return hook(endedBy(turn), ended);
  }
}

/** The event that a running turn's reason comes from, where it isn't a tool's. */
const BEGUN_BY: ReadonlyMap<string, EventName> = new Map<string, EventName>([
  ['user_prompt', 'UserPromptSubmit'],
  ['permission_denied', 'PermissionDenied'],
  ['elicitation_result', 'ElicitationResult'],
]);

function hook(what: string, at: number): Evidence {
  return { origin: 'hook', what, at };
}
