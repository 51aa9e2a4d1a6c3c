import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { viewBus } from '../support/bus-viewer.ts';
import { readHubDatabase } from '../support/hub-database.ts';
import { AS_USER, runHub, startHub } from '../support/hub.ts';
import { connect } from '../support/mqtt-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

/** Listens on a free port, so that it is taken by this process. */
async function takePort(): Promise<number> {
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as { port: number }).port;
}

describe('a hub that cannot start', () => {
  it.each([
    ['MQTT', 'SIGNALBOX_BROKER_PORT', '--port'],
    ['HTTP', 'SIGNALBOX_HTTP_PORT', '--http-port'],
  ])('names who has the %s port and the flag for another one', async (_name, variable, flag) => {
    const port = await takePort();
    const { code, output } = await runHub({ env: { [variable]: String(port) } });
    expect(code).toBe(1);
    expect(output).toContain(`Port ${port} on 127.0.0.1 is taken by`);
    expect(output).toContain(`(pid ${process.pid})`);
    expect(output).toContain(`choose another port with ${flag}.`);
    expect(output).not.toMatch(/^\s+at /m);
  });

  it('names the first hub of its data folder, which goes on', async () => {
    const first = await startHub();
    const { code, output } = await runHub({ home: first.home });
    expect(code).toBe(1);
    expect(output).toContain(
      `A hub is running on this data folder already (process ${first.pid}, ${first.home}, since 20`,
    );
    expect(output).toContain(`MQTT port ${first.mqtt_port}, HTTP port ${first.http_port}).`);
    const client = await connect({ port: first.mqtt_port });
    await client.publish('hook/claude', '{"event":"Stop","session_id":"s"}');
    expect(readHubDatabase(first.home).events).toHaveLength(1);
  });

  it('leaves the database of a newer version as it is', async () => {
    const home = temporaryFolder();
    const path = join(home, 'signalbox.db');
    const database = new Database(path);
    database.pragma('user_version = 4711');
    database.close();
    const { code, output } = await runHub({ home });
    expect(code).toBe(1);
    expect(output).toMatch(/was written by a newer Signalbox \(schema 4711, this one knows \d+\)/);
    expect(new Database(path, { readonly: true }).pragma('user_version', { simple: true })).toBe(4711);
  });

  it('says what is wrong with a data folder that cannot be made', async () => {
    const home = temporaryFolder();
    // Nothing can be made there, whoever asks.
    const { code, output } = await runHub({ home, env: { SIGNALBOX_HOME: '/sys/signalbox' } });
    expect(code).toBe(1);
    expect(output).toMatch(/The folder \/sys\/signalbox can't be used: /);
    expect(output).not.toMatch(/^\s+at /m);
  });

  it('says what is wrong with a data folder that is closed to it', async () => {
    const home = temporaryFolder();
    const hub = await startHub({ home });
    await hub.end('SIGTERM');
    chmodSync(home, 0o500);
    const { code, output } = await runHub({ home, under: AS_USER });
    expect(code).toBe(1);
    expect(output).toMatch(/The (?:folder|database) \S+ can't be used: /);
    expect(output).toContain(home);
    expect(output).not.toMatch(/^\s+at /m);
  });

  it('says what is wrong with a database that is a folder', async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'signalbox.db'));
    const { code, output } = await runHub({ home });
    expect(code).toBe(1);
    expect(output).toContain(`The database ${join(home, 'signalbox.db')} can't be used: `);
    expect(output).not.toMatch(/^\s+at /m);
  });
});

it('logs nothing where it is to be silent', async () => {
  const hub = await startHub({ args: ['--log-level', 'silent'] });
  await hub.end('SIGTERM');
  expect(hub.output()).toMatch(/^Signalbox /);
  expect(hub.output()).not.toContain('stopping');
});

