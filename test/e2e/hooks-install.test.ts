import { describe, expect, it, vi } from 'vitest';
import { agentHome, claudeOf } from '../support/agent-home.ts';
import { viewBus } from '../support/bus-viewer.ts';
import { readHubDatabase } from '../support/hub-database.ts';
import { writeTestHubFile } from '../support/sender.ts';
import { writtenBytes } from '../support/written-bytes.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

const CLAUDE = '.claude/settings.json';
const CODEX = '.codex/hooks.json';
const GEMINI = '.gemini/settings.json';
const SENDER = '.local/share/signalbox/bin/signalbox-hook';

/** All files of a folder with their bytes. */
const filesOf = (path: string): [string, string][] =>
  [...writtenBytes(path)].map(([name, bytes]) => [name, bytes.toString('base64')]);

describe('hooks install', () => {
  it('changes nothing with --dry-run, and shows what would change', async () => {
    const home = agentHome();
    home.put(CLAUDE, '{}\n');
    home.put(CODEX, '{}\n');
    const before = filesOf(home.path);
    const { status, stdout, stderr } = await home.cli(['hooks', 'install', '--dry-run']);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('+    "PermissionRequest": [');
    expect(stdout).not.toContain('installed\n');
    expect(filesOf(home.path)).toEqual(before);
    expect((await home.cli(['hooks', 'uninstall', '--dry-run'])).stdout).toBe(
      'No hooks of ours are installed.\n',
    );
  });

  it('installs for every agent that is here, once, and uninstall gives the bytes back', async () => {
    const home = agentHome();
    const original = '{ "model": "opus",\n\t"hooks": {"Stop": []} }';
    home.put(CLAUDE, original);
    home.put('.gemini/GEMINI.md', '');
    const first = await home.cli(['hooks', 'install', '--yes']);
    expect([first.status, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toContain('Claude: installed');
    expect(first.stdout).toContain('Gemini: installed');
    expect(first.stdout).not.toContain('Codex');
    expect(first.stdout).toContain('No hub runs');
    expect(first.stdout).toContain('signalbox up');
    expect(JSON.parse(home.read(CLAUDE))).toMatchObject({
      model: 'opus',
      hooks: { PermissionRequest: [{}] },
    });

    const installed = filesOf(home.path);
    const second = await home.cli(['hooks', 'install', '--yes']);
    expect([second.status, second.stdout.match(/nothing to do/g)?.length]).toEqual([0, 2]);
    expect(filesOf(home.path)).toEqual(installed);

    const gone = await home.cli(['hooks', 'uninstall', '--yes']);
    expect([gone.status, gone.stderr]).toEqual([0, '']);
    expect(gone.stdout).toContain('The sender is gone too.');
    expect([home.read(CLAUDE), home.has(GEMINI), home.has(SENDER)]).toEqual([original, false, false]);
    expect(await home.cli(['hooks', 'uninstall', '--yes'])).toMatchObject({
      status: 0,
      stdout: 'No hooks of ours are installed.\n',
    });
  });

  it.each(['install', 'uninstall'])(
    '%s without a terminal and without --yes is wrong use',
    async (command) => {
      const home = agentHome();
      home.put(CLAUDE, '{}');
      const { status, stdout, stderr } = await home.cli(['hooks', command]);
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toContain('--dry-run');
      expect(stderr).toContain('--yes');
      expect([home.read(CLAUDE), home.has(SENDER)]).toEqual(['{}', false]);
    },
  );

  it('keeps the sender for the agents that are left', async () => {
    const home = agentHome();
    await home.cli(['hooks', 'install', 'claude', 'codex', '--yes']);
    await home.cli(['hooks', 'uninstall', 'codex', '--yes']);
    expect([home.has(CODEX), home.has(SENDER)]).toEqual([false, true]);
    // What is in a file that nobody understands can't be told: it may call the sender.
    home.put(GEMINI, '{');
    const last = await home.cli(['hooks', 'uninstall', 'claude', '--yes']);
    expect([last.status, home.has(CLAUDE), home.has(SENDER)]).toEqual([0, false, true]);
  });

  it('knows which agents it has hooks for', async () => {
    const home = agentHome();
    expect(await home.cli(['hooks', 'install', '--yes'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('No agent was found'),
    });
    home.put('.local/share/signalbox/config.toml', '[providers.aider]\nname = "Aider"\n');
    const own = await home.cli(['hooks', 'install', 'aider', '--yes']);
    expect([own.status, own.stderr]).toEqual([2, expect.stringContaining('claude, codex, gemini')]);
    const typo = await home.cli(['hooks', 'install', 'cluade', '--yes']);
    expect([typo.status, typo.stderr]).toEqual([2, expect.stringContaining('cluade')]);
  });
});

describe('the self-test', () => {
  it('sends one event of each agent through the sender; it counts as none of the agent', async () => {
    const home = agentHome();
    const hub = await home.hub();
    const bus = await viewBus({ port: hub.mqtt_port });
    const { status, stdout } = await home.cli(['hooks', 'install', 'claude', 'codex', '--yes']);
    expect(status).toBe(0);
    for (const agent of ['claude', 'codex'])
      expect(stdout).toContain(`Self-test: an event of ${agent} went through the sender and arrived.`);
    const { events } = readHubDatabase(hub.home);
    expect(events.map(({ provider, event, native }) => `${provider} ${event} ${native}`).sort()).toEqual([
      'claude Other SelfTest',
      'codex Other SelfTest',
    ]);
    const told = await home.cli(['hooks', 'status', '--json']);
    const { agents } = JSON.parse(told.stdout) as { agents: { last_event_at?: number }[] };
    expect(agents.filter(({ last_event_at }) => last_event_at !== undefined)).toEqual([]);
    expect((await home.cli(['hooks', 'status'])).stdout).toContain('none has fired yet');
    expect((await home.cli(['sessions', '--json', '--all'])).stdout).not.toContain('self-test');
    expect(bus.signal('claude')).toMatchObject({ attention: { state: 'idle', count: 0 }, alert: 0 });
  });

  it('says so when the hub hangs, and when it was killed', async () => {
    const home = agentHome();
    const hub = await home.hub();
    process.kill(hub.pid, 'SIGSTOP');
    const hung = await home.cli(['hooks', 'install', 'claude', 'codex', '--yes']);
    process.kill(hub.pid, 'SIGCONT');
    expect(hung.status).toBe(0);
    expect(hung.stdout.match(/did not arrive within 3 s\. Next: signalbox doctor/g)).toHaveLength(2);
    await hub.end('SIGKILL');
    expect((await home.cli(['hooks', 'install', '--yes', 'claude'])).stdout).toContain('No hub runs');
  });

  it('says so when the hub has no database that can be read', async () => {
    const home = agentHome();
    await writeTestHubFile(home.data, { mqtt_port: 1, http_port: 1 });
    const { status, stdout } = await home.cli(['hooks', 'install', 'claude', '--yes']);
    expect([status, stdout]).toEqual([0, expect.stringContaining('did not arrive')]);
  });
});

it.each([
  'programs',
  '.local/bin',
  '.codex/packages/standalone/current/bin',
  '.codex/packages/app-server-daemon/current/bin',
])('the version of Codex is told by the program in %s', async (folder) => {
  const home = agentHome();
  home.program('codex', "#!/bin/sh\necho 'codex-cli 0.171.0'\n", folder);
  await home.cli(['hooks', 'install', 'codex', '--yes']);
  expect((await home.cli(['hooks', 'status'])).stdout).toContain('Codex 0.171.0 ');
});

describe('the version of Claude Code', () => {
  const EVENT = 'PostToolBatch';

  it.each<[string, string, string]>([
    ['is told', claudeOf('2.1.332'), 'programs'],
    ['is told by the one that its installer puts beside PATH', claudeOf('2.1.332'), '.local/bin'],
    ['is told by the one of an older installer', claudeOf('2.1.332'), '.claude/local'],
  ])('%s: newer events are installed', async (_how, script, folder) => {
    const home = agentHome();
    home.program('claude', script, folder);
    const { stdout } = await home.cli(['hooks', 'install', 'claude', '--yes']);
    expect(home.read(CLAUDE)).toContain(EVENT);
    expect(stdout).not.toContain('left out');
    expect((await home.cli(['hooks', 'status'])).stdout).toContain('Claude 2.1.332 ');
  });

  it.each<[string, string]>([
    ['hangs and will not end', "#!/bin/sh\ntrap '' TERM INT\nwhile :; do sleep 1; done\n"],
    ['is prose', '#!/bin/sh\necho welcome to 3.14 of everything, 1.2\n'],
    ['has no end', '#!/bin/sh\nexec yes 99.99.99\n'],
    ['is an error', '#!/bin/sh\necho 2.1.332\nexit 3\n'],
    ['is the output of nothing that runs', '\u0000\u0001 2.1.332'],
    ['is far too large', '#!/bin/sh\necho 99999999999.1.1\n'],
  ])('%s: newer events are left out, and it says how to get them', async (_how, script) => {
    const home = agentHome();
    home.program('claude', script);
    const { status, stdout } = await home.cli(['hooks', 'install', 'claude', '--yes']);
    expect(status).toBe(0);
    const words = stdout.replace(/\s+/g, ' ');
    expect(words).toContain("Claude's version can't be told, so what only newer ones know is left out: ");
    expect(words).toContain('put "claude" on PATH');
    expect(home.read(CLAUDE)).not.toContain(EVENT);
    expect((await home.cli(['hooks', 'status'])).stdout).toMatch(/^Claude {2}\//);
  });

  it('passes over a folder of that name', async () => {
    const home = agentHome();
    home.put('programs/claude/README', '');
    home.program('claude', claudeOf('2.1.332'), '.local/bin');
    await home.cli(['hooks', 'install', 'claude', '--yes']);
    expect(home.read(CLAUDE)).toContain(EVENT);
  });

  it('is not known any more: what was installed for it stays', async () => {
    const home = agentHome();
    home.program('claude', claudeOf('2.1.332'));
    await home.cli(['hooks', 'install', 'claude', '--yes']);
    const installed = home.read(CLAUDE);
    home.program('claude', '#!/bin/sh\nexit 1\n');
    const { stdout } = await home.cli(['hooks', 'install', 'claude', '--yes']);
    expect(stdout).toContain('nothing to do');
    expect(stdout).not.toContain('left out');
    expect(home.read(CLAUDE)).toBe(installed);
    expect((await home.cli(['hooks', 'status'])).stdout).toContain('installed, 20 events');
  });
});
