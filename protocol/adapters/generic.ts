import { EVENT_FIELDS } from '../event-fields.ts';
import { EVENT_NAMES, type EventName } from '../events.ts';
import type { Fields } from './fields.ts';
import { hookFields, type Picked, type Reading } from './hook-fields.ts';

/**
 * The canonical names, matched as they are written: what an agent without an adapter of its own and a hand-written event may say. A raw signal is
 * no event of an agent.
 */
export const GENERIC_EVENTS: ReadonlyMap<string, EventName> = new Map(
  EVENT_NAMES.filter((name) => name !== 'Signal').map((name) => [name, name]),
);

/** Fields that come from elsewhere, or only on a condition. */
const NOT_BY_HAND: ReadonlySet<string> = new Set(['event', 'provider', 'enveloped', 'signal', 'title']);

/**
 * Reads the canonical form `{event, session_id, cwd, ...}`: our own field names and those of the agents' hooks (`tool` or `tool_name`, `call` or
 * `tool_use_id`); where both stand, the hooks' win, since the digest is then ours. An event that was cut down elsewhere (`v: 1` and a provider)
 * has this form too; it alone may say that it came in an envelope.
 */
export function readByHand(event: EventName, payload: Fields, reading: Reading): Picked {
  const picked: Record<string, unknown> = {};
  for (const field of Object.keys(EVENT_FIELDS)) {
    if (!NOT_BY_HAND.has(field)) picked[field] = payload[field];
  }
  if (reading.titles) picked['title'] = payload['title'];
  if (event === 'Signal') picked['signal'] = payload['signal'];
  if (payload['v'] === 1 && payload['provider'] !== undefined) picked['enveloped'] = payload['enveloped'];
  for (const [field, value] of Object.entries(hookFields(event, payload, reading))) {
    if (value !== undefined && value !== false) picked[field] = value;
  }
  return picked;
}
