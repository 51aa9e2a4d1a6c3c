import { mkdirSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type CliHub, startCliHub } from '../support/cli-hub.ts';
import { readHubDatabase } from '../support/hub-database.ts';
import { startHub } from '../support/hub.ts';
import { startMosquitto } from '../support/mosquitto.ts';
import { listen } from '../support/listen.ts';
import { payload } from '../support/payloads.ts';
import {
  runSender,
  type SenderOptions,
  SILENT,
  spooled,
  spoolFiles,
  writeTestHubFile,
} from '../support/sender.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

const STOP = payload('codex/Stop');

/** Sends until a broker has it: one that is slow with its answer gets nothing more within the sender's time. */
async function sendUntilGated(
  hub: CliHub,
  args: readonly string[],
  options: Omit<SenderOptions, 'home'>,
): Promise<{ topic: string; envelope: Record<string, unknown> }> {
  const { gated } = hub.bus;
  const before = gated.length;
  await until(async () => {
    expect((await runSender(args, { ...options, home: hub.home })).status).toBe(0);
    return gated.length > before;
  });
  const taken = gated.at(-1);
  const envelope = JSON.parse(Buffer.from(taken?.payload ?? []).toString()) as Record<string, unknown>;
  return { topic: taken?.topic ?? '', envelope };
}

describe('an event of an agent', () => {
  it.each([
    ['by the Unix socket', true, ''],
    ['by the port', false, ''],
    ['below a prefix', false, 'team/alice'],
  ])('arrives %s in the envelope, as it is', async (_way, socket, prefix) => {
    const hub = await startCliHub({ home: temporaryFolder(), socket, prefix });
    if (prefix !== '') await writeTestHubFile(hub.home, { mqtt_port: hub.bus.port, prefix });
    const before = Date.now();
    const { topic, envelope: sent } = await sendUntilGated(hub, ['codex'], {
      input: STOP,
      env: { TMUX_PANE: '%7', TERM_PROGRAM: 'ghostty', SSH_CONNECTION: '10.0.0.9 22', SECRET: 'no' },
    });
    expect(topic).toBe(prefix === '' ? 'hook/codex' : 'team/alice/hook/codex');
    // The tests may run in a terminal, or in none.
    const { tty: _, ...envelope } = sent;
    expect(envelope).toEqual({
      v: 1,
      id: expect.stringMatching(/^\w{20}-\w+$/),
      sent_at: expect.any(Number),
      ppid: process.pid,
      env: { TMUX_PANE: '%7', TERM_PROGRAM: 'ghostty', SSH_CONNECTION: true },
      hook: STOP,
    });
    expect(Number(envelope['sent_at'])).toBeGreaterThanOrEqual(before);
    expect(Number(envelope['sent_at'])).toBeLessThanOrEqual(Date.now());
  });

  it('takes its name, or all of it, from the command line', async () => {
    const hub = await startCliHub({ home: temporaryFolder() });
    const named = await sendUntilGated(hub, ['copilot', 'sessionEnd'], { input: { sessionId: 's' } });
    expect(named.envelope).toMatchObject({ event: 'sessionEnd', hook: { sessionId: 's' } });
    const notify = payload('codex-notify/agent-turn-complete');
    const { topic, envelope } = await sendUntilGated(hub, ['codex', JSON.stringify(notify)], {});
    expect([topic, envelope['hook'], envelope['event']]).toEqual(['hook/codex', notify, undefined]);
  });

  it('is passed on in the envelope of another sender', async () => {
    const hub = await startCliHub({ home: temporaryFolder() });
    const input = { v: 1, id: 'theirs', sent_at: 1_796_000_000_000, ppid: 1, env: {}, hook: STOP };
    expect((await sendUntilGated(hub, ['--envelope', 'codex'], { input })).envelope).toEqual(input);
  });

  it.each([
    ['codex', STOP, '{}'],
    ['codex', payload('codex/SubagentStop'), '{}'],
    ['codex', payload('codex/PermissionRequest'), ''],
    ['cursor', payload('cursor/sessionStart'), '{}'],
    ['claude', payload('claude/Stop'), ''],
  ])('of %s is answered as the agent wants it, with a hub and without', async (provider, input, stdout) => {
    const hub = await startCliHub({ home: temporaryFolder() });
    for (const byCommand of [false, true]) {
      for (const home of [hub.home, temporaryFolder()])
        expect(await runSender([provider], { home, input, byCommand })).toEqual({ ...SILENT, stdout });
    }
  });

  it('turns the signal of a real hub, live', async () => {
    const hub = await startHub();
    const input = payload('claude/PermissionRequest');
    // Published, or spooled and taken over: a hub that runs has it either way.
    expect(await runSender(['claude'], { home: hub.home, input, byCommand: true })).toEqual(SILENT);
    await until(() => readHubDatabase(hub.home).events.length > 0 && spoolFiles(hub.home).length === 0);
    const { events, sessions } = readHubDatabase(hub.home);
    expect(events).toEqual([
      expect.objectContaining({
        event: 'PermissionRequest',
        enveloped: true,
        ppid: process.pid,
        host: 'studio',
      }),
    ]);
    expect(sessions).toEqual([
      expect.objectContaining({ state: 'needs_user', session_id: input['session_id'] }),
    ]);
  });

  it("reaches the hub's own door when another broker carries the bus", async () => {
    const mosquitto = await startMosquitto();
    const hub = await startHub({ args: ['--broker-url', mosquitto.url, '--prefix', 'team/bob'] });
    expect(hub.prefix).toBe('team/bob');
    await runSender(['claude'], { home: hub.home, input: payload('claude/UserPromptSubmit') });
    await until(() => readHubDatabase(hub.home).events.length > 0);
    expect(readHubDatabase(hub.home).sessions).toEqual([expect.objectContaining({ state: 'running' })]);
  });

  it('of 10 MB arrives, whoever brings it', async () => {
    const hub = await startHub();
    const input = JSON.stringify({
      ...payload('claude/PostToolUse'),
      tool_response: { stdout: 'x'.repeat(10 * 1024 * 1024) },
    });
    // A machine with other work moves less than 10 MB in a sender's time.
    await until(async () => {
      expect(await runSender(['claude'], { home: hub.home, input })).toEqual(SILENT);
      return readHubDatabase(hub.home).events.length > 0;
    });
    expect(readHubDatabase(hub.home).events[0]).toMatchObject({ event: 'PostToolUse', enveloped: true });
  });

  it('is one event in the hub, however many senders there are at a time', async () => {
    const hub = await startHub();
    const sending = Array.from({ length: 50 }, (_, index) =>
      runSender(['claude'], {
        home: hub.home,
        input: { ...payload('claude/UserPromptSubmit'), session_id: `s${index}` },
      }),
    );
    expect(await Promise.all(sending)).toEqual(sending.map(() => SILENT));
    await until(() => readHubDatabase(hub.home).events.length >= 50 && spoolFiles(hub.home).length === 0);
    const { events } = readHubDatabase(hub.home);
    expect(new Set(events.map(({ session_id }) => session_id)).size).toBe(50);
    expect(new Set(events.map(({ id }) => id)).size).toBe(50);
    expect(events).toHaveLength(50);
  });
});

