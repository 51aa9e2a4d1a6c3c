import { ackedAfter } from './ack.ts';
import { closeRequests, isClosedBy, openRequest } from './attentions.ts';
import { ASKS_FIRST, EVENT_TABLE, type EventRow, NOTIFICATION_TYPES, SIGNAL_TABLE } from './event-table.ts';
import type { CanonicalEvent } from './events.ts';
import { firstSeen, isCompactStart, OUTSIDE_TURN } from './first-seen.ts';
import { changesNothing } from './irrelevant.ts';
import { strongerLamp } from './lamp.ts';
import { latchAfter, settledLatch } from './latch.ts';
import { notifiedChange } from './notifications.ts';
import { opens, reviewedBy } from './requests.ts';
import {
  type Attention,
  type EventInput,
  newFacts,
  type RuleSettings,
  type SessionFacts,
} from './session.ts';
import type { LampState } from './states.ts';
import { contest } from './status.ts';
import { applyTools } from './tools.ts';
import * as turns from './turn.ts';

/**
 * What an event makes of a session: a pure fold step (spec: state, sections 1 and 4). `undefined` in: never heard of before; `undefined` out: it makes
 * no session. Never throws, whatever the order of events. Returns the same object when the event changes nothing.
 */
export function reduce(
  before: SessionFacts | undefined,
  given: EventInput,
  settings: RuleSettings,
): SessionFacts | undefined {
  const input = { ...given, event: meaningOf(given.event) };
  const facts = before?.gone === true ? undefined : before;
  if (facts === undefined && before !== undefined && !revives(input.event)) return before;
  const { signal } = given.event;
  if (input.event.event !== 'Signal') return step(facts, input, settings);
  return signal === undefined ? before : showSignal(facts, given, SIGNAL_TABLE[signal].shows);
}

/** Only a new beginning brings back a session whose client has removed it (rule 7). */
function revives(event: CanonicalEvent): boolean {
  return (
    event.agent_id === undefined &&
    (event.event === 'UserPromptSubmit' || (event.event === 'SessionStart' && !isCompactStart(event)))
  );
}

/** A raw lamp signal is an event without tool and ids; `stale` and `paused` alone are none (spec: state, section 1). */
function meaningOf(event: CanonicalEvent): CanonicalEvent {
  const { provider, signal } = event;
  const as = signal === undefined ? undefined : SIGNAL_TABLE[signal].as;
  if (event.event !== 'Signal' || as === undefined) return event;
  const error = as === 'StopFailure' && { error: signal };
  return { ...senderOf(event), v: 1 as const, provider, signal, event: as, ...error } as CanonicalEvent;
}

function showSignal(before: SessionFacts | undefined, given: EventInput, shows: LampState): SessionFacts {
  const facts = before ?? newFacts(given.event, given.arrival, OUTSIDE_TURN);
  return {
    ...describe(facts, given),
    worked: true,
    latch: strongerLamp(shows, facts.latch),
    ...(shows === 'stale' && { raw_stale: true }),
  };
}

/** What a raw signal may tell besides: whose session it is, and where it runs. */
const SENDER_FIELDS: ReadonlySet<string> = new Set<keyof CanonicalEvent>([
  'session_id',
  'host',
  'cwd',
  'enveloped',
  'sent_at',
  'entrypoint',
  'pid',
  'ppid',
  'tmux_pane',
  'term_program',
  'job_id',
]);

function senderOf(event: CanonicalEvent): Partial<CanonicalEvent> {
  return Object.fromEntries(Object.entries(event).filter(([field]) => SENDER_FIELDS.has(field)));
}

function step(
  before: SessionFacts | undefined,
  input: EventInput,
  settings: RuleSettings,
): SessionFacts | undefined {
  const { event } = input;
  const row = EVENT_TABLE[event.event as keyof typeof EVENT_TABLE];
  const facts = before ?? firstSeen(input, row);
  if (facts === undefined || changesNothing(facts, input)) return before;
  if (isCompactStart(event)) return describe(facts, input);
  if (event.reviewer !== undefined) return reviewedBy(facts, event.reviewer);
  if (event.event === 'Notification' && event.notification !== undefined)
    return notified(before, facts, input, event.notification);

  const change = turnChange(facts, input, row, settings);
  const closed = closesRequests(facts, input)
    ? closeRequests(
        facts.attentions,
        (open) => isClosedBy(open, closesFor(row, event), event) && !mayBeAgents(open, facts, input, row),
      )
    : facts.attentions;
  const opened = opens(facts, input, row);
  const attentions = opened === undefined ? closed : openRequest(closed, opened);
  // The same notification again confirms: it touches nothing (rule 10).
  if (!row.refreshes && attentions === facts.attentions) return before;
  const tools = applyTools({ ...facts, ...change }, input);
  const next: SessionFacts = {
    ...describe(facts, input),
    ...change,
    ...tools,
    attentions,
    acked: ackedAfter(facts, attentions, event),
    worked: facts.worked || event.event !== 'SessionStart',
    raw_stale: undefined,
    latch: latchAfter(facts, attentions, input),
    ...(row.relevant && heard(facts, input)),
    ...(closesAnything(facts, input, row) && { resolved_at: input.moment }),
  };
  return { ...next, latch: settledLatch(next, input) };
}

