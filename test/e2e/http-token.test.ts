import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { connect } from '../support/mqtt-client.ts';
import { curl, type CurlAnswer } from '../support/curl.ts';
import { diagnose } from '../support/doctor.ts';
import { runHub, startHub } from '../support/hub.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

const EVENT = { provider: 'claude', event: 'Stop', session_id: 's', cwd: '/srv/shop' };
const TOKEN = 'a-token-for-all-machines-here';

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

  it('that the hub has made is taken whatever was tried before: no other user locks its owner out', async () => {
    const hub = await startHub();
    const token = readFileSync(join(hub.home, 'http-token'), 'utf8').trim();
    for (let attempt = 0; attempt < 10; attempt += 1)
      await curl(`${hub.url}/ack`, { token: `wrong-token-number-${attempt}`, body: {} });
    const tries = [token, 'wrong-token-once-more', token].map((each) =>
      curl(`${hub.url}/ack`, { token: each, body: {} }),
    );
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual([200, 429, 200]);
    const headers = { authorization: `Bearer ${token}` };
    const url = `ws://127.0.0.1:${hub.http_port}/mqtt`;
    const operator = await connect({ url, wsOptions: { headers } });
    expect(await operator.subscribe('signal/+')).toEqual([1]);
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
