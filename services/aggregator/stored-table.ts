import type { ProviderRecord } from '../../protocol/aggregate.ts';
import type { StoredTable } from '../../protocol/table-changes.ts';
import { recentEvents } from './recent-events.ts';
import type { Store } from './store/hub-store.ts';

/** All that a session table is brought back from. @param now unix ms; @throws SignalboxError `database_unusable` */
export function storedTable(store: Store, now: number): StoredTable {
  const sessions = store.sessions();
  return {
    sessions,
    providers: store.providers<ProviderRecord>(),
    pauses: store.pauses(),
    recent: recentEvents(store, sessions, now),
  };
}
