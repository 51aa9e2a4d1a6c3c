import type { EventName } from '../events.ts';
import { AMP_EVENTS, ampEvent, readAmp } from './amp.ts';
import { CLAUDE_EVENTS, readClaude } from './claude.ts';
import { CODEBUDDY_EVENTS } from './codebuddy.ts';
import { CODEX_EVENTS, notifyType, readCodex } from './codex.ts';
import { COPILOT_EVENTS, copilotEvent, readCopilot } from './copilot.ts';
import { CURSOR_EVENTS, cursorEvent, readCursor } from './cursor.ts';
import type { Fields } from './fields.ts';
import { GEMINI_EVENTS, geminiEvent, readGemini } from './gemini.ts';
import { GENERIC_EVENTS } from './generic.ts';
import { hookFields, type Picked, type Reading } from './hook-fields.ts';
import { OPENCODE_EVENTS, opencodeEvent, opencodeName, readOpencode } from './opencode.ts';
import { QWEN_EVENTS, readQwen } from './qwen.ts';

/** How one agent's own payloads are read. */
export interface NativeAdapter {
  /** Its event names -> ours. One that is neither here nor ours is an `Other`: it changes nothing and is never guessed at (spec: state, section 1). */
  readonly events: ReadonlyMap<string, EventName>;
  /** Picks an event's fields; nothing else of the payload goes any further. */
  readonly read: (event: EventName, payload: Fields, reading: Reading) => Picked;
  /** Where the agent's JSON names its event, other than in `hook_event_name`; left out: nowhere. */
  readonly nameOf?: (payload: Fields) => string | undefined;
  /** The event where its name alone doesn't tell it; `undefined`: it does. */
  readonly eventOf?: (name: string, payload: Fields) => EventName | undefined;
}

const ADAPTERS: ReadonlyMap<string, NativeAdapter> = new Map<string, NativeAdapter>([
  ['claude', { events: CLAUDE_EVENTS, read: readClaude }],
  ['codex', { events: CODEX_EVENTS, read: readCodex, nameOf: notifyType }],
  ['copilot', { events: COPILOT_EVENTS, read: readCopilot, eventOf: copilotEvent }],
  ['opencode', { events: OPENCODE_EVENTS, read: readOpencode, nameOf: opencodeName, eventOf: opencodeEvent }],
  ['amp', { events: AMP_EVENTS, read: readAmp, eventOf: ampEvent }],
  ['gemini', { events: GEMINI_EVENTS, read: readGemini, eventOf: geminiEvent }],
  ['cursor', { events: CURSOR_EVENTS, read: readCursor, eventOf: cursorEvent }],
  ['codebuddy', { events: CODEBUDDY_EVENTS, read: hookFields }],
  ['qwen', { events: QWEN_EVENTS, read: readQwen }],
]);

const GENERIC: NativeAdapter = { events: GENERIC_EVENTS, read: hookFields };

/** The adapter of a provider's own payloads; the generic one for an agent that has none. */
export function nativeAdapter(provider: string): NativeAdapter {
  return ADAPTERS.get(provider) ?? GENERIC;
}

/** Whether this version knows an agent's event by its name; one that means nothing for the state is known too. */
export function isKnownEvent(provider: string, name: string): boolean {
  return nativeAdapter(provider).events.has(name) || GENERIC_EVENTS.has(name);
}
