import { createServer } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startBroker } from '../../support/broker.ts';
import { connect } from '../../support/mqtt-client.ts';

/** The kernel doesn't say whether Nagle's algorithm is off, so this looks at the call that turns it off. */
function noDelayPorts(): Set<number | undefined> {
  const ports = new Set<number | undefined>();
  const setNoDelay = Socket.prototype.setNoDelay;
  vi.spyOn(Socket.prototype, 'setNoDelay').mockImplementation(function (this: Socket, on = true) {
    if (on) ports.add(this.localPort);
    return setNoDelay.call(this, on);
  });
  return ports;
}

it('no small message waits for an acknowledgement: TCP', async () => {
  const ports = noDelayPorts();
  const { port } = await startBroker();
  await connect({ port });
  expect(ports).toContain(port);
});

it('no small message waits for an acknowledgement: WebSocket', async () => {
  const server = createServer({ noDelay: false });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ports = noDelayPorts();
  const { broker } = await startBroker();
  broker.attachHttp(server);
  await connect({ url: `ws://127.0.0.1:${port}/mqtt` });
  expect(ports).toContain(port);
});
