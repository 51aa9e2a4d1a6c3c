import { ACCOUNT_ERRORS, startState } from './event-table.ts';
import type { BackgroundWork } from './events.ts';
import { END_LEAD, LATE_TOOL, PROMPT_LEAD } from './expiry.ts';
import type { EventInput, RuleSettings, SessionFacts, Turn } from './session.ts';

/** The facts that a turn's start or end changes. */
export type TurnChange = Partial<
  Pick<SessionFacts, 'turn' | 'queued' | 'background' | 'compact' | 'edge_at' | 'agents' | 'open_tools'>
>;
type Facts = Pick<
  SessionFacts,
  'provider' | 'turn' | 'queued' | 'background' | 'compact' | 'agents' | 'open_tools'
>;

/** A prompt typed while its own turn runs (Claude alone tells by the prompt's id): it is queued and clears nothing (rule 2). */
export function isQueuedPrompt(facts: Facts, { event }: EventInput): boolean {
  return (
    facts.provider === 'claude' &&
    facts.turn.running &&
    event.prompt_id !== undefined &&
    facts.turn.id === event.prompt_id
  );
}

/** The prompt of a turn that has ended already: it arrives late and starts nothing. */
export function isLatePrompt(facts: Facts, { event }: EventInput): boolean {
  return !facts.turn.running && event.prompt_id !== undefined && facts.turn.id === event.prompt_id;
}

/** A tool of the ended turn so soon after its end that it came late; later it is a Stop that a hook has blocked. */
function isLateTool(facts: Facts, { event, moment }: EventInput): boolean {
  const { id, ended_at } = facts.turn;
  return (
    event.event === 'PreToolUse' &&
    event.prompt_id !== undefined &&
    id === event.prompt_id &&
    ended_at !== undefined &&
    moment - ended_at < LATE_TOOL
  );
}

function running(input: EventInput, reason: string, id: string | undefined): Turn {
  return named({ running: true, started_at: input.moment, end: 'idle', reason }, id);
}

function named(turn: Turn, id: string | undefined): Turn {
  return id === undefined ? turn : { ...turn, id };
}

/** The open tools without the main agent's, whose turn is over. */
function agentsTools(facts: Facts): SessionFacts['open_tools'] {
  return facts.open_tools.filter((open) => open.agent_id !== undefined);
}

/** The turn of a session first seen in the middle of one. */
export function turnFirstSeen(input: EventInput, reason: string): Turn {
  return running(input, reason, input.event.agent_id === undefined ? input.event.prompt_id : undefined);
}

/** A prompt's turn begins; a tool of the turn before it (Esc sends no hook) is open no more. */
export function startTurn(facts: Facts, input: EventInput): TurnChange {
  return {
    turn: running(input, 'user_prompt', input.event.prompt_id),
    open_tools: agentsTools(facts),
    queued: undefined,
    compact: false,
    ...(input.event.own_prompt !== true && { edge_at: input.moment - PROMPT_LEAD }),
  };
}

/** The main agent does something: its turn runs, or goes on, or begins. `late` tools of an ended turn change nothing. */
export function workOn(facts: Facts, input: EventInput, reason: string): TurnChange {
  if (facts.turn.running)
    return { turn: named({ ...facts.turn, reason }, facts.turn.id ?? input.event.prompt_id) };
  if (isLateTool(facts, input)) return {};
  return { turn: running(input, reason, input.event.prompt_id), compact: false };
}

/** The main agent's tools tell why the turn runs; they never start one (rule 2). */
export function keepOn(facts: Facts, reason: string): TurnChange {
  return facts.turn.running && facts.turn.reason !== reason ? { turn: { ...facts.turn, reason } } : {};
}

function ended(facts: Facts, input: EventInput, end: Turn['end'], reason: string): Turn {
  const { id, started_at } = facts.turn;
  const turn = { running: false, end, reason, ended_at: input.moment, end_seen_at: input.arrival };
  // What the end itself names has ended, whatever prompt the record has heard of.
  return named({ ...turn, ...(started_at !== undefined && { started_at }) }, input.event.prompt_id ?? id);
}

/**
 * Is this Stop the echo of a turn that a StopFailure or an Interrupt has ended? Then it changes nothing (OpenCode's idle after an error). One that names another turn
 * ends that one: its prompt was lost on the way.
 */
export function isEchoedStop(facts: Facts, input: EventInput): boolean {
  const { running: runs, end, by_status } = facts.turn;
  return (
    !runs &&
    !namesAnother(facts, input) &&
    (end === 'failed' || (end === 'interrupted' && by_status !== true))
  );
}

