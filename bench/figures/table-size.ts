import { withHub } from '../bench-hub.ts';
import type { Figure, Row } from '../figure.ts';
import { median } from '../quantile.ts';
import { publishAll, stormEvents } from '../storm.ts';

/** Sessions that are heard of while it is measured; the others are in the table. */
const ACTIVE = 10;

/** What an event costs with ever more sessions in the table: the same events of the same few sessions, at each size. */
export const tableSize: Figure = {
  name: 'table-size',
  about: `processor time of the hub an event, of ${ACTIVE} active sessions among ever more`,
  async measure({ rounds, tables, tableEvents }) {
    const costs: number[][] = [];
    for (const size of tables) costs.push(await costsAt(size, tableEvents, rounds));
    const rows = tables.map(
      (size, index): Row => ({
        name: `at ${size.toLocaleString('en')} sessions`,
        value: median(costs[index] ?? []),
        unit: 'µs',
        rounds: costs[index] ?? [],
      }),
    );
    const medians = rows.map(({ value }) => value);
    const [smallest = Number.NaN] = medians;
    return [
      ...rows,
      {
        name: 'dearest against the smallest table',
        value: Math.max(...medians) / smallest,
        unit: 'x',
        goal: { atMost: 1.3 },
      },
    ];
  },
};

/** Microseconds an event, of each round. Processor time rather than the clock's: other work on the machine would be in that. */
function costsAt(size: number, events: number, rounds: number): Promise<number[]> {
  return withHub(async ({ port, processor }) => {
    await publishAll(port, stormEvents(size, size));
    const costs: number[] = [];
    // The first round is for what is compiled and cached only then.
    for (let round = 0; round <= rounds; round += 1) {
      const batch = stormEvents(events, ACTIVE, size + round * events);
      const before = processor();
      await publishAll(port, batch);
      costs.push(((processor() - before) * 1000) / events);
    }
    return costs.slice(1);
  });
}
