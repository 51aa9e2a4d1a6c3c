import type { CanonicalEvent } from '../../protocol/events.ts';
import { sessionKey } from '../../protocol/session-key.ts';
import type { EventRow } from './store/rows.ts';

/** An accepted event as the log keeps it. @param arrival unix ms */
export function eventRow(
  event: CanonicalEvent,
  arrival: number,
  live: boolean,
  sha256: (text: string) => string,
): EventRow {
  return {
    provider: event.provider,
    key: event.session_id === undefined ? '' : sessionKey(event.host ?? '', event.session_id, sha256),
    session_id: event.session_id ?? '',
    event: event.event,
    ...(event.id !== undefined && { id: event.id }),
    received_at: arrival,
    ...(event.sent_at !== undefined && { sent_at: event.sent_at }),
    moment: Math.min(event.sent_at ?? arrival, arrival),
    live,
    body: JSON.stringify(event),
  };
}
