import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { startBroker } from './aedes-broker.ts';
import { eventually, testLink } from './test-link.ts';

const CLOSED = { code: 'not_delivered', message: expect.stringContaining('the connection was closed') };

/** A server that answers CONNECT and then does as it is told. */
async function mutePeer(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.write(Buffer.from([0x20, 0x02, 0x00, 0x00]));
    onSocket(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `mqtt://127.0.0.1:${(server.address() as { port: number }).port}`;
}

it('ends when the peer acknowledges nothing and never closes its end', async () => {
  const url = await mutePeer((socket) => socket.resume());
  const link = testLink({ url, closeTimeoutMs: 60 });
  await link.ready();
  const published = link.publish('line', {}, 'never acknowledged');
  const subscribed = link.subscribe('line', {}, () => {});
  await link.close();
  await expect(published).rejects.toMatchObject(CLOSED);
  await expect(subscribed).rejects.toMatchObject(CLOSED);
});

it('ends when the peer has stopped reading', async () => {
  const url = await mutePeer((socket) => socket.pause());
  const link = testLink({ url, closeTimeoutMs: 60 });
  await link.ready();
  for (let i = 0; i < 100; i += 1) void link.publish('reject', {}, 'x'.repeat(64 * 1024));
  await link.close();
});

it('gives up what was never acknowledged anyway, when the connection goes while it waits for the socket', async () => {
  const sockets: Socket[] = [];
  const url = await mutePeer((socket) => {
    socket.pause();
    sockets.push(socket);
  });
  const link = testLink({ url, reconnect: { baseMs: 60_000, capMs: 60_000 } });
  await link.ready();
  const large = 'x'.repeat(64 * 1024);
  const published = Array.from({ length: 100 }, () => link.publish('reject', {}, large));
  sockets[0]?.destroy();
  const outcomes = await Promise.allSettled(published);
  expect(outcomes.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'not_delivered' } });
});

it('ends when a stream never says that it is closed', async () => {
  const stream = () =>
    new Duplex({
      emitClose: false,
      read() {},
      write(_chunk, _encoding, done) {
        if (this.readableLength === 0) this.push(Buffer.from([0x20, 0x02, 0x00, 0x00]));
        done();
      },
    });
  const link = testLink({ stream, closeTimeoutMs: 60 });
  await link.ready();
  await link.close();
});

it('ends while it is still looking for its broker', async () => {
  const url = await mutePeer((socket) => socket.destroy());
  const link = testLink({ url });
  const published = link.publish('line', {}, 'waits');
  const subscribed = link.subscribe('line', {}, () => {});
  await link.close();
  await expect(published).rejects.toMatchObject(CLOSED);
  await expect(subscribed).rejects.toMatchObject(CLOSED);
  await expect(link.ready()).rejects.toMatchObject({ code: 'broker_unreachable' });
});

it('stays closed: nothing is sent, nothing subscribed, nothing comes back', async () => {
  const broker = await startBroker();
  const link = testLink({ url: broker.url });
  const lost: string[] = [];
  link.onLost((reason) => lost.push(reason));
  await link.ready();
  const [first, second] = [link.close(), link.close()];
  await Promise.all([first, second]);
  expect(link.connected).toBe(false);
  await expect(link.publish('line', {}, 'late')).rejects.toMatchObject(CLOSED);
  await expect(link.subscribe('line', {}, () => {})).rejects.toMatchObject(CLOSED);
  await eventually(() => broker.aedes.connectedClients, 0);
  expect(lost).toEqual([]);
});

it('waits for what is on its way', async () => {
  let acknowledge: (() => void) | undefined;
  const broker = await startBroker({
    authorizePublish: (_client, _packet, done) => {
      acknowledge = () => done(null);
    },
  });
  const link = testLink({ stream: broker.stream, closeTimeoutMs: 10_000 });
  await link.ready();
  const order: string[] = [];
  const published = link.publish('line', {}, 'last words').then(() => order.push('published'));
  const closed = link.close().then(() => order.push('closed'));
  await eventually(() => acknowledge !== undefined, true);
  acknowledge?.();
  await Promise.all([published, closed]);
  expect(order).toEqual(['published', 'closed']);
});

it('lets nobody fall who does not wait for the outcome', async () => {
  const { stream } = await startBroker();
  const link = testLink({ stream });
  await link.close();
  void link.publish('line', {}, 'into the void');
  void link.subscribe('line', {}, () => {});
  // An unhandled rejection would end this process; it is told after the microtasks.
  await new Promise((resolve) => setImmediate(resolve));
});