/** Is this the end of another turn than the last that is known? What told of its beginning was lost; a queued prompt's turn has an id of its own. */
function namesAnother({ turn }: Facts, { event }: EventInput): boolean {
  return turn.id !== undefined && event.prompt_id !== undefined && turn.id !== event.prompt_id;
}

/** Types of background work that `state.background = agents` leaves out: a dev server need not keep a session running. */
const NOT_AGENTS: ReadonlySet<string> = new Set(['shell', 'monitor']);
/** Work that Stop still lists although it is over. */
const OVER: ReadonlySet<string> = new Set(['completed', 'failed', 'killed', 'stopped']);

/**
 * Lists every agent that it ever had, with its status, and is not at rest after the Stop that is the first to call one over: recorded, Ctrl-C twice does not end it then,
 * as it does at rest. Work that ran at the last Stop so counts until the next one.
 */
const REPORTS_LATE = 'qwen';

function stillRuns(work: BackgroundWork, facts: Facts, settings: RuleSettings): boolean {
  if (settings.background === 'agents' && NOT_AGENTS.has(work.type)) return false;
  if (!OVER.has(work.status)) return true;
  return (
    facts.provider === REPORTS_LATE &&
    facts.background.some((known) => known.id === work.id && !OVER.has(known.status))
  );
}

/** Do subagents work on after this end of the main agent's turn, as far as it tells? */
export function leavesAgents(facts: Facts, { event }: EventInput): boolean {
  const { background } = event;
  if (background === undefined) return facts.agents.length > 0;
  return background.some((work) => !OVER.has(work.status) && !NOT_AGENTS.has(work.type));
}

/** Stop: the turn is over; a queued prompt's turn begins; the background work is what this Stop lists (rules 2 and 3). */
export function stopTurn(facts: Facts, input: EventInput, settings: RuleSettings): TurnChange {
  const background = (input.event.background ?? []).filter((work) => stillRuns(work, facts, settings));
  const scheduled = background.length === 0 && (input.event.crons ?? 0) > 0;
  return {
    turn: ended(facts, input, scheduled ? 'scheduled' : 'done', scheduled ? 'scheduled' : 'stop'),
    queued: facts.queued === 'pending' && !namesAnother(facts, input) ? 'turn' : undefined,
    background,
    open_tools: agentsTools(facts),
    ...(background.length === 0 && { edge_at: input.moment - END_LEAD }),
  };
}

/** StopFailure: turn, queue and compaction are over, and the error stands until the next turn. */
export function failTurn(facts: Facts, input: EventInput): TurnChange {
  return {
    turn: ended(facts, input, 'failed', input.event.error ?? 'unknown'),
    queued: undefined,
    compact: false,
    edge_at: input.moment - END_LEAD,
    open_tools: agentsTools(facts),
  };
}

/** Interrupt and SessionEnd: nothing of the session runs any more. */
export function endAll(
  facts: Facts,
  input: EventInput,
  end: 'interrupted' | 'idle',
  reason: string,
): TurnChange {
  return { turn: ended(facts, input, end, reason), ...NOTHING_RUNS };
}

const NOTHING_RUNS = {
  queued: undefined,
  compact: false,
  background: [],
  agents: [],
  open_tools: [],
} as const;

/** SessionStart, not after a compaction: begins anew; measured: nothing runs after clear, resume and fork. */
export function beginSession(input: EventInput): TurnChange {
  const runs = startState(input.event) === 'running';
  return { turn: { running: false, end: runs ? 'fresh' : 'idle', reason: 'session_start' }, ...NOTHING_RUNS };
}

/** Sends `idle_prompt` after every turn, also after Esc: without a Stop, that means idle. */
const IDLE_AFTER_ESC = 'qwen';

/** `idle_prompt`: 60 s after its end nobody told of it. A forgotten `running` becomes `done`; background work stays (rule 5). */
export function forgetTurn(facts: Facts, input: EventInput): TurnChange {
  const forgotten =
    facts.turn.running || facts.queued !== undefined || facts.compact || facts.turn.end === 'fresh';
  if (!forgotten) return {};
  return {
    turn: ended(facts, input, facts.provider === IDLE_AFTER_ESC ? 'idle' : 'done', 'idle_prompt'),
    queued: undefined,
    compact: false,
    open_tools: agentsTools(facts),
  };
}

/** A login that worked: the failure that only the user could mend is mended. */
export function mendAccount(facts: Facts, input: EventInput): TurnChange {
  const { running: runs, end, reason } = facts.turn;
  if (runs || end !== 'failed' || !ACCOUNT_ERRORS.has(reason)) return {};
  return { turn: ended(facts, input, 'idle', 'auth_success') };
}
