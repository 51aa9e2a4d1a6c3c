import { describe, expect, it } from 'vitest';
import { startBroker, type TestBroker } from '../../support/broker.ts';
import {
  type ConnectOptions,
  rawClient,
  type RawClient,
  subscribePacket,
  TYPE,
} from '../../support/raw-mqtt.ts';
import { until } from '../../support/until.ts';

const PAYLOAD = Buffer.alloc(60 * 1024, 'x');

/** A subscriber that has its SUBACK and reads nothing from then on. */
async function stalled(port: number, filter: string, options: ConnectOptions = {}): Promise<RawClient> {
  const client = await rawClient(port);
  await client.handshake({ clientId: 'stuck', ...options });
  client.send(subscribePacket([filter]));
  expect((await client.nextPacket()).type).toBe(TYPE.suback);
  client.stream.pause();
  return client;
}

function isCutOff({ log }: TestBroker): boolean {
  return log.some((line) => line.includes('reads too slowly') || line.includes('reads nothing'));
}

describe('a subscriber that stops reading', () => {
  it('delays nobody else and is cut off above the unsent limit', async () => {
    const test = await startBroker({ limits: { unsentBytes: 256 * 1024, drainMs: 60_000 } });
    await stalled(test.port, 'signal/#');
    const healthy = await test.connect();
    await healthy.subscribe('signal/+', 'line');
    const hub = await test.hub();
    let sent = 0;
    // The system's own buffers take some megabytes before the broker notices anything.
    while (!isCutOff(test)) {
      await hub.publish('signal/claude', PAYLOAD, { qos: 0 });
      await hub.publish('line', 'an unrelated topic');
      sent += 1;
      await healthy.nextMessage('signal/claude');
      expect((await healthy.nextMessage('line')).payload).toBe('an unrelated topic');
    }
    expect(sent).toBeGreaterThan(4);
    await until(() => test.broker.clients() === 2);
  });

  it('holds up nobody even while nothing cuts it off', async () => {
    const test = await startBroker({ limits: { unsentBytes: Number.MAX_SAFE_INTEGER, drainMs: 60_000 } });
    await stalled(test.port, 'signal/#');
    const healthy = await test.connect();
    await healthy.subscribe('signal/+', 'line');
    const hub = await test.hub();
    // More messages than Aedes would have under way at once by default, behind full buffers of the system.
    for (let count = 0; count < 400; count += 1) {
      await hub.publish('signal/claude', PAYLOAD, { qos: 0 });
      await healthy.nextMessage('signal/claude');
    }
    await hub.publish('line', 'an unrelated topic');
    expect((await healthy.nextMessage('line')).payload).toBe('an unrelated topic');
    expect(test.broker.clients()).toBe(3);
  });

  it('is cut off when it reads nothing for the drain time, however little waits', async () => {
    const test = await startBroker({ limits: { drainMs: 30 } });
    await stalled(test.port, 'signal/#');
    const hub = await test.hub();
    while (!isCutOff(test)) await hub.publish('signal/claude', PAYLOAD);
    await until(() => test.broker.clients() === 1);
  });

  it('finds its messages again when its session is a persistent one', async () => {
    const test = await startBroker({ limits: { unsentBytes: 64 * 1024, drainMs: 60_000 } });
    const stuck = await stalled(test.port, 'signal/#', { clean: false });
    const hub = await test.hub();
    let sent = 0;
    while (!isCutOff(test)) {
      await hub.publish('signal/claude', Buffer.from(`${sent} ${PAYLOAD.toString()}`));
      sent += 1;
    }
    await until(() => test.broker.clients() === 1);
    stuck.stream.destroy();
    const back = await test.connect({ clientId: 'stuck', clean: false });
    for (let expected = 0; expected < sent; expected += 1) {
      expect(Number.parseInt((await back.nextMessage('signal/claude')).payload, 10)).toBe(expected);
    }
  });
});
