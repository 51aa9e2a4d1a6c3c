import { describe, expect, it } from 'vitest';
import { startBroker } from '../../support/broker.ts';
import { rawClient, subscribePacket, TYPE } from '../../support/raw-mqtt.ts';
import { until } from '../../support/until.ts';

describe('bounds', () => {
  it('no more clients than allowed; a place that becomes free is given again; in-process clients are not counted', async () => {
    const { port, hub, broker, log } = await startBroker({ limits: { connections: 2 } });
    const [first, second] = [await rawClient(port), await rawClient(port)];
    expect([await first.handshake(), await second.handshake()]).toEqual([0, 0]);
    await (await rawClient(port)).expectClosed();
    await (await rawClient(port)).expectClosed();
    await (await hub()).publish('line', 'x');
    expect(log.filter((line) => line.includes('No more clients'))).toHaveLength(1);
    first.stream.destroy();
    await until(() => broker.clients() === 2);
    expect(await (await rawClient(port)).handshake()).toBe(0);
  });

  it('no more subscriptions of one client than allowed; what it gives up is free again', async () => {
    const { connect } = await startBroker({ limits: { subscriptions: 3 } });
    const client = await connect();
    expect(await client.subscribe('signal/a', 'signal/b', 'signal/c', 'signal/d')).toEqual([1, 1, 1, 128]);
    expect(await client.subscribe('signal/a')).toEqual([1]);
    await client.mqtt.unsubscribeAsync('signal/a');
    expect(await client.subscribe('signal/d', 'signal/a')).toEqual([1, 128]);
  });

  it('the bound holds for a lasting session and one packet too', async () => {
    const { port } = await startBroker({ limits: { subscriptions: 10 } });
    const client = await rawClient(port);
    await client.handshake({ clientId: 'many', clean: false });
    client.send(subscribePacket(Array.from({ length: 2_000 }, (_, index) => `signal/${index}`)));
    const { type, body } = await client.nextPacket();
    expect(type).toBe(TYPE.suback);
    expect([...body.subarray(2)].filter((code) => code !== 0x80)).toHaveLength(10);
  });

  it('ten thousand topics of one client leave the broker serving', async () => {
    const { connect, gated } = await startBroker();
    const client = await connect();
    await Promise.all(Array.from({ length: 10_000 }, (_, index) => client.publish(`hook/p${index}`, 'x')));
    expect(gated).toHaveLength(10_000);
    const other = await connect();
    expect(await other.subscribe('signal/+')).toEqual([1]);
  });
});
