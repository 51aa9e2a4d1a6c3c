import type { EventName } from '../events.ts';
import { type Fields, isFields, textOf } from './fields.ts';
import { asks, hookFields, type Picked, type Reading } from './hook-fields.ts';

/**
 * Gemini CLI's hook events (docs/hooks/reference.md of the project, and what 0.61.0 really sends). PreCompress comes before every model call, and nothing tells the end of
 * a compaction, so it says nothing.
 */
export const GEMINI_EVENTS: ReadonlyMap<string, EventName> = new Map<string, EventName>([
  ['SessionStart', 'SessionStart'],
  ['BeforeAgent', 'UserPromptSubmit'],
  ['BeforeTool', 'PreToolUse'],
  ['AfterTool', 'PostToolUse'],
  ['Notification', 'Notification'],
  ['AfterAgent', 'Stop'],
  ['SessionEnd', 'SessionEnd'],
  ['AfterModel', 'Other'],
  ['BeforeModel', 'Other'],
  ['BeforeToolSelection', 'Other'],
  ['PreCompress', 'Other'],
]);

/** The one notification there is: a dialog has opened (spec: state, rule 5). */
const ASKS_THE_USER = 'ToolPermission';
/** The answer of a turn that has failed: no event tells an error. */
const NO_ANSWER = '[no response text]';
/** How a shell tool's result begins whose turn the user has broken off with Esc: nothing else tells of it. */
const CANCELLED = 'Command was cancelled by user';

/** Where the name alone doesn't tell the event: a dialog, a turn that was broken off, and one that has failed. */
export function geminiEvent(name: string, payload: Fields): EventName | undefined {
  switch (name) {
    case 'Notification':
      return payload['notification_type'] === ASKS_THE_USER ? 'PermissionRequest' : undefined;
    case 'AfterTool':
      return resultOf(payload).startsWith(CANCELLED) ? 'Interrupt' : undefined;
    case 'AfterAgent':
      return textOf(payload['prompt_response'])?.trim() === NO_ANSWER ? 'StopFailure' : undefined;
    default:
      return undefined;
  }
}

/** Reads the fields of a Gemini CLI hook payload. */
export function readGemini(event: EventName, payload: Fields, reading: Reading): Picked {
  const picked = hookFields(event, payload, reading);
  switch (event) {
    case 'PermissionRequest':
      return { ...picked, ...asked(payload['details'], reading) };
    case 'Stop':
      return { ...picked, question: asks(payload['prompt_response'], reading) };
    case 'StopFailure':
      return { ...picked, error: 'no_response' };
    default:
      return picked;
  }
}

/**
 * Whose dialog it is: it names no tool. A shell command is asked for as the call has it, so that the call's end closes it and a parallel call's does not; the tools that ask
 * the user go by their own name. An edit, a fetch and an MCP tool can't be told apart: any tool's end closes what has no tool (spec: state, rule 1).
 */
function asked(details: unknown, reading: Reading): Picked {
  if (!isFields(details)) return {};
  switch (details['type']) {
    case 'exec':
      return { tool: 'run_shell_command', digest: reading.digest({ command: details['command'] }) };
    case 'ask_user':
    case 'exit_plan_mode':
      return { tool: details['type'] };
    default:
      return {};
  }
}

/** What a tool's result tells the model. */
function resultOf(payload: Fields): string {
  const response = payload['tool_response'];
  return (isFields(response) ? textOf(response['llmContent']) : undefined) ?? '';
}
