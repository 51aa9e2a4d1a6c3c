import type { EventName } from '../events.ts';
import { type Fields, isFields, textOf } from './fields.ts';
import type { Picked, Reading } from './hook-fields.ts';

/**
 * What OpenCode's plugin forwards (seen with 1.18.33): the client's events as they are, `{id, type, properties}`, and the input of the plugin's hooks, whose names stand
 * beside them. A status `busy` begins each step of a turn, so it starts one and clears nothing; only a prompt's hook is the user's. Names of 2025 and of the second
 * permission interface are the same events.
 */
export const OPENCODE_EVENTS: ReadonlyMap<string, EventName> = new Map<string, EventName>([
  ['chat.message', 'UserPromptSubmit'],
  ['tool.execute.before', 'PreToolUse'],
  ['tool.execute.after', 'PostToolUse'],
  ['session.created', 'SessionStart'],
  ['session.deleted', 'SessionEnd'],
  ['session.idle', 'Stop'],
  ['session.error', 'StopFailure'],
  ['permission.asked', 'PermissionRequest'],
  ['permission.v2.asked', 'PermissionRequest'],
  ['permission.updated', 'PermissionRequest'],
  ['permission.replied', 'PostToolUse'],
  ['permission.v2.replied', 'PostToolUse'],
  ['question.asked', 'PermissionRequest'],
  ['question.v2.asked', 'PermissionRequest'],
  ['question.replied', 'PostToolUse'],
  ['question.v2.replied', 'PostToolUse'],
  ['question.rejected', 'PostToolUse'],
  ['question.v2.rejected', 'PostToolUse'],
  ['session.status', 'Other'],
  ['session.updated', 'Other'],
  ['session.compacted', 'Other'],
  ['session.diff', 'Other'],
  ['message.updated', 'Other'],
  ['message.part.updated', 'Other'],
  ['message.part.delta', 'Other'],
  ['plugin-init', 'Other'],
]);

/** A session's status by its type. */
const STATUS_EVENTS: ReadonlyMap<unknown, EventName> = new Map<unknown, EventName>([
  ['busy', 'UserPromptSubmit'],
  ['retry', 'UserPromptSubmit'],
  ['idle', 'Stop'],
]);

/** What OpenCode calls the error of a turn that the user has broken off. */
const ABORTED = 'MessageAbortedError';

/** The event's name in what the client itself tells; a hook's stands beside it. */
export function opencodeName(payload: Fields): string | undefined {
  return isFields(payload['properties']) ? textOf(payload['type']) : undefined;
}

/** Where the name alone doesn't tell the event. */
export function opencodeEvent(name: string, payload: Fields): EventName | undefined {
  const { status, error, reply } = propertiesOf(payload);
  switch (name) {
    case 'session.status':
      return isFields(status) ? STATUS_EVENTS.get(status['type']) : undefined;
    case 'session.error':
      return isFields(error) && error['name'] === ABORTED ? 'Interrupt' : undefined;
    case 'permission.replied':
    case 'permission.v2.replied':
      return reply === 'reject' ? 'PermissionDenied' : undefined;
    default:
      return undefined;
  }
}

/** How a question's tool is called here: the client's own name for it, `question`, might be anybody's. */
const QUESTION_TOOL = 'ask_user';

/** Reads the fields of an OpenCode payload. An error of no session in particular is nobody's. */
export function readOpencode(event: EventName, payload: Fields, reading: Reading): Picked {
  const properties = propertiesOf(payload);
  const info = fieldsOf(properties['info']);
  const own = opencodeName(payload) ?? '';
  const session_id =
    payload['sessionID'] ??
    properties['sessionID'] ??
    (own.startsWith('session.') ? info['id'] : info['sessionID']);
  const picked: Picked = {
    id: payload['id'],
    session_id,
    ...(textOf(session_id) !== undefined && { cwd: info['directory'] ?? payload['directory'] }),
    parent_id: payload['parentID'] ?? (own.startsWith('session.') ? info['parentID'] : undefined),
  };
  switch (event) {
    case 'SessionStart':
      return { ...picked, ...(reading.titles && { title: info['title'] }) };
    case 'UserPromptSubmit':
      return { ...picked, own_prompt: own === 'session.status' };
    case 'StopFailure':
      return { ...picked, error: fieldsOf(properties['error'])['name'] };
    case 'PermissionRequest':
      return { ...picked, ...request(own, properties) };
    case 'PreToolUse':
    case 'PostToolUse':
    case 'PermissionDenied':
      return { ...picked, ...(own === '' ? toolOf(payload, reading) : answer(properties)) };
    default:
      return picked;
  }
}

function toolOf(payload: Fields, reading: Reading): Picked {
  return { tool: payload['tool'], call: payload['callID'], digest: reading.digest(payload['args']) };
}

/** A request has an id of its own, and may name the call that it is about (spec: state, rule 1). */
function request(own: string, properties: Fields): Picked {
  const { id, permission, action, type, callID, tool, source } = properties;
  return {
    request: id,
    tool: own.startsWith('question.') ? QUESTION_TOOL : (permission ?? action ?? type),
    call: fieldsOf(tool)['callID'] ?? fieldsOf(source)['callID'] ?? callID,
  };
}

function answer({ requestID, permissionID, reply, response }: Fields): Picked {
  return { request: requestID ?? permissionID, outcome: reply ?? response };
}

function propertiesOf(payload: Fields): Fields {
  return fieldsOf(payload['properties']);
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}
