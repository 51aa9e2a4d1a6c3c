import type { EventName } from '../events.ts';
import { type Fields, textOf } from './fields.ts';
import { hookFields, type Picked, type Reading } from './hook-fields.ts';

/**
 * Cursor's hook events (cursor.com/docs/hooks). None tells that it waits for an approval, and that is never guessed at: a long command looks the same. Nothing tells the
 * end of a compaction either, so its begin says nothing.
 */
export const CURSOR_EVENTS: ReadonlyMap<string, EventName> = new Map<string, EventName>([
  ['sessionStart', 'SessionStart'],
  ['beforeSubmitPrompt', 'UserPromptSubmit'],
  ['preToolUse', 'PreToolUse'],
  ['postToolUse', 'PostToolUse'],
  ['postToolUseFailure', 'PostToolUseFailure'],
  ['beforeShellExecution', 'PreToolUse'],
  ['afterShellExecution', 'PostToolUse'],
  ['beforeMCPExecution', 'PreToolUse'],
  ['afterMCPExecution', 'PostToolUse'],
  ['afterFileEdit', 'PostToolUse'],
  ['subagentStart', 'SubagentStart'],
  ['subagentStop', 'SubagentStop'],
  ['stop', 'Stop'],
  ['sessionEnd', 'SessionEnd'],
  ['afterAgentResponse', 'Other'],
  ['afterAgentThought', 'Other'],
  ['afterTabFileEdit', 'Other'],
  ['beforeReadFile', 'Other'],
  ['beforeTabFileRead', 'Other'],
  ['preCompact', 'Other'],
  ['workspaceOpen', 'Other'],
]);

/** Where the name alone doesn't tell the event: how a turn ended. One that ends in another way has ended too, and nobody knows how. */
export function cursorEvent(name: string, payload: Fields): EventName | undefined {
  const { status = 'completed' } = payload;
  if (name !== 'stop' || status === 'completed') return undefined;
  return status === 'error' ? 'StopFailure' : 'Interrupt';
}

/** Reads the fields of a Cursor hook payload: a conversation is a session, a generation is a prompt's turn, and the workspace is the project. */
export function readCursor(event: EventName, payload: Fields, reading: Reading): Picked {
  const { subagent_id, subagent_type, conversation_id, parent_conversation_id } = payload;
  const ofAgent = event === 'SubagentStart' || event === 'SubagentStop';
  return {
    ...hookFields(event, payload, reading),
    ...toolOf(event, payload, reading),
    session_id: (ofAgent ? textOf(parent_conversation_id) : undefined) ?? sessionOf(payload, conversation_id),
    prompt_id: payload['generation_id'],
    cwd: workspaceOf(payload) ?? payload['cwd'],
    ...(ofAgent && { agent_id: subagent_id, agent_type: subagent_type }),
  };
}

function sessionOf(payload: Fields, conversation: unknown): unknown {
  return textOf(conversation) ?? payload['session_id'];
}

function workspaceOf({ workspace_roots: roots }: Fields): string | undefined {
  return Array.isArray(roots) ? textOf(roots[0]) : undefined;
}

/** Events of a shell's and of an edit name no tool; these are what `preToolUse` calls them. */
function toolOf(event: EventName, payload: Fields, reading: Reading): Picked {
  if (event !== 'PreToolUse' && event !== 'PostToolUse') return {};
  if (textOf(payload['tool_name']) !== undefined) return {};
  const { command, file_path } = payload;
  if (command !== undefined) return { tool: 'Shell', digest: reading.digest({ command }) };
  return file_path === undefined ? {} : { tool: 'Write' };
}
