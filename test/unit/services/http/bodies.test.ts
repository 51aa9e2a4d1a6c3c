import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startHttp } from '../../../support/http.ts';
import { until } from '../../../support/until.ts';

// Megabytes take their time on a busy machine.
vi.setConfig({ testTimeout: 200_000 });

const MEGABYTE = 1024 * 1024;

/** Begins a hook event and leaves it unfinished. */
function begin(port: number, bytes: number): Socket {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.write(
    'POST /hook/claude HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 16777216\r\n\r\n',
  );
  socket.write(Buffer.alloc(bytes, 0x20));
  return socket;
}

/** Sends a body of which nobody is told how long it gets. @returns the status of the answer */
function upload(
  port: number,
  { path, type, megabytes }: { path: string; type: string; megabytes: number },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': type, 'transfer-encoding': 'chunked' };
    let status = 0;
    const sent = request({ host: '127.0.0.1', port, method: 'POST', path, headers }, (response) => {
      status = response.resume().statusCode ?? 0;
    });
    sent.on('error', reject);
    // The answer comes before all of it is sent.
    sent.on('close', () => resolve(status));
    sent.end(Buffer.alloc(megabytes * MEGABYTE, 0x20));
  });
}

it('a body that trickles is given up, and the next request is served', async () => {
  const { port, url, accepted } = await startHttp(undefined, { requestMs: 200 });
  const slow = begin(port, 10);
  const chunks: Buffer[] = [];
  slow.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(slow, 'close');
  expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 408 /);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect(accepted).toEqual([]);
});

it('bodies that are begun and left are bounded together: the oldest goes', async () => {
  const { port, url } = await startHttp();
  const gone: number[] = [];
  const begun = Array.from({ length: 10 }, (_, index) => {
    const socket = begin(port, 15 * MEGABYTE);
    socket.once('close', () => gone.push(index));
    return socket;
  });
  await until(() => gone.length > 0);
  // 8 of 15 MB fit into 128 MB.
  await until(() => gone.length === 2);
  expect(begun.filter((socket) => !socket.destroyed)).toHaveLength(8);
  const answer = await fetch(`${url}/hook/claude`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(answer.status).toBe(204);
});

it('what has been dealt with counts no more', async () => {
  const { url, accepted } = await startHttp();
  for (let round = 0; round < 12; round += 1) {
    const answer = await fetch(`${url}/hook/claude`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.alloc(14 * MEGABYTE, 0x20),
    });
    expect(answer.status).toBe(204);
  }
  expect(accepted).toHaveLength(12);
});

it.each([
  ['to a route that takes less', '/attention', 'application/json', 413],
  ['to a hook', '/hook/claude', 'application/json', 413],
  ['of another type', '/attention', 'text/plain', 415],
])('what is refused and dropped counts no more: %s', async (_name, path, type, status) => {
  const { port, accepted } = await startHttp();
  const honest = connect(port, '127.0.0.1');
  onTestFinished(() => void honest.destroy());
  const answered: Buffer[] = [];
  honest.on('data', (chunk: Buffer) => answered.push(chunk));
  honest.on('error', () => undefined);
  honest.write(
    'POST /attention HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 39\r\n\r\n{"provider"',
  );
  for (let round = 0; round < 5; round += 1)
    expect(await upload(port, { path, type, megabytes: 40 })).toBe(status);
  honest.write(':"codex","signal":"working"}');
  await until(() => answered.length > 0 || honest.destroyed);
  expect(Buffer.concat(answered).toString()).toMatch(/^HTTP\/1\.1 200 /);
  expect(accepted).toHaveLength(1);
});

it('a sender that goes away in the middle is nobody’s fault', async () => {
  const { port, url, log } = await startHttp();
  const socket = begin(port, 100);
  await until(() => socket.bytesWritten > 100);
  socket.destroy();
  await once(socket, 'close');
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect(log.join('')).not.toContain('a request failed');
});
