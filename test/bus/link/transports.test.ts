import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { createWebSocketStream, WebSocketServer } from 'ws';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startBroker, type TestBroker } from './aedes-broker.ts';
import { eventually, inbox, testLink } from './test-link.ts';

async function overWebSocket({ aedes }: TestBroker): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  const sockets = new WebSocketServer({ server, path: '/mqtt' });
  sockets.on('connection', (socket) => aedes.handle(createWebSocketStream(socket)));
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
    server.close();
  });
  return `127.0.0.1:${(server.address() as { port: number }).port}`;
}

async function overTls({ aedes }: TestBroker): Promise<{ port: number; ca: string }> {
  const folder = temporaryFolder();
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync(
    'openssl',
    ['req', '-x509', ...curve, '-days', '2', '-keyout', key, '-out', certificate, ...names],
    {
      stdio: 'ignore',
    },
  );
  const ca = readFileSync(certificate, 'utf8');
  const server = createTlsServer({ key: readFileSync(key), cert: ca }, (socket) =>
    aedes.handle(socket),
  ).listen(0, '127.0.0.1');
  server.on('tlsClientError', () => {});
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as { port: number }).port, ca };
}

it.each(['', '/mqtt'])('speaks over a WebSocket, path "%s"', async (path) => {
  const link = testLink({ url: `ws://${await overWebSocket(await startBroker())}${path}` });
  const { seen, take } = inbox();
  await link.subscribe('line', {}, take);
  await link.publish('line', {}, 'hello');
  await eventually(() => seen, ['line hello']);
  await link.close();
});

it('speaks TLS with a broker whose certificate it is given', async () => {
  const { port, ca } = await overTls(await startBroker());
  const link = testLink({ url: `mqtts://localhost:${port}`, ca });
  const { seen, take } = inbox();
  await link.subscribe('line', {}, take);
  await link.publish('line', {}, 'hello');
  await eventually(() => seen, ['line hello']);
  await link.close();
});

it('trusts no certificate that nobody vouches for', async () => {
  const { port } = await overTls(await startBroker());
  const link = testLink({ url: `mqtts://localhost:${port}` });
  await expect(link.ready({ once: true })).rejects.toMatchObject({
    message: expect.stringContaining('its certificate is not trusted'),
  });
});
