import type { Pause } from '../../../protocol/pauses.ts';
import type { Session } from '../../../protocol/session.ts';
import type { Span } from '../../../protocol/spans.ts';

/** All times are unix milliseconds. */

/** One entry of the event log: an accepted event, or a person's words about a session. */
export interface EventRow {
  readonly provider: string;
  /** The session's key; empty for what belongs to no session. */
  readonly key: string;
  readonly session_id: string;
  /** The canonical event's name, a command's, or that of a try (protocol/self-test.ts). */
  readonly event: string;
  /** The sender's id for it; the same one of the same provider is kept once. */
  readonly id?: string;
  readonly received_at: number;
  readonly sent_at?: number;
  /** When it happened: `sent_at`, else the arrival. */
  readonly moment: number;
  /** False for what came late: spooled, redelivered, at start-up. */
  readonly live: boolean;
  /** True for what a second source has found: it doesn't count as heard. Not kept. */
  readonly found?: boolean;
  /** The cut-down event, or whose word it was, as JSON text. Nothing else may be put here: it goes to disk as it is. */
  readonly body: string;
}

/** An entry as it is read back. */
export interface StoredEvent extends EventRow {
  /** Grows with each entry. */
  readonly seq: number;
}

/** That something was refused. What it held is never kept. */
export interface RefusalRow {
  /** Slug, or empty when it named none that we know. */
  readonly provider: string;
  readonly code: string;
  readonly at: number;
}

/** How often something happened and when last. */
export interface Tally {
  readonly count: number;
  readonly last_at: number;
}
export interface LastEvent extends Tally {
  readonly provider: string;
  readonly event: string;
}
export interface RefusedTally extends Tally {
  readonly provider: string;
  readonly code: string;
}

/** What is kept of a provider beside its sessions: its counter of alerts and its lamp without sessions. */
export interface StoredProvider {
  readonly slug: string;
}

/** What one transaction writes. A `SessionTable`'s changes fit `sessions` and `providers` as they are. */
export interface Batch {
  readonly events?: readonly EventRow[];
  readonly refusals?: readonly RefusalRow[];
  /** By `<provider> <key>`; `undefined` takes the session out. */
  readonly sessions?: ReadonlyMap<string, Session | undefined>;
  /** By slug; `undefined` takes the provider out. */
  readonly providers?: ReadonlyMap<string, StoredProvider | undefined>;
  /** By scope; `undefined` takes the pause out. */
  readonly pauses?: ReadonlyMap<string, Pause | undefined>;
  /** What is over: added to the history. */
  readonly spans?: readonly Span[];
}
