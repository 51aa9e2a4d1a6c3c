import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connect } from '../support/mqtt-client.ts';
import { curl, type CurlAnswer } from '../support/curl.ts';
import { diagnose } from '../support/doctor.ts';
import { readHubDatabase } from '../support/hub-database.ts';
import { runHub, startHub } from '../support/hub.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

const EVENT = { provider: 'claude', event: 'Stop', session_id: 's', cwd: '/srv/shop' };
const TOKEN = 'a-token-for-all-machines-here';

/** A request as bytes, so that it is what a browser sends and not what a library makes of it. */
async function raw(port: number, lines: readonly string[], body = ''): Promise<string> {
  const socket = connectSocket(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(
    [...lines, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close', '', body].join('\r\n'),
  );
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** What Chromium sends for a form of another site, and for `fetch` without asking (its headers as of version 140). */
const PAGES: readonly (readonly [string, readonly string[]])[] = [
  [
    'a form',
    [
      'Origin: https://evil.example',
      'Content-Type: application/x-www-form-urlencoded',
      'Sec-Fetch-Mode: navigate',
      'Sec-Fetch-Site: cross-site',
    ],
  ],
  [
    'a form of text',
    [
      'Origin: https://evil.example',
      'Content-Type: text/plain',
      'Sec-Fetch-Mode: navigate',
      'Sec-Fetch-Site: cross-site',
    ],
  ],
  [
    'a fetch of text',
    [
      'Origin: https://evil.example',
      'Content-Type: text/plain;charset=UTF-8',
      'Sec-Fetch-Mode: no-cors',
      'Sec-Fetch-Site: cross-site',
    ],
  ],
  ['a page in a sandbox', ['Origin: null', 'Content-Type: text/plain', 'Sec-Fetch-Mode: no-cors']],
  [
    'a form that hides where it is from',
    ['Referer: https://evil.example/', 'Content-Type: application/x-www-form-urlencoded'],
  ],
  ['a beacon without a type', ['Origin: https://evil.example', 'Sec-Fetch-Mode: no-cors']],
];

describe('what a web page of somebody else can send', () => {
  it('changes nothing, whatever the route', async () => {
    const hub = await startHub();
    const before = await curl(`${hub.url}/usage`);
    const bodies = [JSON.stringify(EVENT), '{"windows":[{"label":"5h","pct":1}],"x":"="}', '{}'];
    for (const path of ['/attention', '/hook/claude', '/usage/claude', '/pause', '/clear']) {
      for (const [name, headers] of PAGES) {
        for (const body of bodies) {
          const head = [`POST ${path} HTTP/1.1`, `Host: 127.0.0.1:${hub.http_port}`, ...headers];
          const answer = await raw(hub.http_port, head, body);
          expect([name, path, answer.slice(0, 12)]).toEqual([
            name,
            path,
            expect.stringMatching(/ (?:401|403|415)$/),
          ]);
        }
      }
    }
    const preflight = await curl(`${hub.url}/attention`, {
      method: 'OPTIONS',
      headers: [
        'Origin: https://evil.example',
        'Access-Control-Request-Method: POST',
        'Access-Control-Request-Headers: content-type',
      ],
    });
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([403, undefined]);
    // A name that was pointed here reads nothing either.
    const rebound = await curl(`${hub.url}/status`, { headers: ['Host: evil.example'] });
    expect([rebound.status, rebound.json()]).toMatchObject([403, { error: { code: 'foreign_host' } }]);
    const after = await curl(`${hub.url}/usage`);
    expect(after.text).toBe(before.text);
    expect(readHubDatabase(hub.home)).toMatchObject({ events: [], sessions: [] });
  });

  it('is told what curl has to say, where only the type is wrong', async () => {
    const hub = await startHub();
    for (const path of ['/attention', '/hook/claude', '/usage/claude']) {
      const answer = await curl(hub.url + path, { body: JSON.stringify(EVENT) });
      expect(answer.status).toBe(415);
      expect((answer.json() as { error: { next: string } }).error.next).toContain(
        'Content-Type: application/json',
      );
    }
    const empty = await curl(`${hub.url}/attention`, { method: 'POST' });
    expect(empty.status).toBe(415);
  });
});

describe('bodies', () => {
  it('above 1 MB are refused, for a hook above 16 MB', async () => {
    const hub = await startHub();
    const padded = (bytes: number): string => JSON.stringify({ ...EVENT, x: 'x'.repeat(bytes) });
    const headers = ['Content-Type: application/json'];
    const tries: [string, number, number][] = [
      ['/attention', 900_000, 200],
      ['/attention', 1024 * 1024, 413],
      ['/usage/claude', 1024 * 1024, 413],
      ['/hook/claude', 3 * 1024 * 1024, 204],
      ['/hook/claude', 16 * 1024 * 1024, 413],
    ];
    for (const [path, bytes, status] of tries) {
      const answer = await curl(hub.url + path, { body: padded(bytes), headers });
      const code = /"code":"too_large"/.exec(answer.text) === null ? 'none' : 'too_large';
      expect([path, bytes, answer.status, code]).toEqual([
        path,
        bytes,
        status,
        status === 413 ? 'too_large' : 'none',
      ]);
    }
  });

  it('a provider’s name in the path may be escaped, and be anything', async () => {
    const hub = await startHub();
    const { provider: _, ...event } = EVENT;
    for (const [name, status] of [
      ['%63laude', 204],
      ['CLAUDE', 204],
      ['claude%2F..%2Fhealthz', 422],
      ['%00', 422],
      ['%23', 422],
      ['%2B', 422],
      ['__proto__', 422],
      ['constructor', 422],
      ['a'.repeat(2_000), 422],
      ['%zz', 400],
      ['%ff', 400],
      ['', 422],
    ] as const) {
      const answer = await curl(`${hub.url}/hook/${name}`, { body: event });
      expect([name, answer.status]).toEqual([name, status]);
    }
    const { text } = await curl(`${hub.url}/metrics`);
    expect(text).toContain('signalbox_events_total{provider="",outcome="refused"} 8');
    expect(text).toContain('signalbox_rejects_total{code="unknown_provider"} 8');
    const providers = new Set(Array.from(text.matchAll(/provider="([^"]*)"/g), ([, name]) => name));
    expect(providers).toEqual(new Set(['', 'claude']));
  });
});

describe('the token', () => {
  it('is made once, for this user alone, and gets into no log', async () => {
    const hub = await startHub({ env: { SIGNALBOX_LOG_LEVEL: 'debug' } });
    const file = join(hub.home, 'http-token');
    const token = readFileSync(file, 'utf8').trim();
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await curl(`${hub.url}/ack`, { token, body: {} })).status).toBe(200);
    await curl(`${hub.url}/ack`, { token: 'wrong-but-secret-too', body: {} });
    await hub.end('SIGTERM');
    expect(hub.output()).not.toContain(token);
    expect(hub.output()).not.toContain('wrong-but-secret-too');
    const again = await startHub({ home: hub.home });
    expect(readFileSync(file, 'utf8').trim()).toBe(token);
    expect((await curl(`${again.url}/ack`, { token, body: {} })).status).toBe(200);
  });

  it('may be named by a variable or a file, and has to be one', async () => {
    const named = await startHub({ env: { SIGNALBOX_HTTP_TOKEN: TOKEN } });
    expect((await curl(`${named.url}/ack`, { token: TOKEN, body: {} })).status).toBe(200);
    const home = temporaryFolder();
    const file = join(home, 'my-token');
    writeFileSync(file, `${TOKEN}-2\n`, { mode: 0o600 });
    const filed = await startHub({ home, env: { SIGNALBOX_HTTP_TOKEN_FILE: file } });
    expect((await curl(`${filed.url}/ack`, { token: `${TOKEN}-2`, body: {} })).status).toBe(200);
    await filed.end('SIGTERM');

    const short = await runHub({ env: { SIGNALBOX_HTTP_TOKEN: 'short-secret' } });
    expect(short).toMatchObject({ code: 2, output: expect.stringContaining('16 to 512 visible ASCII') });
    expect(short.output).not.toContain('short-secret');
    writeFileSync(join(home, 'http-token'), '\n');
    const damaged = await runHub({ home });
    expect(damaged).toMatchObject({
      code: 1,
      output: expect.stringContaining('http-token holds is no token'),
    });
  });

  it('is not guessed at the speed of the network: ten wrong ones, and nobody there is listened to', async () => {
    const hub = await startHub({ env: { SIGNALBOX_HTTP_TOKEN: TOKEN } });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1)
      statuses.push(
        (await curl(`${hub.url}/ack`, { token: `wrong-token-number-${attempt}`, body: {} })).status,
      );
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    expect((await curl(`${hub.url}/ack`, { token: TOKEN, body: {} })).status).toBe(429);
    // What needs no token goes on.
    expect((await curl(`${hub.url}/status`, { token: 'wrong-token-number-13' })).status).toBe(200);
    expect((await curl(`${hub.url}/attention`, { body: EVENT })).status).toBe(200);
  });
});

/** Asks for a WebSocket where it is to be refused. */
function upgrade(url: string, token?: string): Promise<CurlAnswer> {
  const headers = [
    ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
    ...['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Protocol: mqtt'],
  ];
  return curl(`${url}/mqtt`, { headers, ...(token !== undefined && { token }) });
}

describe('MQTT over WebSocket', () => {
  it('is a viewer’s without the token, and an operator’s with it', async () => {
    const hub = await startHub({ env: { SIGNALBOX_HTTP_TOKEN: TOKEN } });
    const url = `ws://127.0.0.1:${hub.http_port}/mqtt`;
    const viewer = await connect({ url });
    const closed = new Promise<void>((resolve) => viewer.mqtt.once('close', () => resolve()));
    viewer.mqtt.publish('signalbox/request/ack', '{"transaction":"a"}', { qos: 1 });
    await closed;
    const operator = await connect({ url, wsOptions: { headers: { authorization: `Bearer ${TOKEN}` } } });
    await operator.subscribe('signalbox/response/ack');
    await operator.publish('signalbox/request/ack', '{"transaction":"b"}');
    const answer = await operator.nextMessage('signalbox/response/ack');
    expect(JSON.parse(answer.payload)).toMatchObject({ transaction: 'b', ok: true });
    const wrong = await upgrade(hub.url, 'another-token-altogether');
    expect([wrong.status, wrong.headers['www-authenticate']]).toEqual([401, 'Bearer']);
  });
});

describe('beyond this machine', () => {
  it('every route wants the token, and so does the WebSocket', async () => {
    const hub = await startHub({
      env: { SIGNALBOX_HTTP_LISTEN: '0.0.0.0', SIGNALBOX_HTTP_HOSTS: 'desk.lan' },
    });
    const token = readFileSync(join(hub.home, 'http-token'), 'utf8').trim();
    for (const path of [
      '/healthz',
      '/status',
      '/usage',
      '/sessions',
      '/metrics',
      '/openapi.json',
      '/nothing',
      '/',
    ]) {
      const without = await curl(hub.url + path);
      expect([path, without.status, without.headers['www-authenticate']]).toEqual([path, 401, 'Bearer']);
      expect(without.json()).toMatchObject({
        ok: false,
        error: { code: 'token_needed', next: expect.stringContaining('Authorization') },
      });
      const status = path === '/nothing' || path === '/' ? 404 : 200;
      expect([path, (await curl(hub.url + path, { token })).status]).toEqual([path, status]);
    }
    for (const path of ['/attention', '/hook/claude', '/usage/claude', '/ack'])
      expect([path, (await curl(hub.url + path, { body: EVENT })).status]).toEqual([path, 401]);
    expect((await curl(`${hub.url}/attention`, { body: EVENT, token })).json()).toEqual({ ok: true });

    for (const [host, status] of [
      ['desk.lan', 200],
      ['studio', 200],
      ['studio.local:4787', 200],
      ['192.0.2.7:4787', 200],
      ['[2001:db8::1]:4787', 200],
      ['evil.example', 403],
    ] as const)
      expect([host, (await curl(`${hub.url}/status`, { token, headers: [`Host: ${host}`] })).status]).toEqual(
        [host, status],
      );

    const url = `ws://127.0.0.1:${hub.http_port}/mqtt`;
    expect((await upgrade(hub.url)).status).toBe(401);
    expect((await upgrade(hub.url, 'another-token-altogether')).status).toBe(401);
    const viewer = await connect({ url, wsOptions: { headers: { authorization: `Bearer ${token}` } } });
    expect(await viewer.subscribe('signal/+')).toEqual([1]);

    // The hub's own user knows the token.
    const { of } = await diagnose({ home: hub.home });
    expect(of('hub')).toMatchObject({ level: 'ok' });
    expect(of('ports')).toMatchObject({ level: 'warning', code: 'http_open' });
    expect(hub.output()).toMatch(/HTTP +http:\/\/0\.0\.0\.0:\d+ \(to other machines too, with the token\)/);
  });
});
