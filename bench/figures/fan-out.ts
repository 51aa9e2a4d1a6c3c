import { withHub } from '../bench-hub.ts';
import type { Figure, Row } from '../figure.ts';
import { withMosquitto } from '../peers.ts';
import { median, medianRatio } from '../quantile.ts';
import { WireClient } from '../wire-client.ts';

/** Subscribers that connect at once. */
const AT_ONCE = 50;

/** From one change to the last of many subscribers: ours from the hook's publish, with the commit; Mosquitto's from a plain publish. */
export const fanOut: Figure = {
  name: 'fan-out',
  about: 'one change to the last of many subscribers of a signal, QoS 1; ours with commit, Mosquitto without',
  async measure({ rounds, subscribers, fanoutMessages: messages }) {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await withHub(
        async ({ port }) => void ours.push(await lastOne(port, 'hook/claude', subscribers, messages)),
      );
      await withMosquitto(
        async (port) => void theirs.push(await lastOne(port, 'signal/claude', subscribers, messages)),
      );
    }
    const row = (name: string, values: readonly number[]): Row => ({
      name,
      value: median(values),
      unit: 'ms',
      rounds: values,
    });
    return [
      row(`last of ${subscribers} subscribers`, ours),
      row('Mosquitto', theirs),
      { name: 'against Mosquitto', value: medianRatio(ours, theirs), unit: 'x', goal: { atMost: 2 } },
    ];
  },
};

/** Median of several messages, one at a time [ms]. */
async function lastOne(port: number, topic: string, subscribers: number, messages: number): Promise<number> {
  let arrived = 0;
  let wanted = '';
  let done = (): void => undefined;
  const clients: WireClient[] = [];
  const onMessage = (_topic: string, payload: Buffer): void => {
    if (wanted === '' || !payload.includes(wanted)) return;
    arrived += 1;
    if (arrived === subscribers) done();
  };
  for (let first = 0; first < subscribers; first += AT_ONCE) {
    const group = Array.from({ length: Math.min(AT_ONCE, subscribers - first) }, async (_, index) => {
      const client = await WireClient.open(port, `bench-${first + index}`, onMessage);
      await client.subscribe('signal/claude');
      return client;
    });
    clients.push(...(await Promise.all(group)));
  }
  const publisher = await WireClient.open(port, 'bench-publisher');
  const samples: number[] = [];
  for (let message = 0; message < messages; message += 1) {
    // Only once in a signal and only in its own one, as the project that asked last.
    const project = `p${message}-${performance.now()}`;
    const body = { event: 'PermissionRequest', session_id: project, cwd: `/srv/${project}` };
    arrived = 0;
    wanted = topic === 'hook/claude' ? `"primary_project":"${project}"` : project;
    const all = new Promise<void>((resolve) => {
      done = resolve;
    });
    const started = performance.now();
    publisher.publish(topic, JSON.stringify(body));
    await all;
    samples.push(performance.now() - started);
  }
  for (const client of [publisher, ...clients]) client.close();
  return median(samples);
}
