import { connect as connectSocket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { curl } from '../support/curl.ts';
import { readHubDatabase } from '../support/hub-database.ts';
import { startHub } from '../support/hub.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

const EVENT = { provider: 'claude', event: 'Stop', session_id: 's', cwd: '/srv/shop' };

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
