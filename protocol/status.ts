import { openRequest, raised } from './attentions.ts';
import { STATUS_REASON, WAITING_KINDS } from './event-table.ts';
import type { BackgroundWork } from './events.ts';
import { STATUS_SETTLE, WORK_OVER_SETTLE } from './expiry.ts';
import { OUTSIDE_TURN } from './first-seen.ts';
import { reduceProcess } from './process-gone.ts';
import {
  type Attention,
  type KnownStatus,
  newFacts,
  type RuleSettings,
  type SessionFacts,
  type StatusInput,
  type StatusReport,
  type Turn,
} from './session.ts';
import type { AttentionKind } from './states.ts';

/**
 * What a client's own status makes of a session (spec: state, section 4 rule 7): it supplies what no hook tells, an answer, Esc, a kill. One that is newer than the last
 * state-relevant hook counts at once; an older one waits for the hook to settle. Pure, like `reduce`.
 */
export function reduceStatus(
  before: SessionFacts | undefined,
  input: StatusInput,
  settings: RuleSettings,
): SessionFacts | undefined {
  const { value } = input.status;
  if (value === 'gone')
    return before === undefined ? undefined : { ...before, gone: true, updated_at: later(before, input) };
  if (value === 'withdrawn') return withdrawn(before, input);
  if (value === 'alive' || value === 'dead' || value === 'unwatched')
    return before === undefined || before.gone === true ? before : reduceProcess(before, input);
  const known = before?.status;
  if (known !== undefined && (input.moment < known.at || isSame(known, input))) return before;
  const facts = before === undefined || before.gone === true ? firstSeen(input) : before;
  if (facts === undefined) return before;
  const status: KnownStatus = {
    value,
    at: input.moment,
    seen_at: input.arrival,
    ...(input.status.waiting_for !== undefined && { waiting_for: input.status.waiting_for }),
  };
  const told = { ...facts, status, ...describe(facts, input) };
  const { last_hook_at: at, last_hook_seen_at: heard } = facts;
  // Like is compared with like: a hook without the sender's time with the status's arrival.
  if (at === undefined || heard === undefined || timeOf(facts, status) > at) {
    const newer = { ...told, updated_at: later(facts, input) };
    return value === 'idle' && facts.background.length > 0 && !runs(facts)
      ? restSoon(newer, status)
      : apply(newer, status, input.arrival, settings);
  }
  return { ...told, status: contest(status, heard) };
}

/**
 * Idle between the end of background work and the client's own prompt about it (seen with Claude Code 2.1.332: 8 to 190 ms): what was asked is answered at once, but work is called over only
 * when the client is still idle a moment later, since a `done` in between would be false.
 */
function restSoon(facts: SessionFacts, status: KnownStatus): SessionFacts {
  return {
    ...facts,
    attentions: answered(facts, status, outlivesIdle),
    status: { ...status, contested_until: status.seen_at + WORK_OVER_SETTLE },
  };
}

/** Its source is off: nothing is held by what it said any more, and time runs from now. What is open stays so, since nobody has answered it (rule 9); a tool's end tells of its own from now on. */
function withdrawn(before: SessionFacts | undefined, input: StatusInput): SessionFacts | undefined {
  return before?.status === undefined || before.gone === true
    ? before
    : {
        ...before,
        status: undefined,
        updated_at: later(before, input),
        attentions: before.attentions.map((open) =>
          open.evidence.origin === 'status' ? { ...open, withdrawn: true } : open,
        ),
      };
}

/** The hook's word stands for a while; then the status counts, if nothing newer came and it was written since the last turn edge. */
export function settleStatus(facts: SessionFacts, now: number, settings: RuleSettings): SessionFacts {
  const { status } = facts;
  if (status?.contested_until === undefined || now < status.contested_until) return facts;
  const { contested_until: at, ...settled } = status;
  if (!isSinceEdge(facts, status)) return { ...facts, status: { ...settled, stuck: true } };
  return apply({ ...facts, status: settled }, settled, at, settings);
}

/** A newer hook came: the status has to wait again. @param heard the hook's arrival */
export function contest(status: KnownStatus, heard: number): KnownStatus {
  // One that is stuck stays so: it only gets older.
  return status.stuck === true ? status : { ...status, contested_until: heard + STATUS_SETTLE };
}

/** Does a live status say that the session is at work or waits? Then nothing runs out (rule 10). */
export function holdsTimers(facts: SessionFacts): boolean {
  const { status } = facts;
  return (
    status !== undefined && status.value !== 'idle' && status.stuck !== true && isSinceEdge(facts, status)
  );
}

function isSame(known: KnownStatus, { moment, status }: StatusInput): boolean {
  return known.at === moment && known.value === status.value && known.waiting_for === status.waiting_for;
}

function later(facts: SessionFacts, { arrival }: StatusInput): number {
  return Math.max(facts.updated_at, arrival);
}

function timeOf(facts: SessionFacts, status: KnownStatus): number {
  return facts.unstamped === true ? status.seen_at : status.at;
}

function isSinceEdge(facts: SessionFacts, status: KnownStatus): boolean {
  return timeOf(facts, status) >= (facts.edge_at ?? 0);
}

