import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readHubDatabase } from '../support/hub-database.ts';
import { AS_USER, startHub } from '../support/hub.ts';
import { listen } from '../support/listen.ts';
import { payload } from '../support/payloads.ts';
import { runSender, SILENT, spooled, spoolFiles, startSender, writeTestHubFile } from '../support/sender.ts';
import { installSender, senderByWay, WAYS } from '../support/shell-sender.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

// A machine with other work starts a process in seconds. A sender that hangs runs into this.
vi.setConfig({ testTimeout: 120_000 });

const STOP = JSON.stringify(payload('claude/Stop'));
const CONNACK = Buffer.from([0x20, 0x02, 0x00, 0x00]);
const [BASH, , MOSQUITTO, CURL] = WAYS;

describe('a hub that does not take the event leaves it in the spool', () => {
  it.each([
    ['says nothing', () => undefined],
    ['closes at once', (socket: Socket) => void socket.destroy()],
    ['refuses', (socket: Socket) => void socket.end(Buffer.from([0x20, 0x02, 0x00, 0x05]))],
    ['speaks another language', (socket: Socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['sends NUL bytes', (socket: Socket) => void socket.write(Buffer.alloc(100))],
    ['connects and closes', (socket: Socket) => void socket.end(CONNACK)],
    ['connects in halves, and is gone', (socket: Socket) => void socket.end(CONNACK.subarray(0, 2))],
    [
      'connects and never acknowledges',
      (socket: Socket) => void socket.once('data', () => socket.write(CONNACK)),
    ],
  ])('%s', async (_name, serve) => {
    const home = temporaryFolder();
    await writeTestHubFile(home, { mqtt_port: await listen(serve) });
    const by = [installSender(home)];
    expect(await runSender(['claude'], { home, by, input: STOP })).toEqual(SILENT);
    await until(() => spooled(home).length > 0);
    expect(spooled(home)).toEqual([
      expect.objectContaining({ event: 'Stop', enveloped: true, ppid: process.pid }),
    ]);
  });

  it('hangs, and no longer takes connections: the agent does not hang with it, and later all is well again', async () => {
    const home = temporaryFolder();
    // One that is stopped, with a queue that is full.
    const child = spawn(
      process.execPath,
      [
        '-e',
        "const s=require('net').createServer().listen(0,'127.0.0.1',1,()=>console.log(s.address().port))",
      ],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    const port = Number(said.toString());
    child.kill('SIGSTOP');
    await writeTestHubFile(home, { mqtt_port: port });
    const by = [installSender(home)];
    expect(await runSender(['claude'], { home, by, input: STOP })).toEqual(SILENT);
    await until(() => spooled(home).length === 1);
    const queue = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    onTestFinished(() => queue.forEach((socket) => void socket.destroy()));
    expect(await runSender(['claude'], { home, by, input: STOP })).toEqual(SILENT);
    await until(() => spooled(home).length === 2);
    expect(existsSync(join(home, 'bin', 'hung'))).toBe(true);

    await startHub({ home });
    await until(async () => {
      expect(await runSender(['claude'], { home, by, input: STOP })).toEqual(SILENT);
      return !existsSync(join(home, 'bin', 'hung'));
    });
    await until(() => spoolFiles(home).length === 0);
  });
});

describe('a hub.json that leads nowhere, or is to lead astray', () => {
  const file = (more: string): string => `{\n  "pid": ${process.pid},\n${more}\n}\n`;
  it.each([
    ['is empty', ''],
    ['is no JSON', '{"pid":'],
    ['is of NUL bytes', '\0'.repeat(5000)],
    ['is long', '  "pid": 1,\n'.repeat(100_000)],
    [
      'has commands for numbers',
      file('  "host": "127.0.0.1",\n  "mqtt_port": a[$(touch pwned)],\n  "http_port": $(touch pwned)'),
    ],
    ['has a command for a pid', '{\n  "pid": $(touch pwned),\n  "host": "127.0.0.1",\n  "mqtt_port": 1\n}'],
    ['has a command for a host', file('  "host": "$(touch pwned)",\n  "mqtt_port": 1')],
    [
      'has a command in its prefix',
      file('  "host": "127.0.0.1",\n  "mqtt_port": 1,\n  "prefix": "`touch pwned`/$(touch pwned)"'),
    ],
    ['has numbers that are too long', file(`  "host": "127.0.0.1",\n  "mqtt_port": ${'9'.repeat(400)}`)],
    ['has a path for a port', file('  "host": "127.0.0.1",\n  "mqtt_port": ../../etc/passwd')],
  ])('%s', async (_name, text) => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'hub.json'), text);
    const by = [installSender(home)];
    expect(await runSender(['codex'], { home, input: STOP, by })).toEqual({ ...SILENT, stdout: '{}' });
    await until(() => spooled(home).length === 1);
    expect(readdirSync(home).filter((name) => name.includes('pwned'))).toEqual([]);
    expect(existsSync('pwned')).toBe(false);
  });

  it.each([
    ['names another machine', { host: '0.0.0.0' }],
    ['names a name', { host: 'localhost.example' }],
    ['was left by a hub whose process is another now', { process: { start: '1', scope: '' } }],
  ])('%s: no prompt goes there', async (_name, more) => {
    const home = temporaryFolder();
    let connected = 0;
    const port = await listen(() => (connected += 1));
    await writeTestHubFile(home, { mqtt_port: port, http_port: port, ...more });
    for (const way of [BASH, MOSQUITTO, CURL]) {
      const { by, env } = senderByWay(home, way);
      expect(await runSender(['claude'], { home, input: STOP, by, env })).toEqual(SILENT);
    }
    expect(connected).toBe(0);
  });
});

