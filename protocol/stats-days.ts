/** Most days that `stats` can be asked for: a year. */
export const MOST_STATS_DAYS = 366;
