import type { LoggedEvent } from '../../protocol/explain-evidence.ts';
import { isCommand, requester, requesterText } from '../../protocol/messages/request.ts';
import type { Session } from '../../protocol/session.ts';
import type { Store } from './store/hub-store.ts';
import type { StoredEvent } from './store/rows.ts';

/** As many entries as an explanation looks at. */
const MOST = 50;
/** More entries are not read at once; must be more than `MOST`. */
const PAGE = 500;
/** Where the search begins, and what is longer than any log is kept [ms]. */
const FIRST_WINDOW = 60_000;
const WHOLE_LOG = 10 * 366 * 86_400_000;

/**
 * The latest entries of a session's log, in the order of moments. The store reads forward from a moment, so the window that holds enough of them and not too many is looked for:
 * wider until there are enough, narrower after a burst. A few short reads of an index, whatever the log's length.
 * @param now unix ms
 */
export function latestEntries(
  store: Pick<Store, 'eventsOf'>,
  { provider, key }: Pick<Session, 'provider' | 'key'>,
  now: number,
): LoggedEvent[] {
  let found: StoredEvent[] = [];
  let tooNarrow = 0;
  let tooWide = Number.POSITIVE_INFINITY;
  let window = FIRST_WINDOW;
  while (tooWide - tooNarrow > 1 && found.length < MOST && tooNarrow < WHOLE_LOG) {
    const read = store.eventsOf(provider, key, now - window, PAGE);
    if (read.length < PAGE) {
      found = read;
      tooNarrow = window;
    } else tooWide = window;
    window = tooWide === Number.POSITIVE_INFINITY ? 8 * window : Math.floor((tooNarrow + tooWide) / 2);
  }
  return found.slice(-MOST).map(loggedEvent);
}

/** Whose word an entry of the log is. @param body as the log keeps it */
export function whose(body: string): string | undefined {
  const found = requester.safeParse((JSON.parse(body) as { by?: unknown }).by);
  return found.success ? requesterText(found.data) : undefined;
}

function loggedEvent({ event, moment, received_at, live, body }: StoredEvent): LoggedEvent {
  // What the body of an entry holds is a cut-down event, written by this hub or an older one.
  const told = JSON.parse(body) as Partial<Record<'signal' | 'tool' | 'agent_id' | 'notification', string>>;
  const by = isCommand(event) ? whose(body) : undefined;
  return {
    event,
    ...(told.signal !== undefined && { signal: told.signal }),
    ...(told.tool !== undefined && { tool: told.tool }),
    ...(told.agent_id !== undefined && { agent_id: told.agent_id }),
    ...(told.notification !== undefined && { notification: told.notification }),
    ...(by !== undefined && { by }),
    moment,
    arrival: received_at,
    live,
  };
}
