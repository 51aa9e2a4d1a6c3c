import type { RecordedLine } from '../../protocol/sources/recording.ts';

/** What a hook was handed, as far as the scores look at it. */
export interface HookPayload {
  readonly hook_event_name?: string;
  readonly session_id?: string;
  readonly prompt_id?: string;
  readonly turn_id?: string;
  readonly agent_id?: string;
  readonly error?: string;
  readonly prompt?: string;
  readonly prompt_response?: string;
  readonly notification_type?: string;
  readonly background_tasks?: readonly unknown[];
  readonly session_crons?: readonly unknown[];
}

type Fields = Readonly<Record<string, unknown>>;

/** What Copilot's hooks mean; their payloads name no event. */
const COPILOT: Readonly<Record<string, string>> = {
  sessionStart: 'SessionStart',
  userPromptSubmitted: 'UserPromptSubmit',
  preToolUse: 'PreToolUse',
  postToolUse: 'PostToolUse',
  notification: 'Notification',
  agentStop: 'Stop',
  subagentStart: 'SubagentStart',
  subagentStop: 'SubagentStop',
  sessionEnd: 'SessionEnd',
};

/** What Copilot says of a session's last turn when a run without a screen ends. */
const COPILOT_ENDS: Readonly<Record<string, string>> = { complete: 'Stop', error: 'StopFailure' };

/** What OpenCode's plugin was told, by the event's type or the hook's name. */
const OPENCODE: Readonly<Record<string, string>> = {
  'session.created': 'SessionStart',
  'chat.message': 'UserPromptSubmit',
  'tool.execute.before': 'PreToolUse',
  'tool.execute.after': 'PostToolUse',
  'session.idle': 'Stop',
  'session.error': 'StopFailure',
};

/** A payload of a client with a form of its own, in the words of those that share one; read here once more, so that the scores don't rest on the adapters. */
export function inCommonWords({ argv = [] }: RecordedLine, payload: object): HookPayload {
  const [client, event = '', hook = ''] = argv;
  if (client === 'copilot') return copilot(event, payload as Fields);
  return client === 'opencode' ? opencode(hook, payload as Fields) : payload;
}

function copilot(
  event: string,
  { sessionId, session_id, agentId, reason, notification_type }: Fields,
): HookPayload {
  const ends = event === 'sessionEnd' && typeof reason === 'string' ? COPILOT_ENDS[reason] : undefined;
  return named(ends ?? COPILOT[event] ?? event, {
    session_id: sessionId ?? session_id,
    agent_id: agentId,
    notification_type,
  });
}

function opencode(hook: string, payload: Fields): HookPayload {
  const { sessionID, info, error, status } = (payload['properties'] ?? payload) as Fields;
  const type = typeof payload['type'] === 'string' ? payload['type'] : hook;
  const aborted = (error as Fields | undefined)?.['name'] === 'MessageAbortedError';
  const idle = type === 'session.status' && (status as Fields)['type'] === 'idle';
  const name = aborted ? 'Interrupt' : idle ? 'Stop' : (OPENCODE[type] ?? type);
  return named(name, { session_id: sessionID ?? (info as Fields | undefined)?.['id'] });
}

function named(hook_event_name: string, fields: Fields): HookPayload {
  const told = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { hook_event_name, ...Object.fromEntries(told) };
}