describe('a hub that is asked to stop', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'by %s says so on the bus first, and ends in order',
    async (signal) => {
      const hub = await startHub();
      const bus = await viewBus({ port: hub.mqtt_port });
      const operator = await viewBus({ path: hub.socket });
      await until(
        () => bus.last('signalbox/state') === 'online' && operator.last('signalbox/state') === 'online',
      );
      const client = await connect({ port: hub.mqtt_port });
      await client.publish('hook/claude', '{"event":"UserPromptSubmit","session_id":"s","cwd":"/srv/shop"}');

      expect(await hub.end(signal)).toEqual({ code: 0, signal: null });
      expect(hub.output()).not.toContain('did not stop in time');
      for (const viewer of [bus, operator])
        expect(viewer.of('signalbox/state')).toEqual(['online', 'offline']);
      expect(existsSync(join(hub.home, 'hub.json'))).toBe(false);
      expect(existsSync(hub.socket)).toBe(false);
      // Written back: nothing but the database is left of it.
      expect(readdirSync(hub.home).filter((name) => /-(?:wal|shm)$/.test(name))).toEqual([]);
      expect(readHubDatabase(hub.home).events).toHaveLength(1);

      const again = await startHub({ home: hub.home });
      expect(again.hub_id).toBe(hub.hub_id);
    },
  );

  it('stops in order with a hundred clients, one that reads nothing, a WebSocket and an open HTTP connection', async () => {
    const hub = await startHub();
    const clients = await Promise.all(Array.from({ length: 100 }, () => connect({ port: hub.mqtt_port })));
    await Promise.all(clients.map((client) => client.subscribe('signal/#')));
    const stalled = await connect({ port: hub.mqtt_port });
    await stalled.subscribe('signal/#', 'session/#');
    (stalled.mqtt.stream as Socket).pause();
    const web = new WebSocket(`${hub.url.replace('http', 'ws')}/mqtt`, 'mqtt');
    await once(web, 'open');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const status = await new Promise<number | undefined>((resolve, reject) => {
      get(`${hub.url}/healthz`, { agent }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      }).once('error', reject);
    });
    expect(status).toBe(200);
    // Half a request: somebody who never ends it.
    const half = createConnection({ host: '127.0.0.1', port: hub.http_port });
    await once(half, 'connect');
    half.on('error', () => undefined).write('POST /hook/claude HTTP/1.1\r\nHost: localhost\r\nContent-Le');
    onTestFinished(() => {
      web.terminate();
      agent.destroy();
      half.destroy();
    });
    for (let index = 0; index < 50; index += 1) {
      const body = { event: 'UserPromptSubmit', session_id: `s${index}`, cwd: `/srv/p${index}` };
      await clients[0]?.publish('hook/claude', JSON.stringify(body));
    }
    for (const { mqtt } of [...clients, stalled]) mqtt.once('close', () => mqtt.end(true));
    expect(await hub.end('SIGINT')).toEqual({ code: 0, signal: null });
    expect(hub.output()).not.toContain('did not stop in time');
    expect(existsSync(join(hub.home, 'hub.json'))).toBe(false);
  });

  it('keeps or turns away what is published meanwhile, and acknowledges only what it keeps', async () => {
    const hub = await startHub();
    const client = await connect({ port: hub.mqtt_port });
    const acknowledged: string[] = [];
    let number = 0;
    const senders = Array.from({ length: 20 }, async () => {
      for (;;) {
        number += 1;
        const id = `event-${number}`;
        const hook = { event: 'PreToolUse', session_id: 's', tool_name: 'Bash', tool_use_id: id };
        try {
          await client.publish('hook/claude', JSON.stringify({ v: 1, id, hook }));
        } catch {
          return;
        }
        acknowledged.push(id);
      }
    });
    client.mqtt.once('close', () => client.mqtt.end(true));
    await until(() => acknowledged.length > 200);
    expect(await hub.end('SIGTERM')).toEqual({ code: 0, signal: null });
    await Promise.all(senders);
    const kept = new Set(readHubDatabase(hub.home).events.map(({ id }) => id));
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
  });
});

describe('a damaged database', () => {
  it.each([
    [
      'that is no database at all',
      (path: string) => writeFileSync(path, 'not a database, whatever it may have been'.repeat(200)),
    ],
    ['that was cut off', (path: string) => truncateSync(path, Math.floor(statSync(path).size / 2))],
  ])('%s is moved aside; the lamps say stale until an event comes', async (_name, damage) => {
    const hub = await startHub();
    const client = await connect({ port: hub.mqtt_port });
    for (let index = 0; index < 200; index += 1) {
      const body = {
        event: 'UserPromptSubmit',
        session_id: `session-${index}`,
        cwd: `/srv/project-${index}`,
      };
      await client.publish('hook/claude', JSON.stringify(body));
    }
    await hub.end('SIGTERM');
    const path = join(hub.home, 'signalbox.db');
    damage(path);

    const again = await startHub({ home: hub.home });
    const bus = await viewBus({ port: again.mqtt_port });
    await bus.untilSignal('claude', ({ lamp, attention }) => lamp === 'stale' && attention.count === 0);
    await bus.untilSignal('codex', ({ lamp }) => lamp === 'stale');
    await until(() => bus.last('lamp/all') === 'stale' && bus.last('signalbox/health') !== undefined);
    expect(JSON.parse(bus.last('signalbox/health') ?? '{}')).toMatchObject({
      status: 'degraded',
      problems: ['database_damaged'],
    });
    expect(again.output()).toContain('damaged');
    expect(
      readdirSync(hub.home).filter((name) => /^signalbox\.db\.damaged-[\dT-]+$/.test(name)),
    ).toHaveLength(1);
    expect(readHubDatabase(hub.home).sessions).toEqual([]);

    const sender = await connect({ port: again.mqtt_port });
    await sender.publish('hook/claude', '{"event":"UserPromptSubmit","session_id":"s","cwd":"/srv/shop"}');
    await bus.untilSignal('claude', ({ lamp }) => lamp === 'active');
    expect(bus.signal('codex')?.lamp).toBe('stale');
  });
});

it('keeps what it writes to itself', async () => {
  const hub = await startHub();
  const client = await connect({ port: hub.mqtt_port });
  await client.publish('hook/claude', '{"event":"UserPromptSubmit","session_id":"s","cwd":"/srv/shop"}');
  const open = readdirSync(hub.home, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => [name, (statSync(join(hub.home, name)).mode & 0o777).toString(8)]);
  expect(open.map(([name]) => name)).toEqual(
    expect.arrayContaining(['signalbox.db', 'signalbox.db-wal', 'hub.json', 'digest.key', 'signalbox.sock']),
  );
  expect(open.filter(([, mode]) => mode !== '600')).toEqual([]);
  expect(statSync(hub.home).mode & 0o777).toBe(0o700);
});
