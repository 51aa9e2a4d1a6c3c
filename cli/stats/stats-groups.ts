/** What a line of `signalbox stats` may be for. */
export const STATS_GROUPS = ['day', 'project', 'reason'] as const;
export type StatsGroup = (typeof STATS_GROUPS)[number];
