import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { replayFile } from '../../cli/replay/run-replay.ts';
import { isCanonicalEvent } from '../../protocol/event-fields.ts';
import type { SignalEventPayload } from '../../protocol/messages/signal-event.ts';
import { readRecording } from '../../protocol/sources/recording.ts';
import { type BusViewer, viewBus } from '../support/bus-viewer.ts';
import { CANARY, planted } from '../support/canary.ts';
import { type HubProcess, startHub } from '../support/hub.ts';
import { connect } from '../support/mqtt-client.ts';
import { payload, payloadNames } from '../support/payloads.ts';
import { type CliOptions, type RunningCli, runCli, startCli } from '../support/run-cli.ts';
import { runSender, SILENT } from '../support/sender.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

const RECORDINGS = new URL('../fixtures/recordings/', import.meta.url);
const DISK_OF = (kib: number) => ['bash', '-c', `trap '' XFSZ; ulimit -S -f ${kib}; exec "$@"`, 'bash'];

/** Starts `signalbox record` and waits until nothing that comes is missed. */
async function startRecording(options: CliOptions, args: readonly string[]): Promise<RunningCli> {
  const recording = startCli(['record', ...args], options);
  await until(() => recording.stderr().includes('Ctrl-C ends it.'));
  return recording;
}

/** Payloads of a real client, in order, as it handed them to its hooks. */
function recorded(name: string): object[] {
  const text = readFileSync(fileURLToPath(new URL(name, RECORDINGS)), 'utf8');
  return readRecording(text).flatMap(({ argv, stdin }) => (argv === undefined ? [] : [stdin as object]));
}

const lines = (file: string) => readRecording(readFileSync(file, 'utf8'));
const eventsIn = (file: string) => lines(file).filter(({ argv }) => argv !== undefined);

type Told = Pick<SignalEventPayload, 'session' | 'from' | 'to' | 'event_type' | 'reason'>;
const told = ({ session, from, to, event_type, reason }: Told): Told => ({
  ...{ session, from, to },
  ...{ event_type, reason },
});

/** Every transition that the hub has published. */
const transitions = (bus: BusViewer): Told[] =>
  bus.of('signal/+/event').map((text) => told(JSON.parse(text) as SignalEventPayload));

async function publish(hub: HubProcess, provider: string, ...bodies: readonly object[]): Promise<void> {
  const client = await connect({ port: hub.mqtt_port });
  for (const body of bodies) await client.publish(`hook/${provider}`, JSON.stringify(body));
  await client.close();
}

const stop = (session: string) => ({ event: 'Stop', session_id: session, cwd: '/srv/shop' });

