import type { StatsData } from '../../protocol/messages/stats.ts';

/** How long an answer is given again [ms]; its `to` says of when it is. */
const KEPT_MS = 5_000;
/** Ranges that are kept. */
const MOST = 8;

/**
 * Gives the figures of a range again for some seconds: a large history takes a while to add up, the hub does nothing else meanwhile, and whoever polls asks without end.
 * @param find what is asked of the history; days and unix ms
 */
export function keepStats(
  find: (days: number | undefined, now: number) => StatsData,
): (days: number | undefined, now: number) => StatsData {
  const kept = new Map<number | undefined, { readonly at: number; readonly data: StatsData }>();
  return (days, now) => {
    const known = kept.get(days);
    // A clock that was set back ends it too.
    if (known !== undefined && Math.abs(now - known.at) < KEPT_MS) return known.data;
    const data = find(days, now);
    kept.delete(days);
    kept.set(days, { at: now, data });
    const [oldest] = kept.keys();
    if (kept.size > MOST) kept.delete(oldest);
    return data;
  };
}
