import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SignalboxError } from '../../../../protocol/errors.ts';
import type { Verdict } from '../../../../services/http/http-options.ts';
import { startHttp, TOKEN } from '../../../support/http.ts';

const ACCEPTED: Verdict = { ok: true };

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** A request with the headers that `fetch` keeps to itself. */
function send(
  port: number,
  {
    method = 'POST',
    path = '/hook/claude',
    headers = {},
    body = '{}',
    agent,
  }: { method?: string; path?: string; headers?: object; body?: string | Buffer; agent?: Agent } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest(
      {
        agent,
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { 'content-type': 'application/json', ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
        );
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

const codeOf = ({ body }: Answer): string => (JSON.parse(body) as { error: { code: string } }).error.code;

it('says that it lives, and its version', async () => {
  const { url } = await startHttp();
  const answer = await fetch(`${url}/healthz`);
  expect([answer.status, await answer.json()]).toEqual([200, { ok: true, version: '1.2.3' }]);
});

describe('POST /hook/<provider>', () => {
  it('hands the body over as the bytes it came in and answers 204 without a body', async () => {
    const { port, accepted } = await startHttp();
    const body = '  {"event":"Stop",\n"session_id":"\\u00e9é"}';
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    expect(await send(port, { body, headers })).toEqual({ status: 204, body: '' });
    expect(accepted).toEqual([{ provider: 'claude', payload: body, tell: true }]);
  });

  it('hands over a provider with any letters', async () => {
    const { port, accepted } = await startHttp();
    await send(port, { path: '/hook/Claude%20%C3%9C' });
    expect(accepted).toMatchObject([{ provider: 'Claude Ü' }]);
  });

  it('answers only when the event has been dealt with', async () => {
    let deal: (verdict: Verdict) => void = () => undefined;
    const dealt = new Promise<Verdict>((resolve) => {
      deal = resolve;
    });
    const { port, accepted } = await startHttp(() => dealt);
    const order: string[] = [];
    const answered = send(port).then(({ status }) => order.push(String(status)));
    while (accepted.length === 0) await new Promise(setImmediate);
    order.push('dealt with');
    deal(ACCEPTED);
    await answered;
    expect(order).toEqual(['dealt with', '204']);
  });

  it('answers 422 with the code of a refusal', async () => {
    const refused: Verdict = { ok: false, code: 'unknown_event', message: 'Nobody knows it.' };
    const { port } = await startHttp(async () => refused);
    const answer = await send(port);
    expect(answer.status).toBe(422);
    expect(JSON.parse(answer.body)).toMatchObject({
      ok: false,
      error: { code: 'unknown_event', message: 'Nobody knows it.' },
    });
  });

  it('answers 503 when the event could not be kept, so that the sender keeps it', async () => {
    const { port } = await startHttp(() =>
      Promise.reject(new SignalboxError('not_committed', { reason: 'the disk is full' })),
    );
    const answer = await send(port);
    expect([answer.status, codeOf(answer)]).toEqual([503, 'not_committed']);
  });

  it('answers 500 to what nobody foresaw, tells the log, and says nothing of it outside', async () => {
    const { port, log } = await startHttp(() => Promise.reject(new Error('a secret of ours')));
    const answer = await send(port);
    expect([answer.status, codeOf(answer)]).toEqual([500, 'internal']);
    expect(answer.body).not.toContain('secret');
    expect(log.join('')).toContain('a request failed');
  });

  it('takes 16 MB', async () => {
    const { port, accepted } = await startHttp();
    expect(await send(port, { body: Buffer.alloc(16 * 1024 * 1024, 0x20) })).toMatchObject({ status: 204 });
    expect(accepted[0]?.payload.length).toBe(16 * 1024 * 1024);
  });

  it('answers 413 to more, by its length, before it has come', async () => {
    const { port, accepted } = await startHttp();
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(
      'POST /hook/claude HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 16777217\r\n\r\n{',
    );
    const first = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
    expect(first.toString()).toMatch(/^HTTP\/1\.1 413 /);
    expect(first.toString()).toContain('"code":"too_large"');
    expect(accepted).toEqual([]);
  });

  it.each([
    ['413', 'too_large', 'application/json'],
    ['415', 'wrong_content_type', 'text/plain'],
  ])('answers %s to a sender that writes on, and goes on with the connection', async (status, code, type) => {
    const { port } = await startHttp();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const headers = { 'content-type': type };
    for (let round = 0; round < 3; round += 1) {
      const answer = await send(port, { body: Buffer.alloc(20 * 1024 * 1024, 0x20), headers, agent });
      expect([String(answer.status), codeOf(answer)]).toEqual([status, code]);
      expect(await send(port, { agent })).toMatchObject({ status: 204 });
    }
  });

  it('closes the connection of a body without end', async () => {
    const { port } = await startHttp();
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => undefined);
    socket.write(
      'POST /hook/claude HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(0x100000), Buffer.from('\r\n')]);
    const writeOn = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', writeOn);
    writeOn();
    await closed;
  });

  it('answers 413 to more that came without a length', async () => {
    const { port, accepted } = await startHttp();
    const body = Buffer.alloc(16 * 1024 * 1024 + 1, 0x20);
    const answer = await send(port, { body, headers: { 'transfer-encoding': 'chunked' } });
    expect([answer.status, codeOf(answer)]).toEqual([413, 'too_large']);
    expect(accepted).toEqual([]);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
  ])('answers 415 to %s: a web page may send that without asking', async (type) => {
    const { port, accepted } = await startHttp();
    const answer = await send(port, { headers: { 'content-type': type } });
    expect([answer.status, codeOf(answer)]).toEqual([415, 'wrong_content_type']);
    expect(accepted).toEqual([]);
  });

  it('answers 415 to a body without a type', async () => {
    const { port } = await startHttp();
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write('POST /hook/claude HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}');
    const first = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
    expect(first.toString()).toMatch(/^HTTP\/1\.1 415 /);
  });
});

describe('requests of web pages', () => {
  it.each([
    ['a foreign origin', { origin: 'https://evil.example' }, 'foreign_origin'],
    ['an origin of this machine on another port', { origin: 'http://127.0.0.1:1' }, 'foreign_origin'],
    ['a page without an origin of its own', { origin: 'null' }, 'foreign_origin'],
    ['a name that was pointed here', { host: 'evil.example' }, 'foreign_host'],
    ['a name that begins like ours', { host: '127.0.0.1.evil.example' }, 'foreign_host'],
    ['a host that is none', { host: 'a b' }, 'foreign_host'],
  ])('answers 403 to %s', async (_name, headers, code) => {
    const { port, accepted } = await startHttp();
    for (const [method, path] of [
      ['POST', '/hook/claude'],
      ['GET', '/healthz'],
      ['GET', '/nothing'],
    ] as const) {
      const answer = await send(port, { method, path, headers, body: method === 'GET' ? '' : '{}' });
      expect([path, answer.status, codeOf(answer)]).toEqual([path, 403, code]);
    }
    expect(accepted).toEqual([]);
  });

  it('lets the own page pass, and names that the user allows', async () => {
    const { port } = await startHttp(undefined, { ownHosts: { names: ['desk.lan'], addresses: false } });
    for (const host of ['127.0.0.1', 'localhost', '[::1]', 'desk.lan']) {
      const headers = {
        ...{ host: `${host}:${port}`, origin: `http://${host}:${port}` },
        ...(host === 'desk.lan' && { authorization: `Bearer ${TOKEN}` }),
      };
      expect(await send(port, { headers })).toMatchObject({ status: 204 });
    }
  });
});

it.each([
  ['GET', '/hook/claude'],
  ['PUT', '/hook/claude'],
  ['POST', '/hooks/claude'],
  ['POST', '/hook/claude/more'],
  ['GET', '/'],
  ['OPTIONS', '/status'],
  ['DELETE', '/sessions'],
  ['POST', '/status'],
])('answers %s %s with 404 and names it', async (method, path) => {
  const { port } = await startHttp();
  const answer = await send(port, { method, path, body: method.startsWith('P') ? '{}' : '' });
  expect([answer.status, codeOf(answer)]).toEqual([404, 'no_route']);
  expect(answer.body).toContain(`${method} ${path}`);
});

it('ends with connections open', async () => {
  const { port, service } = await startHttp();
  const socket = connect(port, '127.0.0.1');
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  await service.stop();
  await closed;
});
