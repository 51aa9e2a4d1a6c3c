/** How much is measured. */
export interface Scale {
  /** Repetitions of each measurement; figures are their medians. */
  readonly rounds: number;
  /** Length of one round of the latency [s], at 100 events a second. */
  readonly latencySeconds: number;
  /** Events of one round of the throughput. */
  readonly stormEvents: number;
  /** Sizes of the session table. */
  readonly tables: readonly number[];
  /** Events of one round at one size of the table. */
  readonly tableEvents: number;
  readonly subscribers: number;
  readonly fanoutMessages: number;
  readonly sessionsAtStart: number;
  readonly processRuns: number;
  /** Until what a start has left behind is likely to be collected [ms]. */
  readonly settleMs: number;
}

/** What the figures of the specification are taken with. */
export const FULL: Scale = {
  rounds: 5,
  latencySeconds: 10,
  stormEvents: 60_000,
  tables: [10, 1_000, 100_000],
  tableEvents: 10_000,
  subscribers: 500,
  fanoutMessages: 15,
  sessionsAtStart: 1_000,
  processRuns: 10,
  settleMs: 3_000,
};

/** Shows that the bench runs; its figures mean nothing. */
export const TINY: Scale = {
  rounds: 1,
  latencySeconds: 0.2,
  stormEvents: 400,
  tables: [10, 50],
  tableEvents: 200,
  subscribers: 20,
  fanoutMessages: 2,
  sessionsAtStart: 20,
  processRuns: 1,
  settleMs: 0,
};
