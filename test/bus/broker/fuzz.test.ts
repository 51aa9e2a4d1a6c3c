import { connect as connectTcp, type Socket } from 'node:net';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { startBroker } from '../../support/broker.ts';
import {
  connectPacket,
  packet,
  PINGREQ,
  publishPacket,
  pubrelPacket,
  remainingLength,
  subscribePacket,
  text,
} from '../../support/raw-mqtt.ts';

const HTTP = Buffer.from('POST /hook/claude HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
const TLS = Buffer.from('160301020001000001fc0303', 'hex');

/** Bytes from random ones to nearly right ones. */
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom(
    HTTP,
    TLS,
    PINGREQ,
    pubrelPacket(1),
    subscribePacket(['#', 'a/#/b', '', '+/+']),
    subscribePacket([]),
  ),
  fc
    .record({ type: fc.nat(15), flags: fc.nat(15), body: fc.uint8Array({ maxLength: 200 }) })
    .map(({ type, flags, body }) => packet(type, flags, body)),
  fc
    .record({
      topic: fc.string({ unit: 'binary', maxLength: 40 }),
      qos: fc.constantFrom(0, 1, 2),
      body: fc.uint8Array(),
    })
    .map(({ topic, qos, body }) => publishPacket(topic, body, { qos })),
  // A remaining length that has nothing to do with what follows.
  fc
    .record({ first: fc.nat(255), length: fc.nat(268_435_455), body: fc.uint8Array({ maxLength: 50 }) })
    .map(({ first, length, body }) => Buffer.concat([Buffer.from([first]), remainingLength(length), body])),
  fc
    .nat(40)
    .map((cut) =>
      connectPacket({ clientId: 'cut', will: { topic: 'hook/x', payload: 'x' } }).subarray(0, cut),
    ),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => packet(1, 0, text('MQTT'), Buffer.from([4]), bytes)),
  // Hostile UTF-8, deep topics.
  fc.constantFrom(
    packet(3, 0, Buffer.from([0, 6, 0x68, 0x6f, 0x6f, 0x6b, 0x2f, 0xff])),
    publishPacket('hook/\0', 'x'),
    publishPacket('/'.repeat(60_000), 'x'),
    subscribePacket(['/'.repeat(30_000), '+/'.repeat(99)]),
    publishPacket('__proto__/constructor', 'x'),
  ),
);

/** Sends the bytes and waits for the broker to close, or for it to have answered a ping behind them. */
async function attack(port: number, chunks: readonly Buffer[], connected: boolean): Promise<void> {
  const socket: Socket = connectTcp(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const over = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  if (connected) socket.write(connectPacket());
  for (const chunk of chunks) socket.write(chunk);
  socket.end();
  socket.resume();
  await over;
}

it('no bytes whatever bring the broker down or reach anybody else', async () => {
  const rights = { roles: ['hook', 'viewer', 'operator'] } as const;
  const { port, connect, hub, broker } = await startBroker({ identify: () => rights });
  const bystander = await connect();
  await bystander.subscribe('signal/claude');
  const service = await hub();
  let round = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyBytes, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      async (chunks, connected) => {
        await attack(port, chunks, connected);
        round += 1;
        await service.publish('signal/claude', `${round}`);
        expect((await bystander.nextMessage('signal/claude')).payload).toBe(`${round}`);
      },
    ),
    { numRuns: 300 },
  );
  expect(broker.clients()).toBeLessThanOrEqual(3);
});
