import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenError } from '../../../broker/listeners/listen-error.ts';
import { createBroker } from '../../../broker/server.ts';
import { createTopics } from '../../../protocol/topics.ts';
import { createLog } from '../../../runtime/log.ts';

async function takenPort(): Promise<number> {
  const server = createServer();
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function brokerOn(host: string, port: number, accounts = false) {
  const broker = createBroker({
    hubId: 'h',
    topics: createTopics(),
    gate: async ({ payload }) => payload,
    onReject: () => undefined,
    listen: { host, port },
    accounts,
    log: createLog({ level: 'silent', format: 'json', stream: process.stderr }),
  });
  onTestFinished(() => broker.stop());
  return broker;
}

describe('what keeps the broker from listening', () => {
  it('a port that is taken: the process that holds it and the flag that changes it are named', async () => {
    const port = await takenPort();
    await expect(brokerOn('127.0.0.1', port).start()).rejects.toMatchObject({
      code: 'port_taken',
      message: expect.stringMatching(
        new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is taken by .+ \\(pid ${process.pid}\\)\\.$`),
      ),
      next: 'Stop that program, or choose another port with --port.',
    });
  });

  it('the same for whoever else listens, with a flag of its own', async () => {
    const port = await takenPort();
    const error = Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE' });
    expect(await listenError(error, { host: '127.0.0.1', port, flag: '--http-port' })).toMatchObject({
      code: 'port_taken',
      message: expect.stringContaining(`(pid ${process.pid})`),
      next: expect.stringContaining('--http-port'),
    });
  });

  it('an address that is not of this machine', async () => {
    // TEST-NET-1, RFC 5737: nobody's address.
    await expect(brokerOn('192.0.2.1', 0, true).start()).rejects.toMatchObject({
      code: 'address_unavailable',
    });
  });

  it.each(['0.0.0.0', '::', '192.0.2.1', 'example.org'])('%s without accounts', async (host) => {
    await expect(brokerOn(host, 0).start()).rejects.toMatchObject({ code: 'listen_needs_credentials' });
  });

  it.each(['127.0.0.1', 'localhost'])('%s is fine', async (host) => {
    expect((await brokerOn(host, 0).start()).port).toBeGreaterThan(0);
  });

  it('any other failure is handed back as it is', async () => {
    const error = new Error('something else');
    expect(await listenError(error, { host: 'h', port: 1, flag: '--port' })).toBe(error);
  });
});
