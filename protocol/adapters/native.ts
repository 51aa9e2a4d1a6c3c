import type { EventName } from '../events.ts';
import { CLAUDE_EVENTS, readClaude } from './claude.ts';
import { CODEX_EVENTS, readCodex } from './codex.ts';
import type { Fields } from './fields.ts';
import { GENERIC_EVENTS } from './generic.ts';
import { hookFields, type Picked, type Reading } from './hook-fields.ts';

/** How one agent's own payloads are read. */
export interface NativeAdapter {
  /** Its event names -> ours. One that isn't here is an `Other`: it changes nothing and is never guessed at (spec: state, section 1). */
  readonly events: ReadonlyMap<string, EventName>;
  /** Picks an event's fields; nothing else of the payload goes any further. */
  readonly read: (event: EventName, payload: Fields, reading: Reading) => Picked;
}

const ADAPTERS: ReadonlyMap<string, NativeAdapter> = new Map([
  ['claude', { events: CLAUDE_EVENTS, read: readClaude }],
  ['codex', { events: CODEX_EVENTS, read: readCodex }],
]);

const GENERIC: NativeAdapter = { events: GENERIC_EVENTS, read: hookFields };

/** The adapter of a provider's own payloads; the generic one for an agent that has none. */
export function nativeAdapter(provider: string): NativeAdapter {
  return ADAPTERS.get(provider) ?? GENERIC;
}