describe('record', () => {
  it('makes a recording whose replay says what the hub said', async () => {
    // A recording holds what hooks told, and not which process was seen to be alive.
    const hub = await startHub({ env: { SIGNALBOX_SOURCES_PROCESS: 'false' } });
    const bus = await viewBus({ port: hub.mqtt_port });
    const file = join(temporaryFolder(), 'made.jsonl');
    const recording = await startRecording({ home: hub.home }, [file]);

    // By the real sender, as one client's hooks would: one after the other.
    for (const input of recorded('claude-code-2.1.332/perm_8s.jsonl'))
      expect(await runSender(['claude'], { home: hub.home, input })).toEqual(SILENT);
    await bus.untilSignal('claude', ({ attention }) => attention.state === 'done');
    // And many at once.
    await publish(hub, 'claude', ...recorded('claude-code-2.1.332/parallel_agents.jsonl'));
    await publish(hub, 'codex', ...payloadNames('codex').map(payload));
    await publish(hub, 'all', { signal: 'paused' });
    await publish(hub, 'gemini', { event: 'PermissionRequest', session_id: 'last', cwd: '/srv/last' });
    await bus.untilSignal('gemini', ({ alert }) => alert === 1);
    // What time alone changes from here on may come before the end of the recording, or after it.
    const live = transitions(bus);
    recording.kill('SIGINT');
    const { status, stdout, stderr } = await recording.ended();
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    expect(stderr).toContain(`${eventsIn(file).length} events in ${file}`);

    expect(live.length).toBeGreaterThan(10);
    const replayed = replayFile(file, true).transitions.map(({ key, ...rest }) =>
      told({ ...rest, session: key }),
    );
    expect(replayed.slice(0, live.length)).toEqual(live);
    const printed = await runCli(['replay', file], { home: temporaryFolder() });
    expect([printed.status, printed.stdout.split('\n').length > 10]).toEqual([0, true]);
  });

  it('holds canonical events alone, and nothing private; it is for its user alone', async () => {
    const hub = await startHub();
    const file = join(temporaryFolder(), 'made.jsonl');
    const recording = await startRecording({ home: hub.home }, [file]);
    const names = ['claude', 'codex'].flatMap((agent) => payloadNames(agent));
    for (const name of names) {
      const hook = { ...planted(payload(name)), session_id: name };
      const env = { TERM_PROGRAM: 'ghostty', SECRET: CANARY };
      const envelope = { v: 1, id: name, sent_at: Date.now(), env, hook, [CANARY]: CANARY };
      await publish(hub, name.split('/')[0] ?? '', hook, envelope);
    }
    await publish(hub, 'claude', stop('last'));
    await until(() => readFileSync(file, 'utf8').includes('"last"'));
    recording.kill('SIGTERM');
    expect((await recording.ended()).status).toBe(0);

    expect(readFileSync(file, 'utf8')).not.toContain('canary');
    const [first, ...rest] = lines(file);
    expect(first).toEqual({ tMs: 0, atMs: expect.any(Number), driver: 'signalbox record' });
    expect(rest.pop()).toEqual({ tMs: expect.any(Number), driver: 'end' });
    expect(rest.length).toBeGreaterThan(names.length);
    for (const { stdin, ...line } of rest) {
      expect(isCanonicalEvent(stdin)).toBe(true);
      expect(
        Object.keys(line).filter((key) => !['tMs', 'receivedAtMs', 'argv', 'live'].includes(key)),
      ).toEqual([]);
    }
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('goes on over the end and the next start of a hub', async () => {
    const hub = await startHub();
    const file = join(temporaryFolder(), 'made.jsonl');
    const recording = await startRecording({ home: hub.home }, [file]);
    await publish(hub, 'claude', stop('before'));
    await hub.end('SIGTERM');
    const next = await startHub({ home: hub.home });
    await publish(next, 'claude', stop('after'));
    await until(() => readFileSync(file, 'utf8').includes('"after"'));
    recording.kill('SIGINT');
    expect((await recording.ended()).status).toBe(0);
    const sessions = eventsIn(file).map(({ stdin }) => (stdin as { session_id: string }).session_id);
    expect(sessions).toEqual(['before', 'after']);
  });

  it('takes the past from the log, with and without a hub, also of providers that only the settings know', async () => {
    const hub = await startHub();
    writeFileSync(join(hub.home, 'config.toml'), '[providers.aider]\nname = "Aider"\n');
    await hub.end('SIGTERM');
    const again = await startHub({ home: hub.home });
    await publish(
      again,
      'aider',
      { event: 'PermissionRequest', session_id: 's', cwd: '/srv/shop' },
      stop('s'),
    );
    const folder = temporaryFolder();
    const [running, ended] = [join(folder, 'running.jsonl'), join(folder, 'ended.jsonl')];
    expect((await runCli(['record', running, '--since', '1h'], { home: hub.home })).status).toBe(0);
    await again.end('SIGTERM');
    expect((await runCli(['record', ended, '--since', '1h'], { home: hub.home })).status).toBe(0);
    for (const file of [running, ended]) {
      expect(eventsIn(file).map(({ argv }) => argv)).toEqual([
        ['aider', 'PermissionRequest'],
        ['aider', 'Stop'],
      ]);
      expect(replayFile(file, true).changes.map(({ state }) => state)).toEqual(['needs_user', 'done']);
    }
    const none = join(folder, 'none.jsonl');
    const { status, stderr } = await runCli(['record', none, '--since', '0.0001s'], { home: hub.home });
    expect([status, eventsIn(none)]).toEqual([0, []]);
    expect(stderr).toContain('0 events');
  });

  it('refuses what is there, and replaces it with --force alone, never what a link leads to', async () => {
    const hub = await startHub();
    const folder = temporaryFolder();
    const [file, link] = [join(folder, 'mine'), join(folder, 'link')];
    writeFileSync(file, 'mine', { mode: 0o644 });
    symlinkSync(file, link);
    const options = { home: hub.home };
    for (const path of [file, link, folder]) {
      const { status, stderr } = await runCli(['record', path, '--since', '1h'], options);
      expect([status, stderr]).toEqual([1, expect.stringContaining('--force')]);
    }
    expect((await runCli(['record', link, '--since', '1h', '--force'], options)).status).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect((await runCli(['record', file, '--since', '1h', '--force'], options)).status).toBe(0);
    expect([lines(file).length, statSync(file).mode & 0o777]).toEqual([2, 0o600]);
    const device = await runCli(['record', '/dev/null', '--since', '1h', '--force'], options);
    expect([device.status, device.stderr]).toEqual([1, expect.stringContaining('it is no file')]);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it('says that the disk is full, and leaves whole lines', async () => {
    const hub = await startHub();
    const file = join(temporaryFolder(), 'made.jsonl');
    const recording = await startRecording({ home: hub.home, under: DISK_OF(4) }, [file]);
    await publish(hub, 'claude', ...Array.from({ length: 60 }, (_, index) => stop(`session-${index}`)));
    const { status, stderr } = await recording.ended();
    expect(status).toBe(1);
    expect(stderr).toContain(`The recording ${file} can't be written`);
    const text = readFileSync(file, 'utf8');
    expect(text.endsWith('}\n')).toBe(true);
    expect(lines(file)).toHaveLength(text.split('\n').length - 1);
    expect(eventsIn(file).length).toBeGreaterThan(5);
  });

  it.each([
    [['made.jsonl'], 1, 'No hub answers'],
    [['made.jsonl', '--since', '1h'], 1, 'none has ever run'],
    [['made.jsonl', '--since', 'yesterday'], 2, '30m, 1h or 2d'],
    [['no/such/folder/made.jsonl', '--since', '1h'], 1, 'none has ever run'],
  ])('without a hub, %j is refused, and makes nothing', async (args, status, says) => {
    const home = temporaryFolder();
    const ended = await runCli(['record', ...args], { home });
    expect([ended.status, ended.stderr]).toEqual([status, expect.stringContaining(says)]);
    expect(statSync(join(home, 'made.jsonl'), { throwIfNoEntry: false })).toBeUndefined();
  });
});
