import { startBenchHub, withHome } from '../bench-hub.ts';
import type { Figure } from '../figure.ts';
import { median } from '../quantile.ts';
import { publishAll, stormEvents } from '../storm.ts';
import { WireClient } from '../wire-client.ts';

/** From the start of the hub's process to the first right signal at a subscriber, with a table of an earlier run. */
export const start: Figure = {
  name: 'start',
  about: 'start of the process to the first right signal, sessions of an earlier run in the table',
  measure: ({ rounds, sessionsAtStart: sessions }) =>
    withHome(async (home) => {
      const filled = await startBenchHub(home);
      await publishAll(filled.port, stormEvents(sessions, sessions));
      const right = await firstSignal(filled.port, () => true);
      await filled.stop();
      const values: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const started = performance.now();
        const hub = await startBenchHub(home);
        await firstSignal(hub.port, (signal) => signal.includes(`"count":${sessions}`));
        values.push(performance.now() - started);
        await hub.stop();
      }
      if (!right.includes(`"count":${sessions}`)) throw new Error(`not ${sessions} sessions: ${right}`);
      return [
        {
          name: `first right signal, ${sessions} sessions`,
          value: median(values),
          unit: 'ms',
          rounds: values,
          goal: { atMost: 1_000 },
        },
      ];
    }),
};

async function firstSignal(port: number, isRight: (payload: string) => boolean): Promise<string> {
  let arrived = (_payload: string): void => undefined;
  const signal = new Promise<string>((resolve) => {
    arrived = resolve;
  });
  const client = await WireClient.open(port, 'bench-subscriber', (_topic, payload) => {
    const text = payload.toString();
    if (isRight(text)) arrived(text);
  });
  await client.subscribe('signal/claude');
  try {
    return await signal;
  } finally {
    client.close();
  }
}
