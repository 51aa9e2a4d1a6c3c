import { seconds } from '../../protocol/aggregate.ts';
import type { StatsData } from '../../protocol/messages/stats.ts';
import { openSpan } from '../../protocol/spans.ts';
import type { SessionTable } from '../../protocol/table.ts';
import { type WaitSpan, waitFigures } from '../../protocol/waits.ts';
import { localDays } from './local-days.ts';
import type { Store } from './store/hub-store.ts';

/** When nobody has said for how many. */
const DAYS = 7;

/** How long agents waited for the user: what the history holds, and the waits that last. @param now unix ms */
export function findStats(
  {
    table,
    store,
    historyDays,
  }: { readonly table: SessionTable; readonly store: Store; readonly historyDays: number },
  count: number | undefined,
  now: number,
): StatsData {
  const days = localDays(count ?? DAYS, now);
  const from = days[0]?.from ?? now;
  const open: WaitSpan[] = [];
  for (const session of table.sessions()) {
    if (session.state !== 'needs_user') continue;
    const { ended_by: _, ...span } = openSpan(session, table.projectOf(session), now, '');
    open.push(span);
  }
  const since = store.historySince();
  return {
    v: 1,
    from: seconds(from),
    to: seconds(now),
    days: days.length,
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    kept_days: historyDays,
    ...(since !== undefined && { since: seconds(since) }),
    open: open.filter(({ by_user }) => !by_user).length,
    ...waitFigures([...store.spansSince('needs_user', from), ...open], days),
  };
}
