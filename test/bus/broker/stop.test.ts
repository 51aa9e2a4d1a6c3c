import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { describe, expect, it } from 'vitest';
import { linkedPair } from '../../../runtime/linked-pair.ts';
import { startBroker } from '../../support/broker.ts';
import { connectPacket, publishPacket, rawClient, rawClientOn, TYPE } from '../../support/raw-mqtt.ts';
import { until } from '../../support/until.ts';

describe('stop', () => {
  it('closes every connection, whatever state it is in, and the port', async () => {
    const { port, broker, hub } = await startBroker({
      identify: ({ clientId }) =>
        clientId === 'undecided' ? new Promise(() => undefined) : { roles: ['viewer'] },
    });
    const silent = await rawClient(port);
    const undecided = await rawClient(port);
    undecided.send(connectPacket({ clientId: 'undecided' }));
    const viewer = await rawClient(port);
    await viewer.handshake();
    const service = await hub();
    const serviceClosed = new Promise<void>((resolve) => service.mqtt.once('close', () => resolve()));
    await broker.stop();
    await Promise.all([
      silent.expectClosed(),
      undecided.expectClosed(),
      viewer.expectClosed(),
      serviceClosed,
    ]);
    const [error] = (await once(connectTcp(port, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNREFUSED');
    expect(broker.clients()).toBe(0);
  });

  it('lets events that are in the gate have their answer first', async () => {
    let commit = (): void => undefined;
    const { port, broker, gated } = await startBroker({
      gate: () =>
        new Promise((resolve) => {
          commit = () => resolve(Buffer.from('cut'));
        }),
    });
    const client = await rawClient(port);
    await client.handshake();
    client.send(publishPacket('hook/claude', 'x', { id: 8 }));
    await until(() => gated.length === 1);
    const stopped = broker.stop();
    client.send(publishPacket('hook/claude', 'too late', { id: 9 }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    commit();
    expect((await client.nextPacket()).type).toBe(TYPE.puback);
    await stopped;
    await client.expectClosed();
    expect(gated).toHaveLength(1);
  });

  it('ends although the gate never answers and a subscriber reads nothing', async () => {
    const { port, broker, gated, hub } = await startBroker({
      gate: () => new Promise(() => undefined),
      limits: { stopMs: 20 },
    });
    const client = await rawClient(port);
    await client.handshake();
    client.stream.pause();
    client.send(publishPacket('hook/claude', 'x'));
    await hub();
    await until(() => gated.length === 1);
    await broker.stop();
    await client.expectClosed();
  });

  it('may be called twice, and before start', async () => {
    const { broker } = await startBroker();
    await Promise.all([broker.stop(), broker.stop()]);
    await broker.stop();
  });

  it('takes no connection afterwards', async () => {
    const { broker } = await startBroker();
    await broker.stop();
    const [theirs, ours] = linkedPair();
    broker.connectStream(theirs);
    await rawClientOn(ours).expectClosed();
  });

  it('frees the port and the socket when it could not start as a whole', async () => {
    const { port, broker } = await startBroker();
    await broker.stop();
    const listen = { host: '127.0.0.1', port };
    await expect(startBroker({ listen, socketPath: `/${'x'.repeat(200)}` })).rejects.toMatchObject({
      code: 'socket_path_too_long',
    });
    expect((await startBroker({ listen })).port).toBe(port);
  });
});

describe('an in-process pair', () => {
  it('goes as a whole when either end goes', async () => {
    for (const index of [0, 1] as const) {
      const pair = linkedPair();
      const closed = once(pair[1 - index] ?? pair[0], 'close');
      pair[index].destroy();
      await closed;
    }
  });

  it('leaves timers and sockets their turn while a service publishes without a pause', async () => {
    const { hub, connect } = await startBroker();
    const viewer = await connect();
    await viewer.subscribe('line');
    const service = await hub();
    const heard = viewer.nextMessage('line').then(() => 'heard' as const);
    let published = 0;
    for (let last: unknown; last !== 'heard' && published < 5_000; published += 1) {
      await service.publish('line', 'x');
      last = await Promise.race([heard, Promise.resolve('not yet')]);
    }
    expect(published).toBeLessThan(5_000);
  });

  it('carries more than it can hold, both ways', async () => {
    const [one, other] = linkedPair();
    const bytes = Buffer.alloc(300_000, 'abc');
    const received = async (end: typeof one): Promise<Buffer> => {
      const chunks: Buffer[] = [];
      end.on('data', (chunk: Buffer) => chunks.push(chunk));
      await once(end, 'end');
      return Buffer.concat(chunks);
    };
    const both = [received(one), received(other)];
    one.end(bytes);
    for (let at = 0; at < bytes.length; at += 1_000) other.write(bytes.subarray(at, at + 1_000));
    other.end();
    expect((await Promise.all(both)).every((got) => got.equals(bytes))).toBe(true);
  });
});
