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
  /** How long the event log is kept [days]. */
  readonly historyDays: number;
  /** Told for each live event how long after its arrival what it changed was published [ms]. */
  readonly onPublished?: (ms: number) => void;
}
