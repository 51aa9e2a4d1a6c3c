import type { CanonicalEvent } from '../../protocol/events.ts';
import { REFOLD_WINDOW } from '../../protocol/expiry.ts';
import { isCommand } from '../../protocol/messages/request.ts';
import type { Session } from '../../protocol/session.ts';
import { sessionId } from '../../protocol/session-key.ts';
import type { LoggedStep } from '../../protocol/table-changes.ts';
import { whose } from './session-log.ts';
import type { Store } from './store/hub-store.ts';
import type { StoredEvent } from './store/rows.ts';

/** A start must not wait for a flood: of more sessions the last ones, of longer ones none. */
const MOST_SESSIONS = 300;
const MOST_EVENTS = 2_000;

/**
 * The logged events of the sessions that were heard of within the time in which an event may come late (spec: state, section 4 rule 6), by table id and in the order of
 * their arrival. @param now unix ms
 */
export function recentEvents(
  store: Pick<Store, 'eventsOf'>,
  sessions: readonly Session[],
  now: number,
): ReadonlyMap<string, readonly LoggedStep[]> {
  const touched = sessions
    .filter((session) => session.updated_at > now - REFOLD_WINDOW)
    .toSorted((a, b) => b.updated_at - a.updated_at)
    .slice(0, MOST_SESSIONS);
  const recent = new Map<string, readonly LoggedStep[]>();
  for (const { provider, key } of touched) {
    const rows = store.eventsOf(provider, key, 0, MOST_EVENTS + 1);
    if (rows.length > MOST_EVENTS) continue;
    const logged = rows.toSorted((a, b) => a.seq - b.seq).flatMap(read);
    recent.set(sessionId(provider, key), logged);
  }
  return recent;
}

/** One that can't be read is left out: what the others amount to is then not what was stored, and the table goes by that. */
function read({ event, body, received_at: arrival }: StoredEvent): LoggedStep[] {
  try {
    if (event === 'clear') return [{ cleared: true }];
    if (event === 'ack') return [{ ack: { by: whose(body) ?? '' }, arrival }];
    // What else a person says is no step of the fold.
    return isCommand(event) ? [] : [{ event: JSON.parse(body) as CanonicalEvent, arrival }];
  } catch {
    return [];
  }
}
