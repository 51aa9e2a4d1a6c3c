import { createServer, type RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createNtfyClient, type NtfyClient } from '../../../../services/notifier/ntfy-client.ts';
import { freePort } from '../../../support/doctor.ts';
import { listen } from '../../../support/listen.ts';

const MESSAGE = { topic: 't', title: 'one', message: 'two', priority: 4, tags: [], sequence_id: 's' };

function clientOf(server: string, withinMs?: number): NtfyClient {
  const client = createNtfyClient({ server, token: 'tk_x' }, withinMs);
  onTestFinished(() => client.close());
  return client;
}

/** A server that does what it is told. It stands for the faults that the real one can't be brought to. */
async function misbehaving(serve: RequestListener): Promise<string> {
  const server = createServer(serve).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

const answering = (status: number, body: string): Promise<string> =>
  misbehaving((_request, response) => response.writeHead(status).end(body));
const error = (status: number, code: number): string => JSON.stringify({ code, http: status, error: 'x' });

describe('a server that answers wrongly', () => {
  // Codes as ntfy 2.27 gives them (its server/errors.go).
  it.each([
    [429, error(429, 42901), { fault: 'rate_limited', retry: true, status: 429, code: 42901 }],
    [429, error(429, 42908), { fault: 'daily_limit', retry: true, status: 429, code: 42908 }],
    [500, 'oops', { fault: 'server_error', retry: true, status: 500 }],
    [502, '<html>', { fault: 'server_error', retry: true, status: 502 }],
    [408, '', { fault: 'refused', retry: true, status: 408 }],
    [400, error(400, 40024), { fault: 'refused', retry: false, status: 400, code: 40024 }],
    [401, error(401, 40101), { fault: 'not_authorised', retry: false, status: 401, code: 40101 }],
    [403, error(403, 40301), { fault: 'not_authorised', retry: false, status: 403, code: 40301 }],
    [404, '', { fault: 'refused', retry: false, status: 404 }],
    [413, error(413, 41303), { fault: 'too_large', retry: false, status: 413, code: 41303 }],
    [302, '', { fault: 'refused', retry: false, status: 302 }],
    [200, '<html>please log in</html>', { fault: 'garbage', retry: true, status: 200 }],
    [200, '{"event":"open"}', { fault: 'garbage', retry: true, status: 200 }],
    [200, 'null', { fault: 'garbage', retry: true, status: 200 }],
    [200, '', { fault: 'garbage', retry: true, status: 200 }],
    [200, 'x'.repeat(1_000_000), { fault: 'garbage', retry: true }],
  ])('%i with %.40s', async (status, body, outcome) => {
    const client = clientOf(await answering(status, body));
    expect(await client.publish(MESSAGE)).toEqual({ ok: false, ...outcome });
  });

  it.each([404, 405, 501])('that does not know a path or a method can not clear: %i', async (status) => {
    const client = clientOf(await answering(status, error(status, 40401)));
    const old = { ok: false, fault: 'not_supported', retry: false, status };
    expect([await client.clear('t', 's'), await client.cancel('t', 's')]).toEqual([old, old]);
  });

  it('takes a message and says nothing of sequence ids: an old one', async () => {
    const client = clientOf(await answering(200, '{"id":"x","event":"message","topic":"t"}'));
    expect(await client.publish(MESSAGE)).toEqual({ ok: true, replaces: false });
  });
});

describe('a server that does not answer', () => {
  it('refuses', async () => {
    const client = clientOf(`http://127.0.0.1:${await freePort()}`);
    expect(await client.publish(MESSAGE)).toEqual({ ok: false, fault: 'unreachable', retry: true });
  });

  it('has a name that nobody knows', async () => {
    const client = clientOf('http://no-such-host.invalid');
    expect(await client.health()).toMatchObject({ ok: false, retry: true });
  });

  it.each([
    ['says nothing', ''],
    ['begins to answer', 'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"id'],
    ['never ends its headers', 'HTTP/1.1 200 OK\r\nX-A: '],
  ])('%s', async (_what, bytes) => {
    const port = await listen((socket) => socket.write(bytes));
    const client = clientOf(`http://127.0.0.1:${port}`, 50);
    expect(await client.publish(MESSAGE)).toEqual({ ok: false, fault: 'timeout', retry: true });
  });

  it.each([
    ['hangs up', ''],
    ['hangs up in the middle', 'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"id'],
    ['speaks something else', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ])('%s', async (_what, bytes) => {
    const port = await listen((socket) => socket.end(bytes));
    const client = clientOf(`http://127.0.0.1:${port}`);
    expect(await client.publish(MESSAGE)).toEqual({ ok: false, fault: 'unreachable', retry: true });
  });
});

describe('what is sent', () => {
  async function sentBy(server: Parameters<typeof createNtfyClient>[0]) {
    const seen: { method?: string; url?: string; authorization?: string; body: string }[] = [];
    const url = await misbehaving((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url: path = '', headers } = request;
        const { authorization = '' } = headers;
        seen.push({ method, url: path, authorization, body: Buffer.concat(chunks).toString() });
        response.end('{"event":"message_clear"}');
      });
    });
    const client = createNtfyClient({ ...server, server: url + server.server });
    onTestFinished(() => client.close());
    return { client, seen };
  }

  it('goes as JSON to the root, also below a path, and intact in every script', async () => {
    const { client, seen } = await sentBy({ server: '/push/' });
    const message = { ...MESSAGE, title: 'größer 日本 🔴', message: '"\\\n' };
    await client.publish(message);
    await client.clear('t', 's');
    await client.cancel('t', 's');
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /push/',
      'PUT /push/t/s/clear',
      'DELETE /push/t/s',
    ]);
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual(message);
    expect(seen[0]?.authorization).toBe('');
  });

  it.each([
    [{ token: 'tk_1', username: 'me', password: 'pw' }, 'Bearer tk_1'],
    [{ username: 'me', password: 'pä:ß' }, `Basic ${Buffer.from('me:pä:ß').toString('base64')}`],
    [{ password: 'alone' }, ''],
  ])('%j as %s', async (credentials, authorization) => {
    const { client, seen } = await sentBy({ server: '', ...credentials });
    await client.publish(MESSAGE);
    expect(seen[0]?.authorization).toBe(authorization);
  });
});
