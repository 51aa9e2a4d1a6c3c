import type { EventName } from '../events.ts';
import type { Fields } from './fields.ts';
import { hookFields, lengthOf, type Picked, type Reading } from './hook-fields.ts';

/** Qwen Code's hook events (docs/users/features/hooks.md of the project, and what 0.24.4 really sends): mostly Claude Code's. */
export const QWEN_EVENTS: ReadonlyMap<string, EventName> = new Map<string, EventName>([
  ['SessionStart', 'SessionStart'],
  ['UserPromptSubmit', 'UserPromptSubmit'],
  ['PreToolUse', 'PreToolUse'],
  ['PostToolUse', 'PostToolUse'],
  ['PostToolUseFailure', 'PostToolUseFailure'],
  ['PostToolBatch', 'PostToolBatch'],
  ['PermissionRequest', 'PermissionRequest'],
  ['PermissionDenied', 'PermissionDenied'],
  ['Notification', 'Notification'],
  ['Stop', 'Stop'],
  ['StopFailure', 'StopFailure'],
  ['SubagentStart', 'SubagentStart'],
  ['SubagentStop', 'SubagentStop'],
  ['PreCompact', 'PreCompact'],
  ['PostCompact', 'PostCompact'],
  ['SessionEnd', 'SessionEnd'],
  // Its record is deleted: nothing of it runs.
  ['SessionDelete', 'SessionEnd'],
  ['InstructionsLoaded', 'Other'],
  ['MessageDisplay', 'Other'],
  ['TodoCompleted', 'Other'],
  ['TodoCreated', 'Other'],
]);

/** Reads the fields of a Qwen Code hook payload. */
export function readQwen(event: EventName, payload: Fields, reading: Reading): Picked {
  const picked = hookFields(event, payload, reading);
  switch (event) {
    case 'UserPromptSubmit':
      return { ...picked, own_prompt: goesOn(payload) };
    case 'Stop':
      return { ...picked, crons: picked.crons ?? lengthOf(payload['crons']) };
    default:
      return picked;
  }
}

/** After each batch of tools the prompt comes again, empty, and without what was typed: nobody has answered anything. */
function goesOn(payload: Fields): boolean {
  return payload['prompt'] === '' && payload['submitted_prompt'] === undefined;
}
