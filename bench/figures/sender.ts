import { startBenchHub, withHome } from '../bench-hub.ts';
import type { Figure, Goal } from '../figure.ts';
import { measureSenderCost } from '../sender-cost.ts';

/** Ratios that are asked for; the sender's is to `mosquitto_pub -q 1`, the Node sender's to a bare Node. */
const GOALS: Readonly<Record<string, Goal>> = { sender: { atMost: 1.5 }, 'Node sender': { atMost: 1.25 } };

/** What an agent pays for an event: the whole process of every sender, beside its peers. */
export const sender: Figure = {
  name: 'sender',
  about: 'whole process of a sender, from its start to its end, and its peers',
  measure: ({ processRuns }) =>
    withHome(async (home) => {
      const hub = await startBenchHub(home);
      try {
        const costs = await measureSenderCost(home, processRuns);
        return costs.flatMap(({ name, median_ms: value, ratio }) => {
          const goal = GOALS[name];
          return [
            { name, value, unit: 'ms' },
            ...(goal === undefined ? [] : [{ name: `${name}, to its peer`, value: ratio, unit: 'x', goal }]),
          ];
        });
      } finally {
        await hub.stop();
      }
    }),
};
