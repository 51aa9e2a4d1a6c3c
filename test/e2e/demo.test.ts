import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { describe, expect, it, vi } from 'vitest';
import type { AttentionState, LampState } from '../../protocol/states.ts';
import { viewBus } from '../support/bus-viewer.ts';
import { startHub } from '../support/hub.ts';
import { type RunningCli, runCli, startCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTerminal } from '../support/tmux.ts';
import { until } from '../support/until.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 240_000 });

/** What the bus says in the course of the day: provider, state, how many, why, and the lamp where that says something else. */
const DAY: readonly (readonly [string, AttentionState, number, string, LampState?])[] = [
  ['claude', 'running', 1, 'user_prompt'],
  ['claude', 'running', 2, 'user_prompt'],
  ['codex', 'running', 1, 'tool_use'],
  ['codex', 'needs_user', 1, 'permission_request'],
  ['codex', 'running', 1, 'tool_use'],
  ['claude', 'needs_user', 1, 'question'],
  ['claude', 'needs_user', 2, 'permission_request'],
  ['claude', 'needs_user', 1, 'permission_request'],
  ['claude', 'running', 2, 'tool_use'],
  ['claude', 'running', 2, 'background_task'],
  ['claude', 'done', 1, 'stop'],
  ['claude', 'error', 1, 'rate_limit'],
  ['claude', 'error', 1, 'rate_limit', 'paused'],
  ['claude', 'error', 1, 'rate_limit', 'blocked'],
  ['claude', 'done', 1, 'stop'],
  ['codex', 'done', 1, 'stop'],
  ['codex', 'running', 1, 'tool_use'],
  ['codex', 'idle', 1, 'interrupted'],
  ['codex', 'done', 1, 'stop'],
  ['claude', 'done', 2, 'stop'],
];

const FAST = ['demo', '--speed', '1000'];

interface Demo extends RunningCli {
  /** Its folder and MQTT port, once it has said them. */
  where(): Promise<{ readonly folder: string; readonly port: number }>;
}

interface Surroundings {
  readonly home?: string;
  readonly tmp?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A demo whose folder lies in one of its own: what is in there afterwards is what it left behind. */
function startDemo(
  args: readonly string[],
  { home = temporaryFolder(), tmp = temporaryFolder(), env = {} }: Surroundings = {},
): Demo {
  const cli = startCli(args, { home, env: { TMPDIR: tmp, ...env } });
  return {
    ...cli,
    async where() {
      await cli.waitFor((lines) => lines.some((line) => line.includes('SIGNALBOX_HOME=')));
      return {
        folder: /SIGNALBOX_HOME=(\S+)/.exec(cli.stdout())?.[1] ?? '',
        port: Number(/mqtt sub -p (\d+)/.exec(cli.stdout())?.[1]),
      };
    },
  };
}

/** Each file below a folder with a digest of its bytes. */
function bytesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => `${path} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`)
    .sort();
}

