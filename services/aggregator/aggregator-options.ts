import type { AdaptContext } from '../../protocol/adapters/adapt.ts';
import type { TableOptions } from '../../protocol/table-changes.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Link } from '../../runtime/link.ts';
import type { Log } from '../../runtime/log.ts';
import type { PresenceOptions } from './presence.ts';
import type { Store } from './store/hub-store.ts';

/** What the aggregator works with. */
export interface AggregatorOptions {
  readonly link: Link;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly adapting: AdaptContext;
  readonly table: TableOptions;
  readonly presence: PresenceOptions;
  /** Does the broker say who makes a request? Only ours does. */
  readonly namesRequesters: boolean;
  /** What was decided about telling the phone of a session, oldest first [unix ms]; undefined where none is told. Left out: nobody tells one. */
  readonly phone?: (provider: string, key: string) => readonly Told[] | undefined;
  /** How long the event log is kept [days]. */
  readonly historyDays: number;
  /** Told for each live event how long after its arrival what it changed was published [ms]. */
  readonly onPublished?: (ms: number) => void;
}

/** One decision about a message to the phone. */
export interface Told {
  /** Unix ms. */
  readonly at: number;
  readonly outcome: string;
  readonly why: string;
  readonly words: string;
}
