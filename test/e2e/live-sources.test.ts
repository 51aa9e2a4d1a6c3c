import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { viewBus } from '../support/bus-viewer.ts';
import { diagnose } from '../support/doctor.ts';
import { type HubProcess, startHub } from '../support/hub.ts';
import { playRecording, sessionsOn } from '../support/play-recording.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { sessionFile, startAgent, writeSession } from '../support/watching.ts';
import { filesWith } from '../support/written-bytes.ts';

// Recordings take their own time, and a machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

async function post(hub: HubProcess, pid: number, hook: object): Promise<void> {
  const body = { v: 1, sent_at: Date.now(), ppid: pid, env: { CLAUDE_PID: String(pid) }, hook };
  const headers = { 'content-type': 'application/json' };
  await fetch(`${hub.url}/hook/claude`, { method: 'POST', headers, body: JSON.stringify(body) });
}

const PROMPT = { hook_event_name: 'UserPromptSubmit', session_id: 's1', cwd: '/home/dev/shop', prompt: 'x' };
const STOP = { hook_event_name: 'Stop', session_id: 's1', cwd: '/home/dev/shop' };

it.each(['perm_esc', 'ask_answered', 'clear', 'bgbash'])(
  'the hub says of the recording %s what its replay says, with real hooks, files and processes',
  async (name) => {
    const config = join(temporaryFolder(), 'config');
    const hub = await startHub({ env: { CLAUDE_CONFIG_DIR: config } });
    const bus = await viewBus({ path: hub.socket });
    const { pauses } = await playRecording(name, hub, bus, join(config, 'sessions'));
    expect(pauses).toBeGreaterThan(1);
  },
);

it.each<[string, readonly object[], string, string | undefined]>([
  ['in its turn it leaves an error', [PROMPT], 'running user_prompt', 'error process_gone'],
  ['after its turn it is gone', [PROMPT, STOP], 'done stop', undefined],
])('an agent is killed: %s, without an alert', async (_what, hooks, before, state) => {
  const hub = await startHub();
  const bus = await viewBus({ path: hub.socket });
  const agent = startAgent();
  for (const hook of hooks) await post(hub, agent.pid, hook);
  await until(() => sessionsOn(bus)['s1'] === before);
  await agent.kill();
  await until(() => sessionsOn(bus)['s1'] !== before);
  expect(sessionsOn(bus)['s1']).toBe(state);
  expect(bus.signal('claude')?.alert).toBe(0);
});

it('what happened to a client while no hub ran is found at the next start', async () => {
  const config = join(temporaryFolder(), 'config');
  const env = { CLAUDE_CONFIG_DIR: config };
  const hub = await startHub({ env });
  const bus = await viewBus({ path: hub.socket });
  const [killed, waiting, ended] = [startAgent(), startAgent(), startAgent()];
  const write = (agent: typeof killed, sessionId: string, more = {}): void =>
    writeSession(
      config,
      `${agent.pid}.json`,
      sessionFile(agent, { sessionId, cwd: `/srv/${sessionId}`, ...more }),
    );
  write(killed, 'killed');
  write(waiting, 'waiting');
  write(ended, 'ended');
  await until(() => Object.keys(sessionsOn(bus)).length === 3);
  // Its process is known by then.
  await post(hub, killed.pid, { ...PROMPT, session_id: 'killed' });
  await until(() => sessionsOn(bus)['killed'] === 'running user_prompt');
  await hub.end('SIGKILL');

  await killed.kill();
  write(waiting, 'waiting', { status: 'waiting', waitingFor: 'permission prompt' });
  await ended.kill();
  rmSync(join(config, 'sessions', `${ended.pid}.json`));

  const again = await startHub({ home: hub.home, env });
  const after = await viewBus({ path: again.socket });
  await until(() => after.signal('claude')?.alert === 1);
  expect(sessionsOn(after)).toEqual({
    killed: 'error process_gone',
    waiting: 'needs_user permission_request',
  });

  // A wait that has alerted is confirmed by the file after the next restart, and alerts no more.
  await again.end('SIGTERM');
  const third = await startHub({ home: hub.home, env });
  const last = await viewBus({ path: third.socket });
  await until(() => last.last('signalbox/health')?.includes('"claude_sessions","on":true') === true);
  write(waiting, 'waiting', { status: 'busy' });
  await until(() => sessionsOn(last)['waiting'] === 'running status');
  expect(last.signal('claude')?.alert).toBe(1);
});

it('health tells how the sources stand, and nothing that a client wrote gets out', async () => {
  const config = join(temporaryFolder(), 'config');
  const env = { CLAUDE_CONFIG_DIR: config, SIGNALBOX_SOURCES_PROCESS: 'false', SIGNALBOX_LOG_LEVEL: 'debug' };
  const hub = await startHub({ env });
  const bus = await viewBus({ path: hub.socket });
  const sources = (): unknown[] =>
    (JSON.parse(bus.last('signalbox/health') ?? '{}') as { sources?: unknown[] }).sources ?? [];
  await until(() => sources().length > 0);
  expect(sources()).toContainEqual({
    name: 'process',
    on: false,
    why: 'the settings turn it off',
    watched: 0,
  });
  const agent = startAgent();
  const canary = { name: 'the canary sings', nameSource: 'the canary sings', status: 'the canary sings' };
  writeSession(config, `${agent.pid}.json`, sessionFile(agent));
  await post(hub, agent.pid, PROMPT);
  await until(() => sessionsOn(bus)['s1'] !== undefined);
  writeSession(config, `${agent.pid}.json`, sessionFile(agent, canary));
  writeSession(config, `${agent.pid}.0123.key`, 'the canary sings');
  await until(() => JSON.stringify(sources()).includes('a shape that is not known'));
  const { findings } = await diagnose({ home: hub.home });
  expect(findings.filter(({ check }) => check === 'sources')).toMatchObject([
    {
      level: 'warning',
      code: 'source_off',
      message: expect.stringContaining('claude_sessions is off') as string,
    },
  ]);
  await hub.end('SIGTERM');
  expect(filesWith(hub.home, 'canary')).toEqual([]);
  expect(hub.output()).not.toContain('canary');
  expect(bus.seen.filter(({ payload }) => payload.includes('canary'))).toEqual([]);
});
