import { describe, expect, it, vi } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionPayload } from '../../protocol/messages/session.ts';
import { readRecording } from '../../protocol/sources/recording.ts';
import { type BusViewer, viewBus } from '../support/bus-viewer.ts';
import { readHubDatabase } from '../support/hub-database.ts';
import { type HubProcess, startHub } from '../support/hub.ts';
import { type PluginProcess, startPluginProcess } from '../support/plugin-process.ts';
import { runCli } from '../support/run-cli.ts';
import { until } from '../support/until.ts';
import { readLabels } from '../truth/recordings.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 300_000 });

const LABELS = readLabels('opencode');

interface Call {
  readonly tMs: number;
  readonly name: string;
  readonly told: unknown;
}

interface Running {
  readonly hub: HubProcess;
  readonly bus: BusViewer;
  readonly opencode: PluginProcess;
}

/** A hub, and a process that has loaded the plugin as `hooks install` has put it there. */
async function startOpencode(): Promise<Running> {
  const hub = await startHub();
  const { status, stdout } = await runCli(['hooks', 'install', 'opencode', '--yes'], { home: hub.home });
  expect([status, stdout]).toEqual([0, expect.stringContaining('went through the sender and arrived')]);
  const path = join(hub.home, '.config/opencode/plugins/signalbox.js');
  return {
    hub,
    bus: await viewBus({ port: hub.mqtt_port }),
    opencode: startPluginProcess(path, hub.home),
  };
}

function stateOf(bus: BusViewer, id: string): string | undefined {
  const topics = new Set(bus.seen.map(({ topic }) => topic).filter((topic) => topic.startsWith('session/')));
  for (const topic of topics) {
    const payload = bus.last(topic);
    const session = payload === undefined ? undefined : (JSON.parse(payload) as SessionPayload);
    if (session?.session_id === id) return session.state;
  }
  return undefined;
}

/** What the client calls an event, or the plugin's interface a hook. */
function nameOf({ name, told }: Call): string {
  return name === 'event' ? (told as { event: { type: string } }).event.type : name;
}

/** A label tells waits, work and rest; how a turn ended is not its business. */
function isAs(label: string, state: string | undefined): boolean {
  return label === 'idle' ? ['idle', 'done', 'error'].includes(state ?? '') : state === label;
}

/** Lines of a recording that came from the client itself, as calls of the plugin. */
function callsOf(scenario: string): Call[] {
  const file = new URL(`../fixtures/recordings/opencode-1.18.33/${scenario}.jsonl`, import.meta.url);
  return readRecording(readFileSync(file, 'utf8')).flatMap(({ tMs, argv = [], stdin }) => {
    const [, kind, hook] = argv;
    if (kind === 'event') return [{ tMs, name: 'event', told: { event: stdin } }];
    return kind === 'hook' && hook !== undefined ? [{ tMs, name: hook, told: stdin }] : [];
  });
}

describe('recorded events of OpenCode, through the plugin, the sender and the hub', () => {
  it.each([
    'perm_approve',
    'perm_deny',
    'perm_esc',
    'ask',
    'parallel',
    'esc_stream',
    'err_e401',
    'err_e500',
    'subagent',
    'tool_fail',
  ])('%s: the session is what its label says, span by span', async (scenario) => {
    const { hub, bus, opencode } = await startOpencode();
    const [[id, spans] = ['', []]] = Object.entries(LABELS[scenario] ?? {});
    expect(spans.length).toBeGreaterThan(0);
    const calls = callsOf(scenario);
    let done = 0;
    for (const { to_ms, state } of spans) {
      for (let call = calls[done]; call !== undefined && call.tMs < to_ms; call = calls[done]) {
        await opencode.call(call.name, call.told);
        done += 1;
      }
      await until(() => isAs(state, stateOf(bus, id)));
    }
    const told = calls
      .slice(0, done)
      .map(nameOf)
      .filter((name) => !/^message\.|^session\.(?:updated|diff|compacted)/.test(name));
    await until(() => readHubDatabase(hub.home).events.length > told.length);
    const { events } = readHubDatabase(hub.home);
    expect(events.map(({ native }) => native)).toEqual(['SelfTest', ...told]);
    // A child is known for one by any of its events, also by a hub that has not seen it begin.
    const [child] = events.filter(({ parent_id }) => parent_id !== undefined);
    const own = events.filter(({ session_id }) => session_id === child?.session_id);
    expect(own.every(({ parent_id }) => parent_id === id)).toBe(true);
    expect(child !== undefined).toBe(scenario === 'subagent');
    expect([await opencode.end(), opencode.output()]).toEqual([0, '']);
  });
});

it('OpenCode that is killed at work is told of by its process', async () => {
  const { bus, opencode } = await startOpencode();
  for (const { name, told } of callsOf('kill9')) await opencode.call(name, told);
  const [id = ''] = Object.keys(LABELS['kill9'] ?? {});
  await until(() => stateOf(bus, id) === 'running');
  await expect(opencode.run('process.kill(process.pid, "SIGKILL")')).rejects.toThrow('it ended');
  await until(() => stateOf(bus, id) === 'error');
});
