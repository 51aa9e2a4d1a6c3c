import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { viewBus } from '../support/bus-viewer.ts';
import { CANARY, planted } from '../support/canary.ts';
import { readHubDatabase } from '../support/hub-database.ts';
import { AS_USER, startHub } from '../support/hub.ts';
import { payload, payloadNames } from '../support/payloads.ts';
import { placeInSpool, runSender, SILENT, spooled, spoolFiles } from '../support/sender.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { filesWith } from '../support/written-bytes.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

const REQUEST = payload('claude/PermissionRequest');
const STOP = payload('claude/Stop');

describe('without a hub', () => {
  it('an event waits in the spool, cut down, for its user alone', async () => {
    const home = join(temporaryFolder(), 'data');
    expect(await runSender(['claude'], { home, input: REQUEST })).toEqual(SILENT);
    // The tests may run in a terminal, or in none.
    const [{ tty: _, ...event } = { tty: '' }, ...more] = spooled(home);
    expect([event, ...more]).toEqual([
      {
        v: 1,
        event: 'PermissionRequest',
        provider: 'claude',
        session_id: REQUEST['session_id'],
        cwd: REQUEST['cwd'],
        transcript: REQUEST['transcript_path'],
        tool: REQUEST['tool_name'],
        digest: expect.stringMatching(/^[0-9a-f]{16}$/),
        permission_mode: REQUEST['permission_mode'],
        ...(REQUEST['prompt_id'] !== undefined && { prompt_id: REQUEST['prompt_id'] }),
        id: expect.any(String),
        sent_at: expect.any(Number),
        ppid: process.pid,
        enveloped: true,
      },
    ]);
    const modes = ['', 'spool', `spool/${spoolFiles(home)[0]}`, 'digest.key'].map(
      (path) => statSync(join(home, path)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o700, 0o600, 0o600]);
  });

  it('several wait in the order they were sent in, one digest key for all', async () => {
    const home = temporaryFolder();
    const names = ['claude/UserPromptSubmit', 'claude/PermissionRequest', 'claude/Stop'];
    for (const name of names) await runSender(['claude'], { home, input: payload(name) });
    expect(spooled(home).map(({ event }) => event)).toEqual([
      'UserPromptSubmit',
      'PermissionRequest',
      'Stop',
    ]);
    await runSender(['claude'], { home, input: REQUEST });
    expect(spooled(home)[3]?.digest).toBe(spooled(home)[1]?.digest);
  });

  it('fifty senders at once leave fifty events, and agree on a key', async () => {
    const home = temporaryFolder();
    const sending = Array.from({ length: 50 }, (_, index) =>
      runSender(['claude'], { home, input: { ...REQUEST, session_id: `s${index}` } }),
    );
    expect(await Promise.all(sending)).toEqual(sending.map(() => SILENT));
    const events = spooled(home);
    expect(new Set(events.map(({ session_id }) => session_id)).size).toBe(50);
    expect(new Set(events.map(({ digest }) => digest)).size).toBe(1);
  });

  it('a full spool drops its oldest, and counts them', async () => {
    const home = temporaryFolder();
    const text = '{"v":1,"event":"Stop","provider":"claude","session_id":"old"}';
    for (let at = 0; at < 10_000; at += 1) {
      placeInSpool(home, `${String(at).padStart(16, '0')}-aaaaaaaaaa.${text.length}.json`, text);
    }
    expect(await runSender(['claude'], { home, input: STOP })).toEqual(SILENT);
    const files = spoolFiles(home).filter((name) => name.endsWith('.json'));
    expect([files.length, files[0]]).toEqual([10_000, `0000000000000001-aaaaaaaaaa.${text.length}.json`]);
    expect(readFileSync(join(home, 'spool', 'dropped'), 'utf8')).toHaveLength(1);
  });

  it('nothing of prompts, tools, messages and environments is written anywhere', async () => {
    const home = temporaryFolder();
    const names = ['claude', 'codex', 'codex-notify'].flatMap(payloadNames);
    for (let at = 0; at < names.length; at += 10) {
      await Promise.all(
        names.slice(at, at + 10).map((name) =>
          runSender([name.split(/[-/]/)[0] ?? ''], {
            home,
            input: planted(payload(name)),
            env: { SECRET: CANARY, SSH_CONNECTION: CANARY, TERM_PROGRAM: CANARY },
          }),
        ),
      );
    }
    expect(spooled(home).length).toBeGreaterThan(names.length / 2);
    for (const text of [CANARY, 'canary']) expect(filesWith(home, text)).toEqual([]);
  });

  it.each([
    ['an unknown event by nobody', {}],
    ['neither session nor folder', { hook_event_name: 'Stop' }],
    ['a signal that there is none of', { signal: 'purple', cwd: '/a' }],
    ['a list', []],
  ])('what the hub would refuse is dropped: %s', async (_name, input) => {
    const home = temporaryFolder();
    expect(await runSender(['claude'], { home, input })).toEqual(SILENT);
    expect(spoolFiles(home)).toEqual([]);
  });

  it('a provider that settings add is kept: the hub knows it', async () => {
    const home = temporaryFolder();
    await runSender(['MyAgent'], { home, input: { event: 'Stop', session_id: 's' } });
    expect(spooled(home)).toEqual([expect.objectContaining({ provider: 'myagent', event: 'Stop' })]);
  });

  it("whose session it is, where the agent gives no id, is the hub's to say", async () => {
    const home = temporaryFolder();
    await runSender(['claude'], { home, input: { event: 'PermissionRequest', cwd: '/srv/shop' } });
    const [event] = spooled(home);
    expect([event?.session_id, event?.host, event?.cwd]).toEqual([undefined, undefined, '/srv/shop']);
    await startHub({ home });
    await until(() => readHubDatabase(home).sessions.length > 0);
    const hub = readHubDatabase(home).sessions[0];
    expect([hub?.host, hub?.state, hub?.session_id]).toEqual([
      'studio',
      'needs_user',
      expect.stringMatching(/^cwd-[0-9a-f]{16}$/),
    ]);
  });
});