describe('the demo', () => {
  it('says every state of the day on its bus, in order, to whoever looks on from outside', async () => {
    // Whoever is too late to see the first act looks at a slower one.
    for (const speed of [12, 4, 1]) {
      const demo = startDemo(['demo', '--speed', String(speed)]);
      const { folder, port } = await demo.where();
      const bus = await viewBus({ port });
      await until(() => bus.signal('claude') !== undefined && bus.signal('codex') !== undefined);
      if ((bus.signal('claude')?.attention.count ?? 0) > 1) continue;
      for (const [provider, state, count, reason, light] of DAY) {
        await bus.untilSignal(
          provider,
          ({ attention, lamp }) =>
            attention.state === state &&
            attention.count === count &&
            attention.reason === reason &&
            (light === undefined || lamp === light),
        );
      }
      for (const [topic, word] of [
        ['lamp/all', 'permission'],
        ['lamp/claude', 'blocked'],
        ['lamp/all', 'paused'],
        ['lamp/codex', 'ready'],
        ['lamp/all', 'completed'],
      ] as const)
        await until(() => bus.of(topic).includes(word));
      expect(bus.of('line')).toContain('Codex waiting: backlog-runner (permission)');
      // Somebody looks on when it ends: that must not keep it.
      const { status, stderr } = await demo.ended();
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(existsSync(folder)).toBe(false);
      return;
    }
    expect.unreachable('nobody could look on in time');
  });

  it('prints one plain line an act and a change in a pipe, and what to do next', async () => {
    const { status, stdout, stderr } = await startDemo(FAST).ended();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).not.toContain('\u001b');
    const lines = stdout.split('\n');
    // A table in a pipe takes the room it needs.
    expect(lines.filter((line) => line.includes('/20 ') && stringWidth(line) > 80)).toEqual([]);
    const acts = lines.flatMap((line) => /^(\d+)\/20 {2}\S/.exec(line)?.[1] ?? []);
    expect(acts).toEqual(DAY.map((_, index) => String(index + 1)));
    // Each act is followed by what it is about.
    const between = (act: number): string[] =>
      lines.slice(
        lines.findIndex((line) => line.startsWith(`${act}/`)),
        lines.findIndex((line) => line.startsWith(`${act + 1}/`)),
      );
    expect(between(4)[0]).toContain('Codex asks for a permission in backlog-runner');
    expect(between(4)[1]).toMatch(/^\d\d:\d\d:\d\d {3}! {3}Codex +waiting +backlog-runner +permission/);
    expect(between(7)[1]).toMatch(/! {3}Claude +2 waiting +web-shop, docs +permission/);
    expect(between(10).at(-1)).toMatch(/▸ {3}Claude +2 running +docs, web-shop +background work/);
    expect(between(12).at(-1)).toMatch(/✗ {3}Claude +failed +web-shop +rate limit/);
    expect(between(18).at(-1)).toMatch(/∙ {3}Codex +idle +backlog-runner$/);
    expect(stdout).toMatch(/\n\nNext: {2}signalbox up\n {7}docs\/getting-started\.md .*\n$/);
  });

  it('leaves the user alone: settings, data, a hub that runs', async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'spool'));
    writeFileSync(join(home, 'config.toml'), 'prefix = "team/alice"\n[broker]\nport = 1\n');
    writeFileSync(join(home, 'spool', 'event'), 'kept');
    const before = bytesIn(home);
    const hub = await startHub();
    const bus = await viewBus({ port: hub.mqtt_port });
    await until(() => bus.last('signalbox/info') !== undefined);
    const env = {
      SIGNALBOX_PREFIX: 'team/bob',
      SIGNALBOX_BROKER_URL: `mqtt://127.0.0.1:${hub.mqtt_port}`,
      SIGNALBOX_HTTP_PORT: String(hub.http_port),
      SIGNALBOX_STATE_TIMEOUTS_DONE: '0',
    };
    const { status, stdout, stderr } = await startDemo(FAST, { home, env }).ended();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('2 done');
    expect(bytesIn(home)).toEqual(before);
    expect(bus.of('session/#')).toEqual([]);
    expect(bus.of('signal/+').length).toBe(2);
  });

  it('runs twice at once', async () => {
    const tmp = temporaryFolder();
    const endings = await Promise.all([0, 1].map(() => startDemo(FAST, { tmp }).ended()));
    for (const { status, stdout } of endings) {
      expect(status).toBe(0);
      expect(stdout).toContain('20/20');
    }
    expect(readdirSync(tmp)).toEqual([]);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('ends clean by %s in the middle', async (signal) => {
    const tmp = temporaryFolder();
    const demo = startDemo(['demo', '--speed', '4'], { tmp });
    const { folder, port } = await demo.where();
    await demo.waitFor((lines) => lines.some((line) => line.startsWith('2/20')));
    demo.kill(signal);
    const { status, stdout, stderr } = await demo.ended();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/\nThe demo has ended; nothing of it is left\.\n$/);
    expect(stdout).not.toContain('Next:');
    expect(existsSync(folder)).toBe(false);
    expect(readdirSync(tmp)).toEqual([]);
    await expect(viewBus({ port })).rejects.toThrow('ECONNREFUSED');
  });

  it('ends clean by Ctrl-C while its hub is starting', async () => {
    const tmp = temporaryFolder();
    const demo = startDemo(['demo'], { tmp });
    await until(() => readdirSync(tmp).length > 0);
    demo.kill('SIGINT');
    const { status, stderr } = await demo.ended();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(readdirSync(tmp)).toEqual([]);
  });

  it('leaves a folder at most when it is killed, which stops no other demo', async () => {
    const tmp = temporaryFolder();
    const demo = startDemo(['demo'], { tmp });
    const { folder } = await demo.where();
    await demo.waitFor((lines) => lines.some((line) => line.startsWith('1/20')));
    demo.kill('SIGKILL');
    expect((await demo.ended()).signal).toBe('SIGKILL');
    const next = startDemo(FAST, { tmp });
    expect((await next.where()).folder).not.toBe(folder);
    expect((await next.ended()).status).toBe(0);
    expect(readdirSync(tmp).map((name) => join(tmp, name))).toEqual([folder]);
  });

  it('ends quietly and clean when its reader goes away', async () => {
    const tmp = temporaryFolder();
    const demo = startDemo(['demo', '--speed', '20'], { tmp });
    await demo.waitFor((lines) => lines.some((line) => line.startsWith('2/20')));
    demo.stopReading();
    const { status, stderr } = await demo.ended();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(readdirSync(tmp)).toEqual([]);
  });

  it('finds room for its socket where the temporary folder has a long name', async () => {
    const tmp = join(temporaryFolder(), 'a-long-name'.repeat(8));
    mkdirSync(tmp);
    const demo = startDemo(FAST, { tmp });
    const { folder } = await demo.where();
    expect((await demo.ended()).status).toBe(0);
    expect(existsSync(folder)).toBe(false);
  });

  it('says what is wrong where no folder can be made', async () => {
    const { status, stderr } = await startDemo(FAST, { tmp: '/proc/nowhere' }).ended();
    expect(stderr).toContain("The folder /proc/nowhere can't be used");
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(status).toBe(1);
  });

  it.each(['0', 'fast', '-1', '', '1e9'])('takes no speed of "%s"', async (speed) => {
    const { status, stderr } = await runCli(['demo', `--speed=${speed}`], { home: temporaryFolder() });
    expect(stderr).toContain('It takes a number from 0.1 to 1000.');
    expect(status).toBe(2);
  });
});

