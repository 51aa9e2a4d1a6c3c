import { closeRequests, isClosedBy, openRequest, type Request } from './attentions.ts';
import { isRaised, liveLamp } from './derive.ts';
import {
  ACCOUNT_ERRORS,
  ASKING_TOOLS,
  EVENT_TABLE,
  type EventRow,
  FIRST_SEEN_OUTSIDE_TURN,
  NOTIFICATION_TYPES,
  type NotificationRule,
  SIGNAL_TABLE,
  startState,
} from './event-table.ts';
import type { CanonicalEvent, SignalName } from './events.ts';
import { CONFIRM_QUIET, HEADLESS_HOLD } from './expiry.ts';
import { endsLatch, requestLamp, strongerLamp } from './lamp.ts';
import {
  type Attention,
  type EventInput,
  newFacts,
  type RuleSettings,
  type SessionFacts,
  type Turn,
} from './session.ts';
import type { AttentionKind, LampState } from './states.ts';
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
  const { signal } = given.event;
  if (before?.gone === true) return revives(given.event) ? reduce(undefined, given, settings) : before;
  if (given.event.event !== 'Signal') return step(before, given, settings);
  return signal === undefined ? before : reduceSignal(before, given, settings, signal);
}

/** Only a new beginning brings back a session whose client has removed it (rule 7). */
function revives(event: CanonicalEvent): boolean {
  return (
    event.agent_id === undefined &&
    (event.event === 'UserPromptSubmit' || (event.event === 'SessionStart' && !isCompactStart(event)))
  );
}

/** A raw lamp signal is an event without tool and ids; `stale` and `paused` alone are none (spec: state, section 1). */
function reduceSignal(
  before: SessionFacts | undefined,
  given: EventInput,
  settings: RuleSettings,
  signal: SignalName,
): SessionFacts | undefined {
  const meaning = SIGNAL_TABLE[signal];
  if (meaning.as !== undefined) {
    const { provider } = given.event;
    const error = meaning.as === 'StopFailure' && { error: signal };
    const event = { ...senderOf(given.event), v: 1 as const, provider, signal, event: meaning.as, ...error };
    return step(before, { ...given, event }, settings);
  }
  const facts = before ?? newFacts(given.event, given.arrival, OUTSIDE_TURN);
  return {
    ...describe(facts, given),
    worked: true,
    latch: strongerLamp(meaning.shows, facts.latch),
    ...(meaning.shows === 'stale' && { raw_stale: true }),
  };
}

