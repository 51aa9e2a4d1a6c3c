import type { EventName } from '../events.ts';
import { type Fields, textOf } from './fields.ts';
import { asks, hookFields, type Picked, type Reading } from './hook-fields.ts';

/** Codex' hook events (codex-rs/hooks, 0.171.0) and the one event of its `notify` program. StopFailure is not released; it would mean this. */
export const CODEX_EVENTS: ReadonlyMap<string, EventName> = new Map<string, EventName>([
  ['SessionStart', 'SessionStart'],
  ['UserPromptSubmit', 'UserPromptSubmit'],
  ['PreToolUse', 'PreToolUse'],
  ['PostToolUse', 'PostToolUse'],
  ['PermissionRequest', 'PermissionRequest'],
  ['Stop', 'Stop'],
  ['StopFailure', 'StopFailure'],
  ['SubagentStart', 'SubagentStart'],
  ['SubagentStop', 'SubagentStop'],
  ['PreCompact', 'PreCompact'],
  ['PostCompact', 'PostCompact'],
  ['SessionEnd', 'SessionEnd'],
  ['Interrupt', 'Interrupt'],
  ['PreModelRequest', 'Other'],
  ['agent-turn-complete', 'Stop'],
]);

/** Reads the fields of a Codex payload, a hook's or its `notify` program's. Codex' turn is what Claude calls a prompt (spec: state, rule 2). */
export function readCodex(event: EventName, payload: Fields, reading: Reading): Picked {
  if (notifyType(payload) !== undefined) return readNotify(payload, reading);
  return { ...hookFields(event, payload, reading), prompt_id: payload['turn_id'] };
}

/** The event's name in what Codex hands to `notify`: an argument with a `type` and names of its own; `undefined` for anything else. */
export function notifyType(payload: Fields): string | undefined {
  return textOf(payload['hook_event_name']) === undefined ? textOf(payload['type']) : undefined;
}

function readNotify(payload: Fields, reading: Reading): Picked {
  return {
    session_id: payload['thread-id'],
    prompt_id: payload['turn-id'],
    cwd: payload['cwd'],
    // Internal threads report here too: the table believes only those that a hook has named (spec: state, rule 13).
    notify: true,
    question: asks(payload['last-assistant-message'], reading),
  };
}
