import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { curl } from '../support/curl.ts';
import { readHubDatabase } from '../support/hub-database.ts';
import { startHub } from '../support/hub.ts';
import { startMosquitto } from '../support/mosquitto.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

const REQUEST = {
  provider: 'claude',
  event: 'PermissionRequest',
  session_id: 'shop-1',
  cwd: '/srv/web-shop',
};

it('beside another broker: what it carries is refused while it is away, and is not done later', async () => {
  const broker = await startMosquitto();
  const hub = await startHub({ args: ['--broker-url', broker.url] });
  const token = readFileSync(join(hub.home, 'http-token'), 'utf8').trim();
  const explain = async (): Promise<number> => (await curl(`${hub.url}/sessions/shop/explain`)).status;
  const windows = async (): Promise<unknown> => {
    const { providers } = (await curl(`${hub.url}/usage`)).json() as { providers: { windows: object[] }[] };
    return providers[0]?.windows;
  };
  expect((await curl(`${hub.url}/attention`, { body: REQUEST })).json()).toEqual({ ok: true });
  const report = { windows: [{ label: '5h', pct: 42 }] };
  expect((await curl(`${hub.url}/usage/claude`, { body: report })).json()).toEqual({ ok: true });
  expect(await explain()).toBe(200);

  await broker.stop();
  await vi.waitFor(async () => expect(await explain()).toBe(503), { timeout: 60_000, interval: 20 });
  for (const [path, body] of [
    ['/ack', {}],
    ['/clear', {}],
    ['/usage/claude', { windows: [] }],
  ] as const) {
    const answer = await curl(hub.url + path, { token, body });
    expect([path, answer.status, answer.json()]).toMatchObject([
      path,
      503,
      { error: { code: 'not_delivered' } },
    ]);
  }
  // What the hub knows by itself goes on.
  expect((await curl(`${hub.url}/attention`, { body: { ...REQUEST, session_id: 'docs-1' } })).status).toBe(
    200,
  );
  expect((await curl(`${hub.url}/status`)).json()).toMatchObject({
    providers: [{ attention: { state: 'needs_user' } }, {}],
  });

  await broker.start();
  await vi.waitFor(async () => expect(await explain()).toBe(200), { timeout: 60_000, interval: 20 });
  expect((await curl(`${hub.url}/sessions`)).json()).toMatchObject({
    sessions: [{ state: 'needs_user' }, { state: 'needs_user' }],
  });
  expect(await windows()).toMatchObject([{ pct: 42 }]);
  expect(readHubDatabase(hub.home).events.filter((body) => 'by' in body)).toEqual([]);
  expect((await curl(`${hub.url}/ack`, { token, body: {} })).status).toBe(200);
});
