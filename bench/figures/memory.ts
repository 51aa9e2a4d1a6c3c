import { setTimeout as wait } from 'node:timers/promises';
import { withHub } from '../bench-hub.ts';
import type { Figure } from '../figure.ts';
import { median } from '../quantile.ts';
import { publishAll, stormEvents } from '../storm.ts';
import { WireClient } from '../wire-client.ts';

const SESSIONS = 100;
const CLIENTS = 20;

/** What a hub takes that has nothing to do. */
export const memory: Figure = {
  name: 'memory',
  about: `resident memory of an idle hub with ${SESSIONS} sessions and ${CLIENTS} clients`,
  async measure({ rounds, settleMs }) {
    const values: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await withHub(async ({ port, rss }) => {
        await publishAll(port, stormEvents(SESSIONS * 4, SESSIONS));
        const clients = await Promise.all(
          Array.from({ length: CLIENTS }, async (_, index) => {
            const client = await WireClient.open(port, `bench-${index}`);
            await client.subscribe('signal/+');
            return client;
          }),
        );
        await wait(settleMs);
        values.push(rss() / 2 ** 20);
        for (const client of clients) client.close();
      });
    }
    return [{ name: 'idle hub', value: median(values), unit: 'MB', rounds: values, goal: { atMost: 120 } }];
  },
};
