import { withHub } from '../bench-hub.ts';
import type { Figure, Row } from '../figure.ts';
import { withAedes, withRelay } from '../peers.ts';
import { median, medianRatio } from '../quantile.ts';
import { publishAll, stormEvents } from '../storm.ts';
import { WireClient } from '../wire-client.ts';

const SESSIONS = 1_000;

/** How many events a second go through broker, aggregator and commit, beside what Mosquitto with a relay and a plain Aedes carry of the same messages. */
export const throughput: Figure = {
  name: 'throughput',
  about: `sustained events/s over ${SESSIONS} sessions, QoS 1, each on disk before its acknowledgement; the load shares the processors`,
  async measure({ rounds, stormEvents: count }) {
    const events = stormEvents(count, SESSIONS);
    const hub: number[] = [];
    const relay: number[] = [];
    const aedes: number[] = [];
    const cpu: number[] = [];
    const rss: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await withHub(async ({ port, processor, rss: resident }) => {
        const before = processor();
        hub.push(count / (await publishAll(port, events)));
        cpu.push(((processor() - before) * 1000) / count);
        rss.push(resident() / 2 ** 20);
      });
      await withRelay(async (port) => void relay.push(await carried(port, 'signal/claude', events)));
      await withAedes(async (port) => void aedes.push(await carried(port, 'hook/claude', events)));
    }
    const row = (name: string, values: readonly number[], unit: string): Row => ({
      name,
      value: median(values),
      unit,
      rounds: values,
    });
    return [
      { ...row('events a second, on disk', hub, '/s'), goal: { atLeast: 10_000 } },
      row('Mosquitto + relay', relay, '/s'),
      row('plain Aedes, one subscriber', aedes, '/s'),
      { name: 'of Mosquitto + relay', value: medianRatio(hub, relay), unit: 'x' },
      { name: 'of plain Aedes', value: medianRatio(hub, aedes), unit: 'x' },
      row("the hub's processor time an event", cpu, 'µs'),
      row('its memory after the storm', rss, 'MB'),
    ];
  },
};

/** Messages a second until the last one has been acknowledged and has arrived at a subscriber. */
async function carried(port: number, topic: string, events: readonly Buffer[]): Promise<number> {
  let arrived = 0;
  let done = (): void => undefined;
  const all = new Promise<void>((resolve) => {
    done = resolve;
  });
  const subscriber = await WireClient.open(port, 'bench-subscriber', () => {
    arrived += 1;
    if (arrived === events.length) done();
  });
  await subscriber.subscribe(topic);
  const started = performance.now();
  await Promise.all([publishAll(port, events), all]);
  const seconds = (performance.now() - started) / 1000;
  subscriber.close();
  return events.length / seconds;
}