const CONNACK = Buffer.from([0x20, 0x02, 0x00, 0x00]);

describe('a broker that does not take the event leaves it in the spool', () => {
  it.each([
    ['says nothing', () => undefined],
    ['closes at once', (socket: Socket) => void socket.destroy()],
    ['refuses', (socket: Socket) => void socket.write(Buffer.from([0x20, 0x02, 0x00, 0x05]))],
    ['speaks another language', (socket: Socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['connects and closes', (socket: Socket) => void socket.end(CONNACK)],
    [
      'connects and never acknowledges',
      (socket: Socket) => void socket.on('data', () => socket.write(CONNACK)),
    ],
    [
      'never reads',
      (socket: Socket) => {
        socket.pause();
        socket.write(CONNACK);
      },
    ],
  ])('%s', async (_name, serve) => {
    const home = temporaryFolder();
    await writeTestHubFile(home, { mqtt_port: await listen(serve) });
    // More than a socket's buffers hold at once.
    const input = { ...payload('claude/PostToolUse'), tool_response: 'x'.repeat(1024 * 1024) };
    expect(await runSender(['claude'], { home, input })).toEqual(SILENT);
    expect(spooled(home)).toEqual([expect.objectContaining({ event: 'PostToolUse', enveloped: true })]);
  });
});

describe('a hub.json that leads nowhere', () => {
  it.each([
    ['is empty', ''],
    ['is no JSON', '{"pid":'],
    ['is none of a hub', '{"pid":1}'],
    ['is a list', '[]'],
  ])('%s', async (_name, text) => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'hub.json'), text);
    expect(await runSender(['codex'], { home, input: STOP })).toEqual({ ...SILENT, stdout: '{}' });
    expect(spooled(home)).toHaveLength(1);
  });

  it('is a folder', async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'hub.json'));
    expect(await runSender(['claude'], { home, input: STOP })).toEqual(SILENT);
    expect(spooled(home)).toHaveLength(1);
  });

  it.each([
    ['a port that nobody listens on', { mqtt_port: 1 }],
    ['a socket that is not there', { socket: '/nowhere/signalbox.sock' }],
    ['a socket whose path is too long', { socket: `/${'x'.repeat(200)}` }],
    ['a prefix that is none', { mqtt_port: 1, prefix: 'team/#' }],
  ])('names %s', async (_name, more) => {
    const home = temporaryFolder();
    await writeTestHubFile(home, more);
    expect(await runSender(['claude'], { home, input: STOP })).toEqual(SILENT);
    expect(spooled(home)).toHaveLength(1);
  });

  it('names another machine: no prompt goes there', async () => {
    const home = temporaryFolder();
    const connected: Socket[] = [];
    const port = await listen((socket) => connected.push(socket));
    await writeTestHubFile(home, { host: '0.0.0.0', mqtt_port: port });
    expect(await runSender(['claude'], { home, input: STOP })).toEqual(SILENT);
    expect([spooled(home).length, connected.length]).toEqual([1, 0]);
  });

  it('was left by a hub that is dead: whoever has its port now hears nothing', async () => {
    const home = temporaryFolder();
    const connected: Socket[] = [];
    const port = await listen((socket) => connected.push(socket));
    await writeTestHubFile(home, { mqtt_port: port });
    await writeTestHubFile(home, { mqtt_port: port, pid: await endedProcess() });
    expect(await runSender(['claude'], { home, input: STOP })).toEqual(SILENT);
    expect([spooled(home).length, connected.length]).toEqual([1, 0]);
  });
});

/** The id of a process that has ended. */
async function endedProcess(): Promise<number> {
  const { spawn } = await import('node:child_process');
  const child = spawn('true');
  await new Promise((resolve) => child.once('close', resolve));
  return child.pid ?? 0;
}
