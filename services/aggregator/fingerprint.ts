import type { Adapted } from '../../protocol/adapters/adapt.ts';
import type { Hasher } from '../../protocol/events.ts';

/** What a sender adds to an agent's payload: different each time the same event is sent. */
const SENDERS_OWN = ['id', 'sent_at', 'ppid'] as const;

/**
 * Stands for the bytes that an agent handed over: the same ones within a second are one event (spec: state, section 2). An envelope's bytes differ each time, so
 * there it is the cut-down event without what the sender added.
 */
export function fingerprintOf(payload: string, adapted: Adapted, hasher: Hasher): string {
  if (!adapted.ok) return '';
  const { event } = adapted;
  if (event.enveloped !== true) return hasher.sha256(payload);
  const own: Record<string, unknown> = { ...event };
  for (const field of SENDERS_OWN) delete own[field];
  return hasher.sha256(JSON.stringify(own));
}
