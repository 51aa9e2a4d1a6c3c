import type { EventName } from '../events.ts';
import { type Fields, textOf } from './fields.ts';
import { hookFields, type Picked, type Reading } from './hook-fields.ts';

/**
 * Claude Code's hook events (the vendor's hook documentation and the names in the 2.1.332 binary) and what each is called here. `Other`: means
 * nothing for the state. A slash command's expansion follows its UserPromptSubmit, so it says nothing new.
 */
export const CLAUDE_EVENTS: ReadonlyMap<string, EventName> = new Map<string, EventName>([
  ['SessionStart', 'SessionStart'],
  ['UserPromptSubmit', 'UserPromptSubmit'],
  ['PreToolUse', 'PreToolUse'],
  ['PostToolUse', 'PostToolUse'],
  ['PostToolUseFailure', 'PostToolUseFailure'],
  ['PostToolBatch', 'PostToolBatch'],
  ['PermissionRequest', 'PermissionRequest'],
  ['PermissionDenied', 'PermissionDenied'],
  ['Elicitation', 'Elicitation'],
  ['ElicitationResult', 'ElicitationResult'],
  ['PreModelSwitch', 'PreModelSwitch'],
  ['PostModelSwitch', 'PostModelSwitch'],
  ['Notification', 'Notification'],
  ['Stop', 'Stop'],
  ['StopFailure', 'StopFailure'],
  ['SubagentStart', 'SubagentStart'],
  ['SubagentStop', 'SubagentStop'],
  ['PreCompact', 'PreCompact'],
  ['PostCompact', 'PostCompact'],
  ['SessionEnd', 'SessionEnd'],
  ['ConfigChange', 'Other'],
  ['CwdChanged', 'Other'],
  ['DirectoryAdded', 'Other'],
  ['FileChanged', 'Other'],
  ['InstructionsLoaded', 'Other'],
  ['MessageDisplay', 'Other'],
  ['PreSkillShellCommand', 'Other'],
  ['Setup', 'Other'],
  ['TaskCompleted', 'Other'],
  ['TaskCreated', 'Other'],
  ['TeammateIdle', 'Other'],
  ['UserPromptExpansion', 'Other'],
  ['WorktreeCreate', 'Other'],
  ['WorktreeRemove', 'Other'],
]);

/** How the prompt begins that the client writes itself when background work is over (spec: state, rule 2). */
const OWN_PROMPT = '<task-notification>';

/** Reads the fields of a Claude Code hook payload. */
export function readClaude(event: EventName, payload: Fields, reading: Reading): Picked {
  const picked = hookFields(event, payload, reading);
  if (event !== 'UserPromptSubmit') return picked;
  return { ...picked, own_prompt: textOf(payload['prompt'])?.startsWith(OWN_PROMPT) };
}