/** What a raw signal may tell besides: whose session it is, and where it runs. */
const SENDER_FIELDS: ReadonlySet<string> = new Set<keyof CanonicalEvent>([
  'session_id',
  'host',
  'cwd',
  'enveloped',
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

const OUTSIDE_TURN: Turn = { running: false, end: 'idle', reason: '' };

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
  if (event.event === 'Notification' && event.notification !== undefined)
    return notified(before, facts, input, event.notification);

  const change = turnChange(facts, input, row, settings);
  const closed = closesRequests(facts, input)
    ? closeRequests(facts.attentions, (open) => isClosedBy(open, closesFor(row, event), event))
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
    acked: facts.acked.filter((id) => attentions.some((open) => open.id === id)),
    worked: facts.worked || event.event !== 'SessionStart',
    raw_stale: undefined,
    latch: latchAfter(facts, attentions, input),
    ...(row.relevant && heard(facts, input)),
    ...(closesAnything(facts, input, row) && { resolved_at: input.moment }),
  };
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

/** A record for a session never heard of: in the middle of a turn unless the event says otherwise (rule 2). */
function firstSeen(input: EventInput, row: EventRow): SessionFacts | undefined {
  const { event } = input;
  if (!row.creates || isCompactStart(event)) return undefined;
  if (event.event === 'Notification' && event.notification !== undefined) {
    const rule = NOTIFICATION_TYPES.get(event.notification);
    if (rule === 'idle')
      return newFacts(event, input.arrival, { ...OUTSIDE_TURN, end: 'fresh', reason: 'session_start' });
    if (rule !== 'confirms' && rule !== 'confirms_elicitation') return undefined;
  }
  if (FIRST_SEEN_OUTSIDE_TURN.has(event.event)) return newFacts(event, input.arrival, OUTSIDE_TURN);
  return newFacts(event, input.arrival, turns.turnFirstSeen(input, row.reason || 'tool_use'));
}

function isCompactStart(event: CanonicalEvent): boolean {
  return event.event === 'SessionStart' && startState(event) === 'unchanged';
}

function changesNothing(facts: SessionFacts, input: EventInput): boolean {
  const { event } = input;
  switch (event.event) {
    case 'Other':
      return true;
    case 'Stop':
    case 'StopFailure':
    case 'Interrupt':
      if (event.agent_id !== undefined) return false;
      if (event.notify === true && facts.turn.id !== undefined) return isOldNews(facts, event);
      return event.event === 'Stop' && turns.isEchoedStop(facts);
    case 'SubagentStop':
      // A compaction's: no agent of that name has started, and no background work bears it (rule 4).
      return event.agent_id === undefined || !isKnownAgent(facts, event.agent_id);
    default:
      return false;
  }
}

/** Codex' notify and rollout repeat what a hook has told; of another turn than the last one it is old news anyway. */
function isOldNews({ turn }: SessionFacts, event: CanonicalEvent): boolean {
  if (turn.id !== event.prompt_id) return true;
  return !turn.running && event.plan !== true;
}

function isKnownAgent(facts: SessionFacts, id: string): boolean {
  return (
    facts.agents.includes(id) ||
    facts.background.some((work) => work.id === id) ||
    facts.attentions.some((open) => open.agent_id === id) ||
    facts.open_tools.some((open) => open.agent_id === id)
  );
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

/** With an agent's id only that agent's requests are meant, whatever the event. */
function closesFor(row: EventRow, event: CanonicalEvent): EventRow['closes'] {
  return event.agent_id !== undefined && (row.closes === 'main' || row.closes === 'all')
    ? 'agent'
    : row.closes;
}

function closesAnything(facts: SessionFacts, input: EventInput, row: EventRow): boolean {
  if (row.closes === 'by_hand') return input.event.tool === undefined || input.event.provider === 'qwen';
  return row.closes !== 'nothing' && closesRequests(facts, input);
}

/** The request that an event opens; `undefined`: none. */
function opens(facts: SessionFacts, input: EventInput, row: EventRow): Request | undefined {
  const { event } = input;
  const asks = ASKING_TOOLS.get(event.tool ?? '');
  switch (event.event) {
    case 'PreToolUse':
      return asks === undefined ? undefined : request(asks, facts, input);
    case 'PermissionRequest':
      // Recorded, never raised: nobody is asked (rule 8).
      return event.permission_mode === 'bypassPermissions'
        ? undefined
        : request(asks ?? 'permission', facts, input);
    case 'Stop':
      return event.agent_id === undefined ? asksAtEnd(facts, input) : undefined;
    case 'StopFailure':
      return event.error !== undefined && ACCOUNT_ERRORS.has(event.error)
        ? request('account', facts, input)
        : undefined;
    case 'Notification':
      return request('notification', facts, input);
    default:
      return row.opens === undefined ? undefined : request(row.opens, facts, input);
  }
}

function asksAtEnd(facts: SessionFacts, input: EventInput): Request | undefined {
  if (input.event.plan === true) return request('plan_approval', facts, input);
  return input.event.question === true ? request('possible_question', facts, input) : undefined;
}

/** What a session without a person answers by itself (rule 8). */
const HELD: ReadonlySet<CanonicalEvent['event']> = new Set<CanonicalEvent['event']>([
  'PermissionRequest',
  'PreToolUse',
  'Elicitation',
]);

function request(kind: AttentionKind, facts: SessionFacts, { event, moment, arrival }: EventInput): Request {
  const headless = (event.entrypoint ?? facts.entrypoint ?? '').startsWith('sdk-');
  return {
    kind,
    opened_at: arrival,
    moment,
    ...(event.agent_id !== undefined && { agent_id: event.agent_id }),
    ...(event.tool !== undefined && { tool: event.tool }),
    ...(event.digest !== undefined && { digest: event.digest }),
    ...(event.request !== undefined && { request: event.request }),
    ...(event.call !== undefined && { call: event.call }),
    ...(kind === 'account' && event.error !== undefined && { error: event.error }),
    ...(kind === 'dialog' && !facts.turn.running && facts.queued === undefined && { by_user: true }),
    ...(headless && HELD.has(event.event) && { raise_at: arrival + HEADLESS_HOLD }),
    evidence: {
      origin: event.signal === undefined ? 'hook' : 'signal',
      what: event.signal ?? event.event,
      at: arrival,
    },
  };
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

function notifiedChange(
  facts: SessionFacts,
  input: EventInput,
  rule: NotificationRule,
): Partial<SessionFacts> {
  switch (rule) {
    case 'confirms':
    case 'confirms_elicitation':
      if (facts.attentions.length > 0 || isQuiet(facts, input)) return {};
      return withRequest(facts, input, rule === 'confirms' ? 'notification' : 'elicitation');
    case 'may_need_input':
      return facts.attentions.length > 0 || !mayNeedInput(facts, input)
        ? {}
        : withRequest(facts, input, 'notification');
    case 'closes_elicitations':
      return closedBy(facts, input, (open) => open.kind === 'elicitation');
    case 'login':
      return {
        ...closedBy(facts, input, (open) => open.kind === 'account'),
        ...turns.mendAccount(facts, input),
      };
    case 'idle':
      return {
        ...closedBy(
          facts,
          input,
          ({ agent_id, kind }) =>
            agent_id === undefined && kind !== 'account' && kind !== 'possible_question',
        ),
        ...turns.forgetTurn(facts, input),
      };
  }
}

function isQuiet(facts: SessionFacts, { moment }: EventInput): boolean {
  const last = Math.max(facts.resolved_at ?? 0, facts.turn.ended_at ?? 0);
  return moment - last <= CONFIRM_QUIET;
}

/** The status says whether it is about this session; without one, `auto` and a main tool under way are all there is to go by. */
function mayNeedInput(facts: SessionFacts, { event }: EventInput): boolean {
  const { status } = facts;
  if (status !== undefined && status.stuck !== true) return status.value === 'waiting';
  const mode = event.permission_mode ?? facts.permission_mode;
  return mode === 'auto' && facts.open_tools.some((open) => open.agent_id === undefined);
}

function withRequest(facts: SessionFacts, input: EventInput, kind: AttentionKind): Partial<SessionFacts> {
  return { attentions: openRequest(facts.attentions, request(kind, facts, input)) };
}

function closedBy(
  facts: SessionFacts,
  input: EventInput,
  closes: (open: Attention) => boolean,
): Partial<SessionFacts> {
  const attentions = closeRequests(facts.attentions, closes);
  return attentions === facts.attentions ? {} : { attentions, resolved_at: input.moment };
}

/**
 * The alert that nobody has seen (spec: state, section 6): what only a Stop or SessionEnd closes stays on the lamp through Stop and SessionEnd. What ends
 * a latch otherwise is `settledLatch`.
 */
function latchAfter(
  before: SessionFacts,
  attentions: SessionFacts['attentions'],
  input: EventInput,
): LampState | undefined {
  const { event } = input.event;
  if (event === 'Interrupt') return undefined;
  if (event !== 'Stop' && event !== 'SessionEnd') return before.latch;
  const unseen = before.attentions.filter(
    (open) => !attentions.includes(open) && isRaised(open, before, input.arrival),
  );
  const closed = requestLamp(unseen);
  const failed =
    event === 'SessionEnd' && !before.turn.running && before.turn.end === 'failed' ? 'blocked' : undefined;
  const shown = failed ?? closed;
  return shown === undefined ? before.latch : strongerLamp(shown, before.latch);
}

/** A latch lasts until something as strong as `active` shows (a raw `stale` or `paused`: until anything does), Stop and SessionEnd apart. */
function settledLatch(next: SessionFacts, { event, arrival }: EventInput): LampState | undefined {
  if (next.latch === undefined || event.event === 'Stop' || event.event === 'SessionEnd') return next.latch;
  return endsLatch(next.latch, liveLamp(next, arrival)) ? undefined : next.latch;
}
