import { existsSync, statSync } from 'node:fs';
import { SignalboxError } from '../../protocol/errors.ts';
import { isCanonicalEvent } from '../../protocol/event-fields.ts';
import { type RecordedLine, recordedLine } from '../../protocol/sources/recording.ts';
import { type EventLog, type LogEntry, openEventLog } from '../../services/aggregator/store/log-store.ts';

/** Entries that are read and written at once. */
const PAGE = 500;

export interface LogReaderOptions {
  /** Path of the database. */
  readonly database: string;
  /** A running hub has it open. */
  readonly inUse: boolean;
  /** The recording's zero, unix ms. */
  readonly zero: number;
}

/**
 * Reads the event log on and on, each entry once. What the bus got is there before it is acknowledged, and cut down; `hook/+` itself is for hubs alone (spec: bus, "Roles").
 */
export class LogReader {
  readonly #options: LogReaderOptions;
  #log: EventLog | undefined;
  #file = 0;
  #seq = 0;

  constructor(options: LogReaderOptions) {
    this.#options = options;
  }

  /** Begins behind the newest entry, or at the first one since a moment (unix ms). @throws SignalboxError `database_unusable` */
  start(since: number | undefined): void {
    const { database, inUse } = this.#options;
    this.#readable(() => {
      this.#file = statSync(database).ino;
      this.#log = openEventLog(database, inUse);
      this.#seq = since === undefined ? this.#log.lastSeq() : this.#log.seqBefore(since);
    });
  }

  /** The lines of the next entries, some of which have none; `undefined` when there is nothing new. @throws SignalboxError `database_unusable` */
  next(): RecordedLine[] | undefined {
    return this.#readable(() => {
      this.#follow();
      const entries = this.#log?.after(this.#seq, PAGE) ?? [];
      const last = entries.at(-1);
      if (last === undefined) return undefined;
      this.#seq = last.seq;
      return entries.flatMap((entry) => this.#line(entry));
    });
  }

  stop(): void {
    this.#log?.close();
    this.#log = undefined;
  }

  /** A hub that found its database damaged goes on with another one. */
  #follow(): void {
    const { database, inUse } = this.#options;
    if (!inUse) return;
    const found = statSync(database, { throwIfNoEntry: false })?.ino;
    if (found === this.#file || found === undefined || !existsSync(`${database}-shm`)) return;
    this.stop();
    this.#log = openEventLog(database, inUse);
    this.#file = found;
    this.#seq = 0;
  }

  /** A person's words about a session are in the log too, and no events. */
  #line({ body, received_at, live }: LogEntry): RecordedLine[] {
    try {
      const event: unknown = JSON.parse(body);
      return isCanonicalEvent(event) ? [recordedLine(event, received_at - this.#options.zero, live)] : [];
    } catch {
      return [];
    }
  }

  #readable<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new SignalboxError(
        'database_unusable',
        { path: this.#options.database, reason },
        { cause: error },
      );
    }
  }
}
