import { openToRead } from './read-store.ts';
import type { StoredEvent } from './rows.ts';

/** An entry of the event log as a recording needs it. */
export type LogEntry = Pick<StoredEvent, 'seq' | 'received_at' | 'live' | 'body'>;

/** The event log, only read. SQLite's errors come through as they are. */
export interface EventLog {
  /** Of the last entry; 0 when there is none. */
  lastSeq(): number;
  /** In front of the first entry that arrived at a moment (unix ms) or later. */
  seqBefore(receivedAt: number): number;
  /** Entries behind one, in order of arrival. */
  after(seq: number, most: number): LogEntry[];
  close(): void;
}

/**
 * Opens the event log of a hub's database and writes nothing.
 * @param inUse a running hub has it open: what it adds is seen
 */
export function openEventLog(path: string, inUse: boolean): EventLog {
  const { connection, close } = openToRead(path, inUse);
  try {
    const last = connection.prepare<[], number | null>('SELECT max(seq) FROM event').pluck();
    const first = connection
      .prepare<[number], number | null>('SELECT min(seq) FROM event WHERE received_at >= ?')
      .pluck();
    const after = connection.prepare<[number, number], Omit<LogEntry, 'live'> & { live: number }>(
      'SELECT seq, received_at, live, body FROM event WHERE seq > ? ORDER BY seq LIMIT ?',
    );
    const lastSeq = (): number => last.get() ?? 0;
    return {
      lastSeq,
      seqBefore(receivedAt) {
        const found = first.get(receivedAt);
        return typeof found === 'number' ? found - 1 : lastSeq();
      },
      after: (seq, most) => after.all(seq, most).map((entry) => ({ ...entry, live: entry.live === 1 })),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}