describe('hostile input', () => {
  it.each([
    ['nothing', ''],
    ['no JSON', 'hello'],
    ['NUL bytes', Buffer.alloc(1000)],
    ['half of it', STOP.slice(0, STOP.length / 2)],
    ['an envelope that is broken open', '{}},"hook":{"hook_event_name":"Stop","session_id":"s"}'],
    ['100,000 levels', '['.repeat(100_000)],
  ])('%s: the agent notices nothing, and the next event arrives', async (_name, input) => {
    const hub = await startHub();
    for (const way of [BASH, MOSQUITTO]) {
      const { by, env } = senderByWay(hub.home, way);
      expect(await runSender(['claude'], { home: hub.home, input, by, env })).toEqual(SILENT);
    }
    const by = [installSender(hub.home)];
    expect(await runSender(['claude'], { home: hub.home, input: STOP, by })).toEqual(SILENT);
    await until(() => readHubDatabase(hub.home).events.length > 0);
    expect(readHubDatabase(hub.home).events).toEqual([expect.objectContaining({ event: 'Stop' })]);
  });

  it.each([
    [[]],
    [['']],
    [['../x']],
    [['a b']],
    [['$(touch pwned)']],
    [['x'.repeat(33)]],
    [['-e']],
    [['claude', '-n', '%s']],
  ])('arguments %j', async (args) => {
    const home = temporaryFolder();
    const by = [installSender(home)];
    expect(await runSender(args, { home, input: 'hello', by })).toEqual(SILENT);
    expect(existsSync('pwned')).toBe(false);
  });

  it('that never ends ends the sender all the same, and what is whole by then counts', async () => {
    const home = temporaryFolder();
    for (const way of [BASH, MOSQUITTO]) {
      const { by, env } = senderByWay(home, way);
      expect(await startSender(['claude'], { home, by, env }).ended).toEqual(SILENT);
      expect(spoolFiles(home)).toEqual([]);
    }
    const sender = startSender(['claude'], { home, by: [installSender(home)] });
    sender.stdin.write(STOP);
    expect(await sender.ended).toEqual(SILENT);
    await until(() => spooled(home).length === 1);
  });

  it('that comes late, of an agent with much to do, is waited for', async () => {
    const late = ['/bin/sh', '-c', '{ sleep 0.5; cat; } | "$0" "$@"'];
    const hub = await startHub();
    const modern = [...late, installSender(hub.home)];
    expect(await runSender(['claude'], { home: hub.home, input: STOP, by: modern })).toEqual(SILENT);
    const { by, env } = senderByWay(hub.home, MOSQUITTO);
    const old = [...late, ...by];
    expect(await runSender(['codex', 'Stop'], { home: hub.home, input: STOP, by: old, env })).toMatchObject({
      status: 0,
    });
    await until(() => readHubDatabase(hub.home).events.length === 2);
  });

  it('that drips for ever ends it too', async () => {
    const home = temporaryFolder();
    const sender = startSender(['claude'], { home, by: [installSender(home)] });
    const drip = setInterval(() => sender.stdin.write(' '), 1);
    onTestFinished(() => clearInterval(drip));
    expect(await sender.ended).toEqual(SILENT);
  });

  it.each(['0<&-', '1>&-', '2>&-', '0<&- 1>&- 2>&-', '</dev/null >/dev/full'])('ends: %s', async (ends) => {
    const home = temporaryFolder();
    const by = ['sh', '-c', `exec "$0" "$@" ${ends}`, installSender(home)];
    expect(await runSender(['cursor'], { home, input: STOP, by })).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('surroundings', () => {
  it('a folder that nothing can be written to', async () => {
    const home = temporaryFolder();
    const by = [installSender(home)];
    await writeTestHubFile(home, { mqtt_port: await listen(() => undefined) });
    chmodSync(join(home, 'bin'), 0o500);
    chmodSync(home, 0o500);
    onTestFinished(() => chmodSync(home, 0o700));
    expect(await runSender(['claude'], { home, input: STOP, by, under: AS_USER })).toEqual(SILENT);
  });

  it('BASH_ENV, exported functions and names of ours in the environment change nothing', async () => {
    const hub = await startHub();
    const trap = join(hub.home, 'trap.sh');
    writeFileSync(trap, 'echo caught');
    const [path = ''] = senderByWay(hub.home, BASH).by;
    const env = {
      BASH_ENV: trap,
      ENV: trap,
      'BASH_FUNC_printf%%': '() { echo caught; }',
      IFS: 'a',
      hook: 'x',
      host: 'x',
      prefix: 'x',
      envelope: 'x',
      http_proxy: 'http://192.0.2.1:9',
    };
    for (const by of [[path], ['/bin/sh', path]])
      expect(await runSender(['claude'], { home: hub.home, input: STOP, by, env })).toEqual(SILENT);
    await until(() => readHubDatabase(hub.home).events.length > 0);
    expect(readHubDatabase(hub.home).events[0]).toMatchObject({
      event: 'Stop',
      session_id: payload('claude/Stop')['session_id'],
    });
  });

  it('a data folder with a strange name', async () => {
    const home = join(temporaryFolder(), `it's "a" $(folder) é`);
    mkdirSync(home);
    const by = [installSender(home)];
    expect(await runSender(['claude'], { home, input: STOP, by })).toEqual(SILENT);
    await until(() => spooled(home).length === 1);
  });
});
