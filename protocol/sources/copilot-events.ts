import { nestsDeeperThan } from '../adapters/json-depth.ts';
import { ASKING_TOOLS } from '../event-table.ts';
import { cutDown, type EventDraft } from '../event-fields.ts';
import type { CanonicalEvent } from '../events.ts';

/** What a line of a Copilot session's own log tells that no hook does, as an event of that session; its moment is the line's own time stamp. */
export type LoggedCopilotEvent = CanonicalEvent & { readonly sent_at: number };

/** A tool call that has begun. */
interface Call {
  readonly tool: unknown;
  readonly digest: string | undefined;
}

/** What has to be remembered between the lines of one log. */
export interface CopilotLogState {
  /** The latest calls by their ids: a request names its call alone. */
  readonly calls?: ReadonlyMap<unknown, Call>;
  /** No turn of the main agent runs; left out: it runs, or nobody knows. */
  readonly rests?: boolean;
}

interface Read {
  readonly event?: LoggedCopilotEvent;
  readonly state: CopilotLogState;
}

/** A question is a tool. What such a dialog, or a form of an MCP server, does besides is not kept: `user_input.*` and `elicitation.*` are ephemeral (the vendor's event types). */
function asks({ tool }: Call): boolean {
  return typeof tool === 'string' && ASKING_TOOLS.has(tool);
}

/** No more calls are under way at once. */
const MOST_CALLS = 64;

/** A line that has been read, without what it says. */
interface Entry {
  readonly type: unknown;
  readonly data: Record<string, unknown>;
  readonly agent: unknown;
  readonly at: number;
}

/**
 * Reads one line of `session-state/<id>/events.jsonl` (seen with Copilot CLI 1.0.102): a request and its answer, a question and its answer, Esc, an error that ends a turn, and
 * where a turn begins and ends. A line that tells nothing, or
 * is no whole line yet, gives no event. Only dialogs are logged as requests: what is allowed without one is not.
 * @param session the session's id: the name of the log's folder
 * @param digest keyed digest of a tool's input, as the hooks' adapter has it
 */
export function readCopilotLine(
  line: string,
  session: string,
  state: CopilotLogState,
  digest: (input: unknown) => string | undefined,
): Read {
  const entry = parsed(line);
  if (entry === undefined) return { state };
  const { data, agent, at } = entry;
  const tell = (draft: Omit<EventDraft, 'provider'>): LoggedCopilotEvent => ({
    ...cutDown({ ...draft, provider: 'copilot', session_id: session, agent_id: agent, sent_at: at, ...SEEN }),
    sent_at: at,
  });
  switch (entry.type) {
    case 'tool.execution_start': {
      const call = { tool: data['toolName'], digest: digest(data['arguments']) };
      return {
        ...(asks(call) && { event: tell({ event: 'PreToolUse', call: data['toolCallId'], ...call }) }),
        state: withCall(state, data['toolCallId'], call),
      };
    }
    case 'tool.execution_complete': {
      const call = state.calls?.get(data['toolCallId']);
      if (call === undefined || !asks(call)) return { state };
      return { event: tell({ event: 'PostToolUse', call: data['toolCallId'], ...call }), state };
    }
    case 'permission.requested': {
      const call = fieldsOf(data['permissionRequest'])['toolCallId'];
      return {
        event: tell({
          event: 'PermissionRequest',
          request: data['requestId'],
          call,
          ...state.calls?.get(call),
        }),
        state,
      };
    }
    case 'permission.completed':
      return { event: tell(answer(data, state)), state };
    default:
      return agent === undefined ? mainTurn(entry, state, tell) : { state };
  }
}

/** Only a hook tells which log is to be read: what it says is of a session that is known (spec: state, rule 13). */
const SEEN = { notify: true, enveloped: true } as const;

/** What begins and ends the main agent's turn: each is told once, whether its hook arrived or not. */
function mainTurn(
  { type, data }: Entry,
  state: CopilotLogState,
  tell: (draft: Omit<EventDraft, 'provider'>) => LoggedCopilotEvent,
): Read {
  switch (type) {
    case 'user.message':
    case 'assistant.turn_start': {
      const begins = { state: { ...state, rests: false } };
      // Only the prompt's own hook tells that a person typed it: this one starts the turn and clears nothing.
      return state.rests === false
        ? { state }
        : { ...begins, event: tell({ event: 'UserPromptSubmit', own_prompt: true }) };
    }
    case 'hook.start':
      return data['hookType'] === 'agentStop' && !isAgents(data)
        ? over(state, () => tell({ event: 'Stop' }))
        : { state };
    case 'abort':
      return over(state, () => tell({ event: 'Interrupt', reason: data['reason'] }));
    case 'session.error':
      return over(state, () => tell({ event: 'StopFailure', error: data['errorType'] ?? 'unknown' }));
    default:
      return { state };
  }
}

/** What ends a turn means nothing where none runs: an error of the client's own, a second Esc. */
function over(state: CopilotLogState, tell: () => LoggedCopilotEvent): Read {
  return state.rests === true ? { state } : { event: tell(), state: { ...state, rests: true } };
}

/** The hooks of subagents stand in the log as the session's own. */
function isAgents(data: Record<string, unknown>): boolean {
  return fieldsOf(data['input'])['agentId'] !== undefined;
}

/** A tool that is allowed begins now; one that is not is over. */
function answer(data: Record<string, unknown>, { calls }: CopilotLogState): Omit<EventDraft, 'provider'> {
  const { requestId: request, toolCallId: call } = data;
  const outcome = fieldsOf(data['result'])['kind'];
  return typeof outcome === 'string' && outcome.startsWith('approved')
    ? { event: 'PostToolUse', request, call, outcome }
    : { event: 'PermissionDenied', request, call, outcome, ...calls?.get(call) };
}

function withCall(state: CopilotLogState, id: unknown, call: Call): CopilotLogState {
  const calls = new Map([...(state.calls ?? [])].slice(1 - MOST_CALLS));
  return { ...state, calls: calls.set(id, call) };
}

/** Deeper than any tool's input. */
const DEEPEST = 64;

function parsed(line: string): Entry | undefined {
  if (nestsDeeperThan(line, DEEPEST)) return undefined;
  try {
    const { type, data, agentId: agent, timestamp } = fieldsOf(JSON.parse(line));
    const at = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
    return at >= 0 ? { type, data: fieldsOf(data), agent, at } : undefined;
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