/** A session that no hook has told of: one that is idle is nobody's business; a dialog is the user's own, e.g. which session to resume. */
function firstSeen(input: StatusInput): SessionFacts | undefined {
  const { value } = input.status;
  if (value === 'idle') return undefined;
  const inTurn = value !== 'shell' && kindOf(input.status) !== 'dialog';
  const turn: Turn = inTurn
    ? { running: true, started_at: input.moment, end: 'idle', reason: STATUS_REASON }
    : OUTSIDE_TURN;
  return { ...newFacts(input.status, input.arrival, turn), worked: true, by_hand: false };
}

/** What the client waits for. */
function kindOf({ waiting_for }: Pick<StatusReport, 'waiting_for'>): AttentionKind {
  return WAITING_KINDS.get(waiting_for ?? '') ?? 'permission';
}

function describe(facts: SessionFacts, { status }: StatusInput): Partial<SessionFacts> {
  return {
    ...(facts.cwd === undefined && status.cwd !== undefined && { cwd: status.cwd }),
    ...(status.pid !== undefined && { pid: status.pid }),
    ...(status.entrypoint !== undefined && { entrypoint: status.entrypoint }),
  };
}

/** The status counts. @param arrival when, on the hub's clock */
function apply(
  facts: SessionFacts,
  status: KnownStatus,
  arrival: number,
  settings: RuleSettings,
): SessionFacts {
  switch (status.value) {
    case 'waiting':
      return { ...facts, attentions: waits(facts, status, arrival) };
    case 'busy':
      return worksOn({ ...facts, attentions: answered(facts, status, isAccount) }, status);
    case 'shell':
      return runShell(
        { ...facts, attentions: answered(facts, status, isAccount) },
        status,
        arrival,
        settings,
      );
    case 'idle':
      return rest({ ...facts, attentions: answered(facts, status, outlivesIdle) }, status, arrival);
  }
}

/** What is open already is the same wait, acknowledged or not; it no longer has to prove itself (rule 8). Only a status's own word for it may be out of date. */
function waits(facts: SessionFacts, status: KnownStatus, arrival: number): readonly Attention[] {
  const kind = kindOf(status);
  const open = facts.attentions.filter((one) => one.evidence.origin !== 'status' || one.kind === kind);
  if (open.length > 0) return open.map((one) => confirmed(raised(one)));
  return openRequest([], {
    kind,
    opened_at: arrival,
    moment: status.at,
    ...(kind === 'dialog' && !runs(facts) && { by_user: true }),
    evidence: { origin: 'status', what: status.waiting_for ?? status.value, at: arrival },
  });
}

/** The status that tells of it is there again, and will tell of its end. */
function confirmed(open: Attention): Attention {
  const { withdrawn: was, ...watched } = open;
  return was === undefined ? open : watched;
}

function isAccount(open: Attention): boolean {
  return open.kind === 'account';
}

function outlivesIdle(open: Attention): boolean {
  return isAccount(open) || open.kind === 'possible_question';
}

/** What was opened before the status's moment has been answered, but what only the user's next word ends. */
function answered(
  facts: SessionFacts,
  status: KnownStatus,
  stays: (open: Attention) => boolean,
): readonly Attention[] {
  const at = timeOf(facts, status);
  const isBefore = (open: Attention) =>
    open.evidence.origin === 'status' || (facts.unstamped === true ? open.opened_at : open.moment) < at;
  const left = facts.attentions.filter((open) => stays(open) || !isBefore(open));
  return left.length === facts.attentions.length ? facts.attentions : left;
}

function worksOn(facts: SessionFacts, status: KnownStatus): SessionFacts {
  if (runs(facts) || facts.compact || facts.background.length > 0) return facts;
  return { ...facts, turn: { running: true, started_at: status.at, end: 'idle', reason: STATUS_REASON } };
}

/** A shell of the client's own runs on after the turn. */
const SHELL: BackgroundWork = { id: 'status', type: 'shell', status: 'running' };

/** Background work of which a status has told, not a Stop. */
export function isStatusWork(work: BackgroundWork): boolean {
  return work.id === SHELL.id;
}

function runShell(
  facts: SessionFacts,
  status: KnownStatus,
  arrival: number,
  settings: RuleSettings,
): SessionFacts {
  const counts = settings.background === 'all' && facts.background.length === 0;
  return {
    ...facts,
    turn: endedBy(facts.turn, status, arrival),
    queued: undefined,
    compact: false,
    background: counts ? [SHELL] : facts.background,
  };
}

function rest(facts: SessionFacts, status: KnownStatus, arrival: number): SessionFacts {
  return {
    ...facts,
    turn: endedBy({ ...facts.turn, running: runs(facts) }, status, arrival),
    queued: undefined,
    compact: false,
    background: [],
    agents: [],
    open_tools: [],
    latch: undefined,
  };
}

/** Does a turn run, the session's last or that of a prompt that was queued? */
function runs(facts: SessionFacts): boolean {
  return facts.turn.running || facts.queued === 'turn';
}

/** How the turn ended stays as a hook has said it; of a turn that still ran nobody has, so it was broken off. */
function endedBy(turn: Turn, status: KnownStatus, arrival: number): Turn {
  if (turn.running) {
    const { id, started_at } = turn;
    return {
      running: false,
      end: 'interrupted',
      reason: 'interrupted',
      ended_at: status.at,
      end_seen_at: arrival,
      by_status: true,
      ...(id !== undefined && { id }),
      ...(started_at !== undefined && { started_at }),
    };
  }
  return turn.end === 'fresh' ? { ...turn, end: 'idle' } : turn;
}
