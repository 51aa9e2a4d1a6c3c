import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startHttp, TOKEN } from '../../../support/http.ts';

type Headers = Readonly<Record<string, string>>;

/** What a program on this machine sends that stands in front of the port, by how it is set up. */
const PASSED_ON: readonly (readonly [string, Headers])[] = [
  ['the name that was asked for', { host: 'desk.lan' }],
  ['that name in other letters, with a port', { host: 'DESK.lan:443' }],
  ['Forwarded', { forwarded: 'for=192.0.2.7;proto=https' }],
  ['X-Forwarded-For', { 'x-forwarded-for': '192.0.2.7' }],
  ['X-Forwarded-For of this machine', { 'x-forwarded-for': '127.0.0.1' }],
  ['X-Forwarded-For that is empty', { 'x-forwarded-for': '' }],
  ['X-Forwarded-Host', { 'x-forwarded-host': 'desk.lan' }],
  ['X-Forwarded-Proto', { 'X-Forwarded-Proto': 'https' }],
  ['X-Real-IP', { 'x-real-ip': '192.0.2.7' }],
  ['Via', { via: '1.1 proxy' }],
];
const OWN_NAMES = ['127.0.0.1', '127.0.0.2', 'localhost', 'LOCALHOST', '[::1]', '[::ffff:127.0.0.1]'];
const ROUTES = [
  ['GET', '/healthz'],
  ['GET', '/sessions'],
  ['GET', '/sessions/x/explain'],
  ['GET', '/metrics'],
  ['GET', '/nothing'],
  ['POST', '/hook/claude'],
  ['POST', '/attention'],
  ['POST', '/usage/claude'],
] as const;
const UPGRADE = {
  ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
  ...{ 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-protocol': 'mqtt' },
};

/** @returns the status of the answer; 101 of a WebSocket that is open, and ends at once */
function status(port: number, method: string, path: string, headers: Headers): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, method, path, headers });
    asked.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on('upgrade', ({ statusCode = 0 }, socket) => {
      socket.destroy();
      resolve(statusCode);
    });
    asked.on('error', reject);
    asked.end(method === 'POST' ? '{"provider":"claude","signal":"idle"}' : undefined);
  });
}

async function start() {
  const http = await startHttp(undefined, { ownHosts: { names: ['desk.lan'], addresses: false } });
  http.bus.broker.attachHttp(http.service.server, http.service.admitUpgrade);
  return http;
}

describe('a port of this machine alone', () => {
  it.each(PASSED_ON)('wants the token for what was passed on with %s', async (_name, headers) => {
    const { port, accepted } = await start();
    const json = { ...headers, 'content-type': 'application/json' };
    for (const [method, path] of ROUTES)
      expect([path, await status(port, method, path, json)]).toEqual([path, 401]);
    expect(accepted).toEqual([]);
    expect(await status(port, 'GET', '/mqtt', { ...headers, ...UPGRADE })).toBe(401);

    const authorization = `Bearer ${TOKEN}`;
    expect(await status(port, 'GET', '/healthz', { ...headers, authorization })).toBe(200);
    expect(await status(port, 'POST', '/attention', { ...json, authorization })).toBe(200);
    expect(await status(port, 'GET', '/mqtt', { ...headers, ...UPGRADE, authorization })).toBe(101);
  });

  it.each(OWN_NAMES)('is free to programs of this machine, and to its own page: %s', async (name) => {
    const { port } = await start();
    const host = `${name}:${port}`;
    const pages = [{ host }, { host, origin: `http://${host}` }];
    for (const headers of pages) {
      const json = { ...headers, 'content-type': 'application/json' };
      expect(await status(port, 'GET', '/healthz', headers)).toBe(200);
      expect(await status(port, 'POST', '/attention', json)).toBe(200);
      expect(await status(port, 'GET', '/mqtt', { ...headers, ...UPGRADE })).toBe(101);
    }
  });
});
