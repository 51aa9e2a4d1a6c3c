import type { EventName } from '../events.ts';
import type { Fields } from './fields.ts';
import { hookFields, type Picked, type Reading } from './hook-fields.ts';

/**
 * GitHub Copilot CLI's hook events in both spellings (the vendor's hooks reference; seen with 1.0.102): camelCase, whose payload names no event, and PascalCase with
 * snake_case fields. `Other` means nothing for the state: a permissionRequest also fires for tools that are allowed, its notification tells of the dialog (spec: state,
 * rule 5); no hook tells when a compaction is over.
 */
export const COPILOT_EVENTS: ReadonlyMap<string, EventName> = new Map<string, EventName>([
  ['sessionStart', 'SessionStart'],
  ['SessionStart', 'SessionStart'],
  ['userPromptSubmitted', 'UserPromptSubmit'],
  ['UserPromptSubmit', 'UserPromptSubmit'],
  ['preToolUse', 'PreToolUse'],
  ['PreToolUse', 'PreToolUse'],
  ['postToolUse', 'PostToolUse'],
  ['PostToolUse', 'PostToolUse'],
  ['postToolUseFailure', 'PostToolUseFailure'],
  ['PostToolUseFailure', 'PostToolUseFailure'],
  ['notification', 'Notification'],
  ['Notification', 'Notification'],
  ['agentStop', 'Stop'],
  ['Stop', 'Stop'],
  ['subagentStart', 'SubagentStart'],
  ['SubagentStart', 'SubagentStart'],
  ['subagentStop', 'SubagentStop'],
  ['SubagentStop', 'SubagentStop'],
  ['sessionEnd', 'SessionEnd'],
  ['SessionEnd', 'SessionEnd'],
  ['errorOccurred', 'Other'],
  ['ErrorOccurred', 'Other'],
  ['permissionRequest', 'Other'],
  ['PermissionRequest', 'Other'],
  ['preCompact', 'Other'],
  ['PreCompact', 'Other'],
  ['preMcpToolCall', 'Other'],
  ['userPromptTransformed', 'Other'],
]);

/** What a sessionEnd says of the session's last turn; it fires after every turn of a `-p` run. Any other reason is the end of the session. */
const SESSION_ENDS: ReadonlyMap<unknown, EventName> = new Map<unknown, EventName>([
  ['complete', 'Stop'],
  ['error', 'StopFailure'],
  ['timeout', 'StopFailure'],
  ['abort', 'Interrupt'],
]);

/** Where the name alone doesn't tell the event: how a session ended, and an error that ends the turn. */
export function copilotEvent(name: string, payload: Fields): EventName | undefined {
  switch (name) {
    case 'sessionEnd':
    case 'SessionEnd':
      return SESSION_ENDS.get(payload['reason']);
    case 'errorOccurred':
    case 'ErrorOccurred':
      return payload['recoverable'] === false ? 'StopFailure' : undefined;
    default:
      return undefined;
  }
}

/** Reads the fields of a Copilot payload in either spelling. What a child session tells names its parent (spec: state, rule 4). */
export function readCopilot(event: EventName, payload: Fields, reading: Reading): Picked {
  const { agent_id, ...fields } = hookFields(event, snakeCased(payload), reading);
  const session_id = fields.session_id;
  const isChild = agent_id !== undefined && agent_id === session_id;
  return {
    ...fields,
    ...(isChild ? { parent_id: payload['parentAgentId'] ?? payload['parent_agent_id'] } : { agent_id }),
    sent_at: momentOf(payload['timestamp']),
    ...(event === 'StopFailure' && {
      error: payload['errorContext'] ?? payload['error_context'] ?? payload['reason'],
    }),
  };
}

function snakeCased(payload: Fields): Fields {
  return {
    session_id: payload['sessionId'],
    transcript_path: payload['transcriptPath'],
    tool_name: payload['toolName'],
    tool_input: payload['toolArgs'],
    agent_id: payload['agentId'],
    agent_type: payload['agentType'],
    ...payload,
  };
}

/** Before it no such client was there: what is less is no time in milliseconds. */
const OLDEST = Date.UTC(2020);

/** The client's own time: hooks that it starts together may pass one another. Milliseconds, or ISO 8601 in the PascalCase form. */
function momentOf(timestamp: unknown): number | undefined {
  const moment = typeof timestamp === 'string' ? Date.parse(timestamp) : timestamp;
  return typeof moment === 'number' && moment >= OLDEST ? Math.trunc(moment) : undefined;
}
