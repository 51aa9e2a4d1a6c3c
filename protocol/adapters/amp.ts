import type { EventName } from '../events.ts';
import type { Fields } from './fields.ts';
import { hookFields, type Picked, type Reading } from './hook-fields.ts';

/**
 * What Signalbox' Amp plugin sends: `{agent: "amp", event, session_id, cwd, tool?, call?, input?, status?}`. The events' names are those of Amp's plugin interface; the form is
 * our own, since a plugin there is a program. Amp tells of no request, and none is guessed.
 */
export const AMP_EVENTS: ReadonlyMap<string, EventName> = new Map<string, EventName>([
  ['session.start', 'SessionStart'],
  ['agent.start', 'UserPromptSubmit'],
  ['agent.end', 'Stop'],
  ['tool.call', 'PreToolUse'],
  ['tool.result', 'PostToolUse'],
]);

/** How an agent.end says that its turn ended, where that is not well. */
const BAD_ENDS: ReadonlyMap<unknown, EventName> = new Map<unknown, EventName>([
  ['error', 'StopFailure'],
  ['cancelled', 'Interrupt'],
]);

/** Where the name alone doesn't tell the event: how a turn ended. */
export function ampEvent(name: string, payload: Fields): EventName | undefined {
  return name === 'agent.end' ? BAD_ENDS.get(payload['status']) : undefined;
}

/** Reads the fields of an Amp plugin's payload. */
export function readAmp(event: EventName, payload: Fields, reading: Reading): Picked {
  const { tool, call, input } = payload;
  return hookFields(event, { tool_name: tool, tool_use_id: call, tool_input: input, ...payload }, reading);
}
