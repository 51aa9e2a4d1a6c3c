import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readHubDatabase } from '../support/hub-database.ts';
import { startHub } from '../support/hub.ts';
import { payload } from '../support/payloads.ts';
import { runSender, SENDER, SILENT, spooled, spoolFiles, startSender } from '../support/sender.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

// A machine with other work starts a process in seconds. A sender that hangs runs into this.
vi.setConfig({ testTimeout: 60_000 });

const STOP = JSON.stringify(payload('claude/Stop'));

const HOSTILE: readonly (readonly [string, string | Buffer])[] = [
  ['nothing', ''],
  ['no JSON', 'hello'],
  ['half of it', STOP.slice(0, STOP.length / 2)],
  ['NUL bytes', Buffer.alloc(1000)],
  ['broken UTF-8', Buffer.from([0xff, 0xfe, 0x7b, 0x80, 0x7d])],
  ['an envelope that is broken open', '{}},"hook":{"hook_event_name":"Stop","session_id":"s"}'],
  ['a number', '7'],
  ['100,000 levels', '['.repeat(100_000)],
];

describe('hostile input', () => {
  it.each(HOSTILE)('%s, without a hub: the agent notices nothing, nothing is kept', async (_name, input) => {
    const home = temporaryFolder();
    expect(await runSender(['claude'], { home, input })).toEqual(SILENT);
    expect(await runSender(['cursor'], { home, input, byCommand: true })).toEqual({
      ...SILENT,
      stdout: '{}',
    });
    expect(spoolFiles(home)).toEqual([]);
  });

  it('all of it, with a hub: the agent notices nothing, and the next event arrives', async () => {
    const hub = await startHub();
    for (const [, input] of HOSTILE)
      expect(await runSender(['claude'], { home: hub.home, input })).toEqual(SILENT);
    await runSender(['claude'], { home: hub.home, input: STOP });
    await until(() => readHubDatabase(hub.home).events.length > 0);
    expect(readHubDatabase(hub.home).events).toEqual([expect.objectContaining({ event: 'Stop' })]);
  });

  it('of 20 MB is more than anybody takes: the hub says so, nothing is kept, and the next event arrives', async () => {
    const hub = await startHub();
    const home = temporaryFolder();
    const input = `{"hook_event_name":"Stop","session_id":"s","x":"${'x'.repeat(20 * 1024 * 1024)}"}`;
    for (const folder of [home, hub.home]) {
      expect(await runSender(['claude'], { home: folder, input })).toEqual(SILENT);
      expect(spoolFiles(folder)).toEqual([]);
    }
    await until(() => readHubDatabase(hub.home).refused['too_large'] === 1);
    await runSender(['claude'], { home: hub.home, input: STOP });
    await until(() => readHubDatabase(hub.home).events.length > 0);
    expect(readHubDatabase(hub.home).events).toHaveLength(1);
  });

  it('that never ends ends the sender all the same, silently', async () => {
    const home = temporaryFolder();
    expect(await startSender(['claude'], { home }).ended).toEqual(SILENT);
    expect(await startSender(['cursor'], { home, byCommand: true }).ended).toEqual({
      ...SILENT,
      stdout: '{}',
    });
    expect(spoolFiles(home)).toEqual([]);
  });

  it('that drips for ever ends it too', async () => {
    const home = temporaryFolder();
    const sender = startSender(['claude'], { home });
    const drip = setInterval(() => sender.stdin.write(' '), 1);
    onTestFinished(() => clearInterval(drip));
    expect(await sender.ended).toEqual(SILENT);
  });

  it('that comes late, of an agent with much to do, is waited for', async () => {
    const home = temporaryFolder();
    const by = ['sh', '-c', '{ sleep 0.5; cat; } | "$0" "$@"', process.execPath, SENDER];
    expect(await runSender(['claude'], { home, input: STOP, by })).toEqual(SILENT);
    expect(spooled(home)).toEqual([expect.objectContaining({ event: 'Stop' })]);
  });

  it('that is whole, behind a pipe that is never closed, counts', async () => {
    const home = temporaryFolder();
    const sender = startSender(['claude'], { home });
    sender.stdin.write(STOP);
    expect(await sender.ended).toEqual(SILENT);
    expect(spooled(home)).toEqual([expect.objectContaining({ event: 'Stop' })]);
  });

  it.each([
    ['a file', (home: string) => `< '${join(home, 'event.json')}'`, 1],
    ['/dev/null', () => '< /dev/null', 0],
    ['/dev/zero', () => '< /dev/zero', 0],
    ['a folder', () => '< /', 0],
    ['nothing at all', () => '<&-', 0],
  ])('from %s', async (_name, from, kept) => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'event.json'), STOP);
    const script = `'${process.execPath}' '${SENDER}' claude ${from(home)}`;
    const child = spawn('sh', ['-c', script], {
      env: { SIGNALBOX_HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const said: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk));
    const [status] = (await once(child, 'close')) as [number | null];
    expect([status, Buffer.concat(said).toString()]).toEqual([0, '']);
    expect(spooled(home)).toHaveLength(kept);
  });

  it('with nobody who reads the answer', async () => {
    const home = temporaryFolder();
    const script = `'${process.execPath}' '${SENDER}' cursor >&- 2>&- < /dev/null`;
    const child = spawn('sh', ['-c', script], { env: { SIGNALBOX_HOME: home }, stdio: 'ignore' });
    expect(await once(child, 'close')).toEqual([0, null]);
  });
});

it.each([[[]], [['']], [['../../etc']], [['a/b']], [['#']], [['x'.repeat(33)]]])(
  'is silent when called wrongly: %j',
  async (args) => {
    const home = temporaryFolder();
    expect(await runSender(args, { home, input: 'x', byCommand: true })).toEqual(SILENT);
  },
);

it('explains itself to people', async () => {
  const { status, stdout } = await runSender(['--help'], {
    home: temporaryFolder(),
    input: '',
    byCommand: true,
  });
  expect([status, stdout.startsWith('Usage: signalbox hook')]).toEqual([0, true]);
});
