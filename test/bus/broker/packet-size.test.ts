import { describe, expect, it } from 'vitest';
import { startBroker } from '../../support/broker.ts';
import {
  connectPacket,
  packet,
  publishPacket,
  rawClient,
  remainingLength,
  subscribePacket,
  text,
  TYPE,
} from '../../support/raw-mqtt.ts';
import { until } from '../../support/until.ts';

const KB64 = 64 * 1024;
const MB16 = 16 * 1024 * 1024;
const hub = () => ({ roles: ['hub'] }) as const;

describe('packet size', () => {
  it('a hook event may have 16 MB', async () => {
    const { port, gated } = await startBroker();
    const client = await rawClient(port);
    await client.handshake();
    client.send(publishPacket('hook/claude', Buffer.alloc(MB16, 'x'), { id: 3 }));
    expect((await client.nextPacket()).type).toBe(TYPE.puback);
    expect(gated[0]?.payload).toHaveLength(MB16);
  });

  it('one byte more closes the connection by the first bytes, and says so', async () => {
    const { port, gated, rejects } = await startBroker();
    const client = await rawClient(port);
    await client.handshake({ clientId: 'sender' });
    const whole = publishPacket('hook/claude', Buffer.alloc(MB16 + 1), { id: 3 });
    client.send(whole.subarray(0, 32));
    await client.expectClosed();
    expect(gated).toEqual([]);
    expect(rejects).toEqual([
      {
        code: 'too_large',
        info: { clientId: 'sender', listener: 'tcp', provider: 'claude', params: { limit: MB16 } },
      },
    ]);
  });

  it('any other publish may have 64 KB', async () => {
    const { port, rejects } = await startBroker({ identify: hub });
    const client = await rawClient(port);
    await client.handshake();
    client.send(publishPacket('signal/claude', Buffer.alloc(KB64), { id: 1 }));
    expect((await client.nextPacket()).type).toBe(TYPE.puback);
    client.send(publishPacket('signal/claude', Buffer.alloc(KB64 + 1), { id: 2 }));
    await client.expectClosed();
    expect(rejects.map(({ code, info }) => [code, info.params, info.provider])).toEqual([
      ['too_large', { limit: KB64 }, undefined],
    ]);
  });

  it.each([
    ['CONNECT', packet(TYPE.connect, 0, text('MQTT'), Buffer.alloc(KB64))],
    ['a large first packet that is no CONNECT', publishPacket('hook/claude', Buffer.alloc(KB64))],
  ])('%s above 64 KB is not even read', async (_name, bytes) => {
    const { port } = await startBroker();
    const client = await rawClient(port);
    client.send(bytes.subarray(0, 16));
    await client.expectClosed();
  });

  it('a SUBSCRIBE above 64 KB closes the connection', async () => {
    const { port, rejects } = await startBroker();
    const client = await rawClient(port);
    await client.handshake();
    client.send(subscribePacket(Array.from({ length: 8_000 }, (_, index) => `signal/${index}`)));
    await client.expectClosed();
    expect(rejects.map(({ code }) => code)).toEqual(['too_large']);
  });

  it('a topic is no place to hide a large packet in', async () => {
    const { port } = await startBroker();
    const client = await rawClient(port);
    await client.handshake();
    client.send(
      Buffer.from([0x32]),
      remainingLength(MB16),
      text(`hook/${'x'.repeat(60_000)}`).subarray(0, 2_000),
    );
    await client.expectClosed();
  });

  it('a remaining length of five bytes closes the connection [MQTT-2.2.3]', async () => {
    const { port } = await startBroker();
    const client = await rawClient(port);
    await client.handshake();
    client.send(Buffer.from([0x32, 0xff, 0xff, 0xff, 0xff, 0x7f]));
    await client.expectClosed();
  });

  it('clients that park parts of large packets are cut off, the oldest first; an honest sender is served', async () => {
    const { port, broker } = await startBroker({ limits: { parkedBytes: 1024 * 1024 } });
    const part = publishPacket('hook/claude', Buffer.alloc(MB16)).subarray(0, 400 * 1024);
    const parking = [];
    for (let count = 0; count < 3; count += 1) {
      const client = await rawClient(port);
      await client.handshake();
      client.send(part);
      parking.push(client);
    }
    await parking[0]?.expectClosed();
    const honest = await rawClient(port);
    await honest.handshake();
    honest.send(publishPacket('hook/claude', Buffer.alloc(600 * 1024), { id: 4 }));
    expect((await honest.nextPacket()).type).toBe(TYPE.puback);
    await until(() => broker.clients() < 4);
  });

  it('a packet may come in any pieces', async () => {
    const { port, gated } = await startBroker({ limits: { packetBytes: 64, hookBytes: 300 } });
    const client = await rawClient(port);
    client.send(connectPacket());
    await client.nextPacket();
    const large = publishPacket('hook/claude', Buffer.alloc(300, 'y'), { id: 6 });
    for (const bytes of [
      large.subarray(0, 1),
      large.subarray(1, 2),
      large.subarray(2, 9),
      large.subarray(9),
    ]) {
      client.send(bytes);
      await new Promise(setImmediate);
    }
    expect((await client.nextPacket()).type).toBe(TYPE.puback);
    expect(gated[0]?.payload).toHaveLength(300);
  });
});
