import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Aedes, type AedesOptions } from 'aedes';
import { onTestFinished } from 'vitest';
import { linkedPair } from '../../../runtime/linked-pair.ts';

/** A broker in this process, with a TCP port and connections without one. */
export interface TestBroker {
  readonly aedes: Aedes;
  readonly url: string;
  /** A connection inside this process. */
  readonly stream: () => Duplex;
  /** Cuts all TCP connections without a goodbye. */
  cut(): void;
}

/** Starts a broker that ends with the running test. */
export async function startBroker(options: AedesOptions = {}): Promise<TestBroker> {
  const aedes = await Aedes.createBroker({ concurrency: 0, ...options });
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    aedes.handle(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(async () => {
    cut();
    server.close();
    await new Promise<void>((resolve) => aedes.close(() => resolve()));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    aedes,
    url: `mqtt://127.0.0.1:${address.port}`,
    stream: () => {
      const [near, far] = linkedPair();
      aedes.handle(far);
      return near;
    },
    cut,
  };
}
