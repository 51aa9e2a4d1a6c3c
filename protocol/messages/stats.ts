import { z } from 'zod';
import { count, name, seconds, version } from './fields.ts';

/** What `signalbox/response/stats` holds in `data`: how long agents waited for the user. Read tolerantly: a newer hub may tell more. */

/**
 * Waits of one kind, as far as they lie in the time that is looked at. `waited_s`: the sum of all sessions; `any_s`: the time in which at least one of them waited; `expired`: how many
 * ended because their time was over, so that nobody ever answered.
 */
export const waitFigures = z.object({
  waits: count,
  waited_s: count,
  any_s: count,
  longest_s: count,
  median_s: count,
  expired: count,
});
export type WaitFigures = z.infer<typeof waitFigures>;

export const statsData = z.object({
  v: version,
  /** The time that is looked at: `days` days of the hub's own time zone, today among them, up to now. */
  from: seconds,
  to: seconds,
  days: count,
  zone: name,
  /** For how many days the history is kept. */
  kept_days: count,
  /** Since when there is one; left out when there is none yet. */
  since: seconds.exactOptional(),
  /** How many sessions wait at this moment. */
  open: count,
  total: waitFigures,
  /** Every day of the time, the oldest first: `2026-11-30`. */
  by_day: z.array(waitFigures.extend({ day: z.string().max(16) })),
  /** Those that were waited in longest first. */
  by_project: z.array(waitFigures.extend({ project: z.string() })),
  by_reason: z.array(waitFigures.extend({ reason: z.string() })),
  /** How many projects had no room. */
  left_out: count,
});
export type StatsData = z.infer<typeof statsData>;