describe('where nothing can be kept', () => {
  it.each([
    ['the data folder is read-only', (home: string) => chmodSync(home, 0o500)],
    [
      'the spool is read-only',
      (home: string) => {
        mkdirSync(join(home, 'spool'));
        writeFileSync(join(home, 'digest.key'), Buffer.alloc(32));
        chmodSync(join(home, 'spool'), 0o500);
        chmodSync(home, 0o500);
      },
    ],
    ['the spool is a file', (home: string) => writeFileSync(join(home, 'spool'), 'x')],
    ['the key is damaged', (home: string) => writeFileSync(join(home, 'digest.key'), 'x')],
  ])('%s: the agent notices nothing', async (_name, prepare) => {
    const home = temporaryFolder();
    prepare(home);
    expect(await runSender(['codex'], { home, input: payload('codex/Stop'), under: AS_USER })).toEqual({
      ...SILENT,
      stdout: '{}',
    });
    chmodSync(home, 0o700);
  });

  it('the disk is full: the agent notices nothing, and no half file stays', async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'digest.key'), Buffer.alloc(32));
    // No file may be longer than nothing.
    const under = ['sh', '-c', 'ulimit -f 0; trap "" XFSZ; exec "$@"', 'sh'];
    expect(await runSender(['claude'], { home, input: STOP, under })).toEqual(SILENT);
    expect(spoolFiles(home)).toEqual([]);
  });
});

describe('a hub that is started later', () => {
  it('takes everything over: the state is right, nothing alerts as it comes, what still waits alerts once', async () => {
    const home = temporaryFolder();
    const other = { ...REQUEST, session_id: 'answered' };
    await runSender(['claude'], { home, input: REQUEST });
    await runSender(['claude'], { home, input: other });
    await runSender(['claude'], { home, input: { ...STOP, session_id: 'answered' } });
    const hub = await startHub({ home });
    await until(() => spoolFiles(home).length === 0);
    const bus = await viewBus({ port: hub.mqtt_port });
    const first = await bus.untilSignal('claude', () => true);
    expect(first).toMatchObject({
      lamp: 'permission',
      alert: 0,
      attention: { state: 'needs_user', count: 1 },
    });
    const alerted = await bus.untilSignal('claude', ({ alert }) => alert > 0);
    expect(alerted).toMatchObject({ alert: 1, attention: { state: 'needs_user', count: 1 } });
    expect(readHubDatabase(home).events.map(({ event }) => event)).toEqual([
      'PermissionRequest',
      'PermissionRequest',
      'Stop',
    ]);
  });

  it('takes over what appears while it runs', async () => {
    const home = temporaryFolder();
    const away = temporaryFolder();
    const hub = await startHub({ home });
    await runSender(['claude'], { home: away, input: REQUEST });
    const [name = ''] = spoolFiles(away);
    placeInSpool(home, name, readFileSync(join(away, 'spool', name), 'utf8'));
    const bus = await viewBus({ port: hub.mqtt_port });
    await bus.untilSignal('claude', ({ attention }) => attention.state === 'needs_user');
    await until(() => spoolFiles(home).length === 0);
  });

  it('drops what it had been sent as well', async () => {
    const home = temporaryFolder();
    const hub = await startHub({ home });
    const input = { v: 1, id: 'twice', sent_at: Date.now(), ppid: 1, env: {}, hook: REQUEST };
    const bus = await viewBus({ port: hub.mqtt_port });
    await runSender(['--envelope', 'claude'], { home, input });
    await bus.untilSignal('claude', ({ attention }) => attention.state === 'needs_user');
    await hub.end('SIGKILL');
    await runSender(['--envelope', 'claude'], { home, input });
    expect(spooled(home)).toHaveLength(1);
    await startHub({ home });
    await until(() => spoolFiles(home).length === 0);
    expect(readHubDatabase(home).events).toHaveLength(1);
  });

  it('sets aside what is damaged, and takes the rest', async () => {
    const home = temporaryFolder();
    const name = '0000000000000001-aaaaaaaaaa.9.json';
    placeInSpool(home, name, '{"v":1,"ev');
    await runSender(['claude'], { home, input: REQUEST });
    await startHub({ home });
    await until(() => readHubDatabase(home).sessions.length > 0);
    await until(() => spoolFiles(home).length === 1);
    expect(spoolFiles(home)).toEqual([`${name}.bad`]);
  });

  it('gets every event of senders that run while it comes and goes', async () => {
    const home = temporaryFolder();
    const sending: Promise<unknown>[] = [];
    const send = (from: number): void => {
      for (let id = from; id < from + 10; id += 1)
        sending.push(runSender(['claude'], { home, input: { ...REQUEST, session_id: `s${id}` } }));
    };
    send(0);
    const first = await startHub({ home });
    send(10);
    await first.end('SIGKILL');
    send(20);
    await startHub({ home });
    send(30);
    expect(await Promise.all(sending)).toEqual(sending.map(() => SILENT));
    await until(() => spoolFiles(home).length === 0);
    const sessions = readHubDatabase(home).sessions.map(({ session_id }) => session_id);
    expect(sessions.sort()).toEqual(Array.from({ length: 40 }, (_, id) => `s${id}`).sort());
    expect(existsSync(join(home, 'spool'))).toBe(true);
  });
});
