import { openToRead } from './read-store.ts';

/**
 * Whether a running hub has taken an event of a session: it looks into the event log beside the hub.
 * Throws SQLite's or the platform's error.
 */
export function hasArrived(path: string, provider: string, sessionId: string): boolean {
  const { connection, close } = openToRead(path, true);
  try {
    // From the newest on: the log may be long, and the event has just come.
    const found = connection
      .prepare<[string, string]>(
        'SELECT 1 FROM (SELECT provider, session_id FROM event ORDER BY seq DESC LIMIT 10000) WHERE provider = ? AND session_id = ?',
      )
      .get(provider, sessionId);
    return found !== undefined;
  } finally {
    close();
  }
}
