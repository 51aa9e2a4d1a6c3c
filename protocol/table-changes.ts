import type { ProviderRecord } from './aggregate.ts';
import type { CanonicalEvent } from './events.ts';
import type { Timeouts } from './expiry.ts';
import type { Pause } from './pauses.ts';
import type { NameRules } from './project-name.ts';
import type { ProviderRegistry } from './providers.ts';
import type { AckInput, RuleSettings, Session } from './session.ts';
import type { Span } from './spans.ts';
import type { AttentionState } from './states.ts';

/** What a session table needs to know. */
export interface TableOptions {
  readonly registry: ProviderRegistry;
  readonly timeouts: Timeouts;
  readonly rules: RuleSettings;
  readonly names: NameRules;
  /** Hex SHA-256, for session keys. */
  readonly sha256: (text: string) => string;
  /** Providers shown beside those that have been heard of: added by settings, or with hooks installed. */
  readonly shown?: readonly string[];
}

/** One session's change of state, or the end of its turn. Times are unix ms. */
export interface Transition {
  readonly provider: string;
  readonly key: string;
  readonly project: string;
  readonly from: AttentionState | null;
  readonly to: AttentionState | null;
  readonly event_type: AttentionState | 'turn_end' | 'removed';
  readonly reason: string;
  readonly alert: number;
  readonly at: number;
}

/** What changed since it was last asked. */
export interface TableChanges {
  /** By table id; `undefined`: removed. */
  readonly sessions: ReadonlyMap<string, Session | undefined>;
  readonly providers: ReadonlyMap<string, ProviderRecord>;
  readonly transitions: readonly Transition[];
  /** What is over: history. */
  readonly spans: readonly Span[];
  /** By scope; `undefined`: forgotten. */
  readonly pauses: ReadonlyMap<string, Pause | undefined>;
}

/** What a table is brought back from. */
export interface StoredTable {
  readonly sessions: readonly Session[];
  readonly providers: readonly ProviderRecord[];
  readonly pauses?: readonly Pause[];
  /** By table id, of the sessions that were heard of just now: all that their log holds, in the order of arrival. */
  readonly recent?: ReadonlyMap<string, readonly LoggedStep[]>;
}

/** An event as the log keeps it. */
export interface LoggedEvent {
  readonly event: CanonicalEvent;
  /** Unix ms. */
  readonly arrival: number;
}

/** What the log holds of a session's fold: its events, what the user has acknowledged, and that the record was cleared. */
export type LoggedStep = LoggedEvent | AckInput | { readonly cleared: true };

/** What becomes of an event: taken, the same as one before, without meaning for a session, or too late to have one. */
export type Outcome = 'applied' | 'duplicate' | 'no_change' | 'late';