/** A typed notification confirms; it opens only what was lost on the way (rule 5). */
function notified(
  before: SessionFacts | undefined,
  facts: SessionFacts,
  input: EventInput,
  type: string,
): SessionFacts | undefined {
  const rule = NOTIFICATION_TYPES.get(type);
  const change = rule === undefined ? {} : notifiedChange(facts, input, rule);
  // What confirms the known state touches nothing, `updated_at` least of all (rule 10).
  if (Object.keys(change).length === 0) return before;
  const next: SessionFacts = { ...describe(facts, input), ...change, worked: true, raw_stale: undefined };
  return { ...next, latch: settledLatch(next, input) };
}

/** What a state-relevant hook means for the status: an older one is contested from now on (rule 7). */
function heard(facts: SessionFacts, { event, moment, arrival }: EventInput): Partial<SessionFacts> {
  const { status } = facts;
  const unstamped = event.sent_at === undefined;
  const isOlder = status !== undefined && (unstamped ? status.seen_at <= arrival : status.at <= moment);
  return {
    last_hook_at: moment,
    last_hook_seen_at: arrival,
    unstamped: unstamped ? true : undefined,
    ...(isOlder && { status: contest(status, arrival) }),
  };
}

/** Takes over what an event tells of the session itself. */
function describe(facts: SessionFacts, { event, arrival }: EventInput): SessionFacts {
  const told = {
    ...(facts.cwd === undefined && event.cwd !== undefined && { cwd: event.cwd }),
    ...(event.permission_mode !== undefined && { permission_mode: event.permission_mode }),
    ...(event.entrypoint !== undefined && { entrypoint: event.entrypoint }),
    ...(event.pid !== undefined && { pid: event.pid }),
    ...(event.ppid !== undefined && { ppid: event.ppid }),
    ...(event.tmux_pane !== undefined && { tmux_pane: event.tmux_pane }),
    ...(event.term_program !== undefined && { term_program: event.term_program }),
    ...(event.job_id !== undefined && { job_id: event.job_id }),
    ...(event.transcript !== undefined && { transcript: event.transcript }),
  };
  return {
    ...facts,
    ...told,
    updated_at: Math.max(facts.updated_at, arrival),
    by_hand: facts.by_hand && event.enveloped !== true,
  };
}

/** A subagent never ends or starts the session's turn (rule 4). */
function turnChange(
  facts: SessionFacts,
  input: EventInput,
  row: EventRow,
  settings: RuleSettings,
): turns.TurnChange {
  const { event } = input;
  if (event.agent_id !== undefined) return {};
  switch (row.turn) {
    case 'starts':
      if (event.event !== 'UserPromptSubmit') return turns.workOn(facts, input, row.reason || 'tool_use');
      if (turns.isQueuedPrompt(facts, input)) return { queued: 'pending' };
      return turns.isLatePrompt(facts, input) ? {} : turns.startTurn(facts, input);
    case 'done':
      return turns.stopTurn(facts, input, settings);
    case 'failed':
      return turns.failTurn(facts, input);
    case 'interrupted':
      return turns.endAll(facts, input, 'interrupted', row.reason);
    case 'ended':
      return turns.endAll(facts, input, 'idle', row.reason);
    case 'fresh':
      return turns.beginSession(input);
    default:
      return compaction(facts, input, row);
  }
}

function compaction(facts: SessionFacts, { event }: EventInput, row: EventRow): turns.TurnChange {
  if (event.event === 'PreCompact') return facts.turn.running ? {} : { compact: true };
  if (event.event === 'PostCompact') return { compact: false };
  const taken = event.event === 'PostToolBatch' && facts.queued === 'pending' ? { queued: undefined } : {};
  return { ...(row.reason !== '' && turns.keepOn(facts, row.reason)), ...taken };
}

/** Prompts that are queued, late or the client's own close nothing. */
function closesRequests(facts: SessionFacts, input: EventInput): boolean {
  if (input.event.event !== 'UserPromptSubmit') return true;
  return (
    input.event.own_prompt !== true &&
    !turns.isQueuedPrompt(facts, input) &&
    !turns.isLatePrompt(facts, input)
  );
}

/** A status doesn't tell who waits: while subagents work on, the end of the main agent's turn does not answer it (rule 1). */
function mayBeAgents(open: Attention, facts: SessionFacts, input: EventInput, row: EventRow): boolean {
  const ends = row.turn === 'done' || row.turn === 'failed';
  return ends && open.evidence.origin === 'status' && turns.leavesAgents(facts, input);
}

/** With an agent's id only that agent's requests are meant, whatever the event. */
function closesFor(row: EventRow, event: CanonicalEvent): EventRow['closes'] {
  return event.agent_id !== undefined && (row.closes === 'main' || row.closes === 'all')
    ? 'agent'
    : row.closes;
}

function closesAnything(facts: SessionFacts, input: EventInput, row: EventRow): boolean {
  if (row.closes === 'by_hand') return input.event.tool === undefined || input.event.provider === ASKS_FIRST;
  return row.closes !== 'nothing' && closesRequests(facts, input);
}
