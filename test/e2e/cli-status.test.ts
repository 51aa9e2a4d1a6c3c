import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { sessionOf, signalOf, startCliHub, waiting } from '../support/cli-hub.ts';
import { startBroker } from '../support/broker.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 60_000 });

const signals = {
  claude: signalOf('Claude'),
  codex: waiting('Codex', ['web-shop', 'BacklogRunner'], 7_500),
};
const overall = { lamp: 'permission', line: 'Codex waiting: web-shop (permission) +1' } as const;

describe('signalbox status', () => {
  it('shows the overall line and one line a provider', async () => {
    const hub = await startCliHub({ home: temporaryFolder() });
    await hub.announce(signals, overall);
    const { status, stdout, stderr } = await runCli(['status'], hub);
    expect(stdout.split('\n')).toEqual([
      ' !   Codex waiting: web-shop (permission) +1',
      '',
      ' ∙   Claude  idle',
      ' !   Codex   2 waiting  web-shop, BacklogRunner  permission  2 h',
      '',
    ]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('finds the hub by its port when it has no socket', async () => {
    const hub = await startCliHub({ home: temporaryFolder(), socket: false });
    await hub.announce(signals, overall);
    expect((await runCli(['status'], hub)).stdout).toContain('2 waiting');
  });

  it("finds the hub's prefix in its file, unless another one is asked for", async () => {
    const hub = await startCliHub({ home: temporaryFolder(), prefix: 'team/alice' });
    await hub.announce(signals, overall);
    expect((await runCli(['status'], hub)).stdout).toContain('2 waiting');
    const other = await runCli(['status', '--prefix', 'team/bob'], hub);
    expect(other).toMatchObject({ status: 1, stdout: '' });
  });

  it('shows a provider that the hub has heard of since it announced itself', async () => {
    const hub = await startCliHub({ home: temporaryFolder() });
    await hub.announce(signals, overall);
    await hub.publish('signal', { provider: 'qwen' }, signalOf('Qwen', 'active', { state: 'running' }));
    expect((await runCli(['status'], hub)).stdout).toContain('Qwen    running');
  });

  it('prints as JSON what the bus holds, and nothing else', async () => {
    const hub = await startCliHub({ home: temporaryFolder() });
    await hub.announce(signals, overall);
    const expected = {
      hub: 'online',
      ...overall,
      providers: [
        { provider: 'claude', ...signals.claude },
        { provider: 'codex', ...signals.codex },
      ],
    };
    const { status, stdout } = await runCli(['status', '--json'], hub);
    expect(JSON.parse(stdout)).toEqual(expected);
    expect(status).toBe(0);
    const formatted = await runCli(['status', '--format', 'json', '--provider', 'Codex'], hub);
    expect(JSON.parse(formatted.stdout)).toEqual({ ...expected, providers: expected.providers.slice(1) });
  });

  it('lets nothing hostile through to the terminal, and keeps its columns', async () => {
    const hub = await startCliHub({ home: temporaryFolder() });
    const names = ['\u001b[2J\u009b31m', 'x\u202egnp', '日本語\tプロジェクト'];
    const codex = { ...waiting('Codex', names), alert: 1 };
    await hub.publish('signal', { provider: 'qwen' }, JSON.stringify(waiting('\u001b]2;owned\u0007', ['a'])));
    // A broker that others write to may hold anything.
    await hub.publish('signal', { provider: 'codex' }, JSON.stringify(codex));
    await hub.announce({ claude: signals.claude }, { line: 'Nobody waits' });
    const { stdout } = await runCli(['status'], hub);
    expect(stdout).toContain('\\u001b[2J\\u009b31m, x\\u202egnp, 日本語\\u0009プロジェクト');
    expect(stdout).toContain('\\u001b]2;owned\\u0007');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  it('passes over a signal that it can not read', async () => {
    const hub = await startCliHub({ home: temporaryFolder() });
    await hub.announce(signals, overall);
    await hub.publish('signal', { provider: 'gemini' }, '{"v":2}');
    const { status, stdout } = await runCli(['status'], hub);
    expect(stdout).toContain('Codex   2 waiting');
    expect(status).toBe(0);
  });

  it('has colours only where somebody wants them', async () => {
    const hub = await startCliHub({ home: temporaryFolder() });
    await hub.announce(signals, overall);
    const forced = await runCli(['status'], { ...hub, env: { FORCE_COLOR: '1' } });
    expect(forced.stdout).toContain('\u001b[1;7;31m ! \u001b[0m');
    const refused = await runCli(['status'], { ...hub, env: { FORCE_COLOR: '1', NO_COLOR: '1' } });
    expect(refused.stdout).not.toContain('\u001b');
  });

  it('asks the broker that it is told, below the prefix that it is told', async () => {
    const hub = await startCliHub({ home: temporaryFolder(), prefix: 'team/alice' });
    await hub.announce(signals, overall);
    const url = `mqtt://127.0.0.1:${hub.bus.port}`;
    const elsewhere = { home: temporaryFolder() };
    const { stdout } = await runCli(['status', '--broker-url', url, '--prefix', 'team/alice'], elsewhere);
    expect(stdout).toContain('2 waiting');
    const env = { SIGNALBOX_BROKER_URL: url, SIGNALBOX_PREFIX: 'team/alice' };
    expect((await runCli(['status'], { ...elsewhere, env })).stdout).toContain('2 waiting');
  });

  it('finds the other broker of a hub that uses one', async () => {
    const hub = await startCliHub({ home: temporaryFolder() });
    await hub.announce(signals, overall);
    const other = temporaryFolder();
    const file = JSON.parse(readFileSync(join(hub.home, 'hub.json'), 'utf8')) as Record<string, unknown>;
    const moved = { ...file, socket: '', mqtt_port: 1, broker_url: `mqtt://127.0.0.1:${hub.bus.port}` };
    writeFileSync(join(other, 'hub.json'), JSON.stringify(moved));
    expect((await runCli(['status'], { home: other })).stdout).toContain('2 waiting');
  });
});

describe('signalbox status without a hub', () => {
  it('names the file that is not there', async () => {
    const home = temporaryFolder();
    const { status, stdout, stderr } = await runCli(['status'], { home });
    expect(stderr).toBe(
      `signalbox: No hub answers (${home}/hub.json: there is no such file).\n` +
        '  Start one with "signalbox up", or name its broker with --broker-url.\n',
    );
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  });

  it('names the port behind which nobody is any more', async () => {
    const hub = await startCliHub({ home: temporaryFolder(), socket: false });
    await hub.stop();
    const { status, stderr } = await runCli(['status'], hub);
    expect(stderr).toContain(`No hub answers (127.0.0.1:${hub.bus.port}: nothing listens there).`);
    expect(status).toBe(1);
  });

  it('names the broker that does not answer', async () => {
    const bus = await startBroker();
    await bus.broker.stop();
    const url = `mqtt://127.0.0.1:${bus.port}`;
    const { status, stderr } = await runCli(['status', '--broker-url', url], { home: temporaryFolder() });
    expect(stderr).toContain(`No hub answers (the broker at ${url}: nothing listens there).`);
    expect(status).toBe(1);
  });

  it('gives up on one that takes the connection and says nothing', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const url = `mqtt://127.0.0.1:${port}`;
    const { status, stderr } = await runCli(['status', '--broker-url', url], { home: temporaryFolder() });
    server.close();
    expect(stderr).toContain(`No hub answers (the broker at ${url}: `);
    expect(status).toBe(1);
  });

  it.each([
    ['has stopped', 'offline', 'it has stopped'],
    ['was never there', undefined, 'it says nothing of itself'],
  ] as const)('shows no old states of a hub that %s', async (_name, state, reason) => {
    const hub = await startCliHub({ home: temporaryFolder() });
    await hub.publish('signal', { provider: 'codex' }, signals.codex);
    if (state !== undefined) await hub.publish('hubState', {}, state);
    const { status, stdout, stderr } = await runCli(['status'], hub);
    expect(stderr).toContain(`answers, but no hub is there: ${reason}`);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    const sessions = await runCli(['sessions'], hub);
    expect(sessions.status).toBe(1);
  });

  it('tells it as JSON where JSON was asked for', async () => {
    const { status, stdout, stderr } = await runCli(['status', '--json'], { home: temporaryFolder() });
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: 'no_hub',
        message: expect.stringContaining('No hub answers') as string,
        next: 'Start one with "signalbox up", or name its broker with --broker-url.',
      },
    });
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
  });
});

describe('signalbox sessions', () => {
  const since = Math.floor(Date.now() / 1000) - 7_500;
  const sessions = [
    sessionOf('9abcdef01234', {
      provider: 'codex',
      state: 'needs_user',
      lamp: 'permission',
      reason: 'permission_request',
      since,
      attentions: [
        { id: 'a', kind: 'permission', tool: 'Bash', opened_at: since },
        { id: 'b', kind: 'question', opened_at: since },
      ],
    }),
    sessionOf('9abcdf000000', {
      state: 'running',
      lamp: 'active',
      reason: 'tool_use',
      project: '日本語',
      since,
    }),
    sessionOf('0123456789ab'),
  ];

  async function hubWithSessions() {
    const hub = await startCliHub({ home: temporaryFolder() });
    for (const session of sessions)
      await hub.publish('session', { provider: session.provider, key: session.key }, session);
    await hub.announce(signals, overall);
    return hub;
  }

  it('lists those that wait first, and leaves idle ones out', async () => {
    const hub = await hubWithSessions();
    const { status, stdout } = await runCli(['sessions'], hub);
    expect(stdout.split('\n')).toEqual([
      '     KEY     AGENT   PROJECT   STATE    REASON        SINCE  ASKS FOR',
      ' !   9abcde  Codex   web-shop  waiting  permission    2 h    permission (Bash), question',
      ' ▸   9abcdf  Claude  日本語    running  using a tool  2 h',
      '',
      '1 idle session is not shown; --all shows it too.',
      '',
    ]);
    expect(status).toBe(0);
  });

  it('lists all with --all, and as JSON as the bus holds them', async () => {
    const hub = await hubWithSessions();
    expect((await runCli(['sessions', '--all'], hub)).stdout).toContain('0123    Claude  web-shop  idle');
    const { stdout } = await runCli(['sessions', '--all', '--json'], hub);
    expect(JSON.parse(stdout)).toEqual({ sessions });
  });

  it('says what to do when there is none', async () => {
    const hub = await startCliHub({ home: temporaryFolder() });
    await hub.announce(signals);
    expect((await runCli(['sessions'], hub)).stdout).toContain('No session is known.');
    expect(JSON.parse((await runCli(['sessions', '--json'], hub)).stdout)).toEqual({ sessions: [] });
  });
});
