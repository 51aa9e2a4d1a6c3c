import { describe, expect, it } from 'vitest';
import { startBroker } from '../../support/broker.ts';
import {
  connectPacket,
  DISCONNECT,
  PINGREQ,
  publishPacket,
  rawClient,
  subscribePacket,
  TYPE,
} from '../../support/raw-mqtt.ts';
import { until } from '../../support/until.ts';

const LARGE = Buffer.alloc(132 * 1024, 'x');
const NOT_AUTHORIZED = Buffer.from([0, 5]);

describe('packets that come before the client is authenticated', () => {
  it.each([
    ['a small publish', publishPacket('hook/claude', 'x')],
    ['a publish of 132 KB', publishPacket('hook/claude', LARGE)],
    ['a publish of 132 KB with QoS 0', publishPacket('hook/claude', LARGE, { qos: 0 })],
    ['a subscribe', subscribePacket(['signal/#'])],
    ['a ping', PINGREQ],
  ])('%s behind CONNECT, one write: refused client, nothing handled', async (_name, packet) => {
    const { port, gated, hub } = await startBroker({ identify: () => undefined });
    const subscriber = await hub();
    await subscriber.subscribe('#');
    const client = await rawClient(port);
    client.send(connectPacket(), packet);
    expect(await client.nextPacket()).toEqual({ type: TYPE.connack, flags: 0, body: NOT_AUTHORIZED });
    await client.expectClosed();
    expect(gated).toEqual([]);
    await subscriber.expectSilence('#');
  });

  it('a publish and a subscribe while the identity is being looked up: nothing handled until it is known', async () => {
    let decide: (allowed: boolean) => void = () => undefined;
    const decision = new Promise<boolean>((resolve) => {
      decide = resolve;
    });
    let asked = 0;
    const { port, gated } = await startBroker({
      identify: async () => {
        asked += 1;
        return (await decision) ? { roles: ['hook', 'viewer'] } : undefined;
      },
    });
    const client = await rawClient(port);
    client.send(connectPacket());
    await until(() => asked === 1);
    client.send(publishPacket('hook/claude', LARGE, { id: 1 }));
    client.send(subscribePacket(['signal/#'], 2));
    const bystander = await rawClient(port);
    bystander.send(connectPacket());
    await until(() => asked === 2);
    expect(gated).toEqual([]);
    decide(true);
    const types = [];
    for (let count = 0; count < 3; count += 1) types.push((await client.nextPacket()).type);
    expect(types[0]).toBe(TYPE.connack);
    expect(new Set(types.slice(1))).toEqual(new Set([TYPE.puback, TYPE.suback]));
    expect(gated).toHaveLength(1);
  });

  it('an allowed client gets CONNACK before PUBACK however large its first publish is', async () => {
    const { port, gated } = await startBroker();
    const client = await rawClient(port);
    client.send(connectPacket(), publishPacket('hook/claude', LARGE, { id: 9 }));
    expect((await client.nextPacket()).type).toBe(TYPE.connack);
    expect((await client.nextPacket()).body.readUInt16BE(0)).toBe(9);
    expect(gated[0]?.payload).toHaveLength(LARGE.length);
  });

  it.each([
    ['a DISCONNECT', DISCONNECT],
    ['the end of the stream', Buffer.alloc(0)],
  ])('a publish with QoS 0 and %s right behind CONNECT are all handled', async (_name, last) => {
    const { port, gated } = await startBroker();
    const client = await rawClient(port);
    client.stream.end(Buffer.concat([connectPacket(), publishPacket('hook/claude', 'x', { qos: 0 }), last]));
    await until(() => gated.length === 1);
  });

  it('CONNECT may come byte by byte', async () => {
    const { port } = await startBroker();
    const client = await rawClient(port);
    for (const byte of connectPacket()) {
      client.send(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
    expect((await client.nextPacket()).body).toEqual(Buffer.from([0, 0]));
  });

  it('whatever is not CONNECT closes the connection', async () => {
    const { port, gated } = await startBroker();
    const client = await rawClient(port);
    client.send(publishPacket('hook/claude', 'x'));
    await client.expectClosed();
    expect(gated).toEqual([]);
  });

  it('a second CONNECT closes the connection [MQTT-3.1.0-2]', async () => {
    const { port } = await startBroker();
    const client = await rawClient(port);
    await client.handshake();
    client.send(connectPacket());
    await client.expectClosed();
  });

  it('a client that says nothing is closed', async () => {
    const { port } = await startBroker({ limits: { connectMs: 20 } });
    await (await rawClient(port)).expectClosed();
  });

  it('nobody says who the client is: server unavailable', async () => {
    const { port } = await startBroker({
      identify: () => new Promise(() => undefined),
      limits: { identifyMs: 20 },
    });
    expect(await (await rawClient(port)).handshake()).toBe(3);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('a bug');
      },
    ],
    ['rejects', () => Promise.reject(new Error('a bug'))],
  ])('identify %s: server unavailable, and the broker lives on', async (_name, identify) => {
    const { port } = await startBroker({ identify });
    expect(await (await rawClient(port)).handshake()).toBe(3);
    expect(await (await rawClient(port)).handshake()).toBe(3);
  });
});
