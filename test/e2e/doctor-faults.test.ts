import { chmodSync, closeSync, existsSync, openSync, readdirSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { diagnose, foreignListener, freePort } from '../support/doctor.ts';
import { AS_USER, startHub } from '../support/hub.ts';
import { startMosquitto } from '../support/mosquitto.ts';
import { connect } from '../support/mqtt-client.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

/** A data folder as a hub leaves it, with an event in its database. */
async function usedHome(): Promise<string> {
  const hub = await startHub();
  const client = await connect({ port: hub.mqtt_port });
  await client.publish('hook/claude', JSON.stringify({ event: 'Stop', session_id: 's', cwd: '/srv/shop' }));
  await client.close();
  await hub.end('SIGTERM');
  return hub.home;
}

function change(home: string, sql: string): void {
  const database = new Database(join(home, 'signalbox.db'));
  database.exec(sql);
  database.close();
}

describe('doctor finds', () => {
  it('a broker that refuses the connection', async () => {
    const url = `mqtt://127.0.0.1:${await freePort()}`;
    const { status, of } = await diagnose({ home: temporaryFolder() }, ['--broker-url', url]);
    expect(status).toBe(1);
    expect(of('broker')).toMatchObject({ code: 'broker_unreachable', level: 'broken' });
    expect(of('broker')?.message).toBe(`The broker at ${url} does not answer: nothing listens there.`);
    expect(of('broker')?.mend).toContain('that the broker is running');
  });

  it('another broker that has gone away under its hub', async () => {
    const broker = await startMosquitto();
    const hub = await startHub({ args: ['--broker-url', broker.url] });
    const before = await diagnose({ home: hub.home });
    expect([before.of('broker')?.level, before.of('broker')?.message]).toEqual([
      'ok',
      `${broker.url} answers`,
    ]);
    await broker.stop();
    const { status, of } = await diagnose({ home: hub.home });
    expect([status, of('hub')?.level]).toEqual([1, 'ok']);
    expect(of('broker')).toMatchObject({ code: 'broker_unreachable', level: 'broken' });
    expect(of('broker')?.message).toContain(broker.url);
  });

  it('another hub on the same broker and prefix', async () => {
    const broker = await startMosquitto();
    const hub = await startHub({ args: ['--broker-url', broker.url] });
    const { status, of } = await diagnose({ home: temporaryFolder() }, ['--broker-url', broker.url]);
    expect([status, of('broker')?.code]).toEqual([1, 'prefix_taken']);
    expect(of('broker')?.message).toContain(hub.hub_id);
    expect(of('broker')?.mend).toContain('--prefix');
  });

  it.each([
    ['SIGNALBOX_BROKER_PORT', '--port'],
    ['SIGNALBOX_HTTP_PORT', '--http-port'],
  ])('a port that another program has: %s', async (variable, flag) => {
    const port = await foreignListener();
    const env = { SIGNALBOX_BROKER_PORT: '0', SIGNALBOX_HTTP_PORT: '0', [variable]: String(port) };
    const { status, of, wrong } = await diagnose({ home: temporaryFolder(), env });
    expect([status, wrong]).toEqual([1, ['hub no_hub', 'ports port_taken']]);
    expect(of('ports')?.message).toMatch(new RegExp(`^Port ${port} .*by .+ \\(pid ${process.pid}\\)`));
    expect(of('ports')?.mend).toContain(flag);
  });

  it.each([
    ['whose header is overwritten', 0],
    ['with a page overwritten', 4096],
  ])(
    'a damaged database, %s, leaves it where it is, and knows it when it has been moved aside',
    async (_how, at) => {
      const home = await usedHome();
      const file = openSync(join(home, 'signalbox.db'), 'r+');
      writeSync(file, Buffer.alloc(4096, 'x'), 0, 4096, at);
      closeSync(file);
      const { status, of } = await diagnose({ home });
      expect([status, of('database')?.code]).toEqual([1, 'database_damaged']);
      expect(of('database')?.mend).toContain('Start the hub again');

      await startHub({ home });
      const after = await diagnose({ home });
      const found = after.findings.filter(({ level }) => level === 'warning').map(({ code }) => code);
      expect(found).toEqual(['database_damaged', 'database_moved_aside', 'no_events']);
      const moved = readdirSync(home).find((name) => /damaged-[\d-]+T[\d-]+$/.test(name));
      expect(after.of('database')?.message).toContain(`${moved}`);
      expect(after.of('database')?.message).toContain(new Date().toISOString().slice(0, 10));
      expect(after.status).toBe(0);
    },
  );

  it('a database of a newer version', async () => {
    const home = await usedHome();
    change(home, 'PRAGMA user_version = 4711');
    const { status, of } = await diagnose({ home });
    expect([status, of('database')?.code]).toEqual([1, 'database_newer']);
    expect(of('database')?.message).toContain('4711');
    expect(of('database')?.mend).toContain('Update Signalbox');
  });

  it('a database whose newest event lies in the future', async () => {
    const home = await usedHome();
    change(home, 'UPDATE seen SET last_at = last_at + 10800000');
    const { status, of } = await diagnose({ home });
    expect([status, of('database')?.code]).toEqual([1, 'event_in_future']);
    expect(of('database')?.message).toMatch(/dated [23] (?:h|min) from now|dated 2 h from now/);
    expect(of('database')?.mend).toContain('Set the clock right');
  });

  it('a data folder in which nothing can be written', async () => {
    const home = await usedHome();
    chmodSync(home, 0o500);
    const { status, of } = await diagnose({ home, under: AS_USER });
    expect([status, of('folder')?.code]).toEqual([1, 'folder_unusable']);
    expect(of('folder')?.message).toContain('permission denied');
    expect(of('folder')?.mend).toContain('SIGNALBOX_HOME');
    // What is in it is told all the same.
    expect(of('events')?.message).toContain('Claude: Stop');
    chmodSync(home, 0o000);
    expect(
      (await runCli(['doctor'], { home: '/', env: { SIGNALBOX_HOME: home }, under: AS_USER })).status,
    ).toBe(1);
    chmodSync(home, 0o700);
  });

  it('SIGNALBOX_HOME that names a file, and calls it what it is', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    const env = { SIGNALBOX_HOME: file };
    const { wrong, of } = await diagnose({ home: folder, env });
    expect(wrong).toEqual(['folder folder_unusable', 'hub no_hub']);
    expect(of('folder')?.message).toContain('a file is in its place');
    for (const command of ['up', 'config', 'status'])
      expect((await runCli([command], { home: folder, env })).stderr).toContain(
        `The folder ${file} can't be used`,
      );
  });

  it('settings that are wrong, and goes on with the defaults', async () => {
    const home = await usedHome();
    writeFileSync(join(home, 'config.toml'), '[broker]\nprt = 1\n');
    const { status, of } = await diagnose({ home, env: { SIGNALBOX_BROKR_PORT: '1' } });
    expect([status, of('config')?.code]).toEqual([1, 'config_unknown_key']);
    expect(of('config')?.mend).toContain('broker.port');
    expect(of('database')?.level).toBe('ok');
    writeFileSync(join(home, 'config.toml'), '');
    const warned = await diagnose({ home, env: { SIGNALBOX_BROKR_PORT: '1' } });
    expect(warned.of('config')).toMatchObject({ level: 'warning', code: 'config_warning' });
    expect(warned.of('config')?.mend).toContain('SIGNALBOX_BROKER_PORT');
    expect(existsSync(join(home, 'hub.json'))).toBe(false);
  });
});
