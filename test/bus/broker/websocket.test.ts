import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { startBroker, type TestBroker, type TestBrokerOptions } from '../../support/broker.ts';
import { connect } from '../../support/mqtt-client.ts';
import { connectPacket, publishPacket } from '../../support/raw-mqtt.ts';
import { until } from '../../support/until.ts';

async function start(
  options: TestBrokerOptions = {},
): Promise<TestBroker & { http: number; server: Server }> {
  const server = createServer((_request, response) => void response.end('page'));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const test = await startBroker(options);
  test.broker.attachHttp(server);
  return { ...test, server, http: (server.address() as AddressInfo).port };
}

/** Opens a WebSocket with these headers; resolves to 101 or to the status of the refusal. */
async function statusOf(
  port: number,
  headers: Record<string, string>,
  { path = '/mqtt', protocols = ['mqtt'] }: { path?: string; protocols?: string[] } = {},
): Promise<number> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols, { headers });
  onTestFinished(() => socket.terminate());
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(101));
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.on('error', reject);
  });
}

describe('MQTT over WebSocket', () => {
  it('serves hook and viewer on loopback', async () => {
    const { http, gated, hub } = await start();
    const page = await connect({ url: `ws://127.0.0.1:${http}/mqtt` });
    expect(await page.subscribe('signal/+', 'hook/+')).toEqual([1, 128]);
    await page.publish('hook/claude', Buffer.alloc(200_000, 'x'));
    expect(gated[0]?.payload).toHaveLength(200_000);
    await (await hub()).publish('signal/claude', 'lit');
    expect((await page.nextMessage('signal/claude')).payload).toBe('lit');
  });

  it('leaves the HTTP server its pages', async () => {
    const { http } = await start();
    expect(await (await fetch(`http://127.0.0.1:${http}/`)).text()).toBe('page');
  });

  it.each([
    ['no Origin (a program)', {}, 101],
    ['a foreign Origin', { origin: 'https://evil.example' }, 403],
    ['a page of another port', { origin: 'http://127.0.0.1:1' }, 403],
    ['a sandboxed page', { origin: 'null' }, 403],
    ['a file', { origin: 'file://' }, 403],
    ['an Origin that is none', { origin: 'what?' }, 403],
    [
      'a name pointed at this machine (DNS rebinding)',
      { host: 'evil.example', origin: 'http://evil.example' },
      403,
    ],
    ['such a name without Origin', { host: 'evil.example' }, 403],
    ['no Host worth the name', { host: '///' }, 403],
  ])('%s', async (_name, headers: Record<string, string>, status) => {
    const { http } = await start();
    expect(await statusOf(http, headers)).toBe(status);
  });

  it.each(['127.0.0.1', 'localhost', '[::1]'])('the own Origin under %s', async (name) => {
    const { http } = await start();
    const host = `${name}:${http}`;
    expect(await statusOf(http, { host, origin: `http://${host}` })).toBe(101);
  });

  it('a host name that the settings allow', async () => {
    const { http } = await start({ ownHosts: { names: ['desk.lan'], addresses: false } });
    const host = `Desk.lan:${http}`;
    expect(await statusOf(http, { host, origin: `http://${host.toLowerCase()}` })).toBe(101);
    expect(await statusOf(http, { host: 'other.lan' })).toBe(403);
  });

  it.each([
    ['another path', { path: '/other' }, 404],
    ['a longer path', { path: '/mqtt/x' }, 404],
    ['no subprotocol', { protocols: [] }, 400],
    ['another subprotocol', { protocols: ['chat'] }, 400],
  ])('%s is refused', async (_name, how, status) => {
    const { http } = await start();
    expect(await statusOf(http, {}, how)).toBe(status);
  });

  it('leaves another path to another listener of the server', async () => {
    const { http, server } = await start();
    server.on('upgrade', ({ url }, socket) => {
      if (url === '/other') socket.end('HTTP/1.1 418 Teapot\r\nConnection: close\r\n\r\n');
    });
    expect(await statusOf(http, {}, { path: '/other' })).toBe(418);
  });

  it('a request target that is no path is refused, and the server lives on', async () => {
    const { http } = await start();
    const upgrade = { connection: 'upgrade', upgrade: 'websocket' };
    const request = httpRequest({ port: http, host: '127.0.0.1', path: 'http://[', headers: upgrade });
    request.end();
    const [response] = (await once(request, 'response')) as [{ statusCode: number; resume(): void }];
    response.resume();
    expect(response.statusCode).toBe(400);
    expect((await fetch(`http://127.0.0.1:${http}/`)).status).toBe(200);
  });

  it('a text frame closes the connection [MQTT-6.0.0-1]', async () => {
    const { http, broker } = await start();
    const socket = new WebSocket(`ws://127.0.0.1:${http}/mqtt`, 'mqtt');
    await once(socket, 'open');
    socket.send(connectPacket());
    await until(() => broker.clients() === 1);
    socket.send('text');
    expect((await once(socket, 'close'))[0]).toBe(1003);
    await until(() => broker.clients() === 0);
  });

  it('an oversize frame closes the connection', async () => {
    const { http } = await start({ limits: { hookBytes: 1_000, packetBytes: 1_000 } });
    const socket = new WebSocket(`ws://127.0.0.1:${http}/mqtt`, 'mqtt');
    await once(socket, 'open');
    socket.send(Buffer.alloc(3_000));
    // RFC 6455, section 7.4.1: a message too big to process.
    expect((await once(socket, 'close'))[0]).toBe(1009);
  });

  it('parts of frames count as parked bytes', async () => {
    const { http, broker } = await start({ limits: { parkedBytes: 100_000 } });
    const socket = new WebSocket(`ws://127.0.0.1:${http}/mqtt`, 'mqtt');
    socket.on('error', () => undefined);
    await once(socket, 'open');
    socket.send(connectPacket());
    await until(() => broker.clients() === 1);
    // Fragments of one message: `ws` hands it over when the last has come.
    const fragment = publishPacket('hook/claude', Buffer.alloc(60_000));
    socket.send(fragment, { fin: false });
    socket.send(fragment, { fin: false });
    await once(socket, 'close');
    await until(() => broker.clients() === 0);
  });

  it('stop closes its connections and leaves the server', async () => {
    const { http, broker } = await start();
    const socket = new WebSocket(`ws://127.0.0.1:${http}/mqtt`, 'mqtt');
    await once(socket, 'open');
    const closed = once(socket, 'close');
    await broker.stop();
    await closed;
    expect((await fetch(`http://127.0.0.1:${http}/`)).status).toBe(200);
  });
});
