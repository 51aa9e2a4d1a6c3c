import type { Adapted } from '../../protocol/adapters/adapt.ts';
import type { Hasher } from '../../protocol/events.ts';

/** Senders put the agent's JSON last in their envelope; what stands before it is different each time the same event is sent. */
const AGENTS_OWN = '"hook":';

/**
 * Stands for the bytes that an agent handed over: the same ones for a provider within a second are one event (spec: state, section 2). Where the event's name stands beside
 * them (Copilot, OpenCode), it belongs to them: before and after a call the bytes may be the same.
 */
export function fingerprintOf(payload: string, adapted: Adapted, hasher: Hasher): string {
  if (!adapted.ok) return '';
  const { enveloped, event, native = event } = adapted.event;
  const own = enveloped === true ? payload.indexOf(AGENTS_OWN) : -1;
  return hasher.sha256(own < 0 ? payload : `${native} ${payload.slice(own)}`);
}