describe('the demo on a terminal', () => {
  it('shows caption and board at 80 columns, and gives the terminal back at Ctrl-C', async () => {
    const tmp = temporaryFolder();
    const terminal = await openTerminal({ home: temporaryFolder(), env: { TMPDIR: tmp }, rows: 24 });
    await terminal.signalbox('demo --speed 3');
    await terminal.waitFor(
      (lines) => lines[2]?.startsWith(' 4/20') === true && lines[7]?.includes('waiting') === true,
    );
    const screen = await terminal.screen();
    expect(screen.slice(0, 9)).toEqual([
      '',
      ' Signalbox demo: a day of three agents in a minute, on a hub of its own.',
      ' 4/20  Codex asks for a permission in backlog-runner: red, you are needed.',
      '',
      ' !   Codex waiting: backlog-runner (permission)',
      '',
      expect.stringMatching(/^ ▸ {3}Claude {2}2 running {2}docs, web-shop {2}prompt {6}\d+ s$/),
      expect.stringMatching(/^ ! {3}Codex {3}waiting {4}backlog-runner {2}permission {2}\d+ s$/),
      '',
    ]);
    expect(screen[10]).toMatch(/^ {3}npx mqtt sub -p \d+ -v -t 'signal\/\+'$/);
    expect(screen).toContain(' Ctrl-C ends.');
    expect(await terminal.ask('#{cursor_flag} #{alternate_on}')).toBe('0 1');
    await terminal.keys('C-c');
    await terminal.waitFor((lines) => lines.includes('ready$'));
    expect(await terminal.screen()).toContain('The demo has ended; nothing of it is left.');
    expect(await terminal.ask('#{cursor_flag} #{alternate_on}')).toBe('1 0');
    expect(readdirSync(tmp)).toEqual([]);
    // Echo is on again, and the demo ended well.
    await terminal.keys('echo "ended: $?"', 'Enter');
    await terminal.waitFor((lines) => lines.includes('ended: 0'));
  });

  it('ends by itself, without a colour where none is wanted', async () => {
    const env = { TMPDIR: temporaryFolder(), NO_COLOR: '1' };
    const terminal = await openTerminal({ home: temporaryFolder(), env, rows: 24 });
    await terminal.signalbox('demo --speed 20');
    await terminal.waitFor((lines) => lines[2]?.includes('/20') === true);
    expect(await terminal.coloured()).not.toContain('\u001b');
    await terminal.waitFor((lines) => lines.includes('Next:  signalbox up') && lines.includes('ready$'));
    expect(await terminal.ask('#{cursor_flag} #{alternate_on}')).toBe('1 0');
  });
});
