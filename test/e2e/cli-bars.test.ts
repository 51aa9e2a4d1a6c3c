import { existsSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { FORMAT_NAMES } from '../../cli/status/format.ts';
import { signalOf, startCliHub, waiting } from '../support/cli-hub.ts';
import { startHub } from '../support/hub.ts';
import { type RunningCli, runCli, startCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 60_000 });

/** Two days and a half [s]: no test takes so long that it reads differently. */
const LONG = 216_000;

const BARS = FORMAT_NAMES.filter((name) => name !== 'text' && name !== 'json');
const WAITS = { codex: waiting('Codex', ['web-shop'], LONG) };

/** Waits until the newest line that can be a bar's own says this: in a menu, other lines follow. */
async function shows(cli: RunningCli, text: string): Promise<void> {
  const isBar = (line: string): boolean => /^(?!~ No hub).*(?:offline|Codex web-shop: permission)/.test(line);
  await cli.waitFor((lines) => lines.findLast(isBar)?.includes(text) === true);
}

describe.each(BARS)('status --follow --format %s', (format) => {
  it('says that no hub is there, who waits when it comes, and that it has gone again', async () => {
    const home = temporaryFolder();
    const cli = startCli(['status', '--follow', '--format', format], { home });
    await shows(cli, 'offline');
    const hub = await startCliHub({ home });
    await hub.announce(WAITS, { lamp: 'permission' });
    await shows(cli, 'web-shop: permission 2 d');
    await hub.stop();
    await shows(cli, 'offline');
    cli.kill('SIGTERM');
    expect(await cli.ended()).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('status for a bar, once', () => {
  it.each(['xbar', 'starship', 'waybar'])(
    '%s: says that no hub is there, and that it is a fault',
    async (format) => {
      const home = temporaryFolder();
      const { status, stdout, stderr } = await runCli(['status', '--format', format], { home });
      expect(status).toBe(1);
      expect(stdout).toContain('~ offline');
      expect(stderr).toContain('signalbox up');
    },
  );

  it('shows one agent when one is named', async () => {
    const hub = await startCliHub({ home: temporaryFolder() });
    await hub.announce({ ...WAITS, claude: signalOf('Claude') }, { lamp: 'permission' });
    const bar = (...args: string[]) => runCli(['status', '--format', 'polybar', ...args], hub);
    expect((await bar()).stdout).toContain('! Codex web-shop: permission 2 d');
    expect((await bar('--provider', 'claude')).stdout).toBe('%{F#2fb457}∙%{F-}\n');
  });
});

describe('a bar ends with its host', () => {
  it.each(['i3bar', 'i3blocks'])('%s: when stdin is closed', async (format) => {
    const options = { home: temporaryFolder(), stdin: true, env: { interval: 'persist' } } as const;
    const cli = startCli(['status', '--follow', '--format', format], options);
    await shows(cli, 'offline');
    cli.type();
    expect((await cli.ended()).status).toBe(0);
  });

  it('when the process that started it is killed', async () => {
    const under = ['sh', '-c', '"$@" & echo "child $!" >&2; wait', 'sh'];
    const cli = startCli(['status', '--follow', '--format', 'tmux'], { home: temporaryFolder(), under });
    await shows(cli, 'offline');
    const child = /child (\d+)/.exec(cli.stderr())?.[1] ?? '';
    expect(existsSync(`/proc/${child}`)).toBe(true);
    cli.kill('SIGKILL');
    // Its end closes the outputs that it has from the shell.
    await cli.ended();
    await until(() => !existsSync(`/proc/${child}`));
  });

  it('when nobody reads any more, with the next change', async () => {
    const hub = await startCliHub({ home: temporaryFolder() });
    await hub.announce(WAITS, { lamp: 'permission' });
    const cli = startCli(['status', '--follow', '--format', 'waybar'], hub);
    await shows(cli, 'web-shop');
    cli.stopReading();
    await hub.announce({ codex: signalOf('Codex') });
    expect((await cli.ended()).status).toBe(0);
  });
});

describe('a bar that i3bar stops while it is hidden', () => {
  it('shows the newest state when it goes on', async () => {
    const hub = await startCliHub({ home: temporaryFolder() });
    await hub.announce(WAITS, { lamp: 'permission' });
    const cli = startCli(['status', '--follow', '--format', 'i3bar'], hub);
    await shows(cli, 'web-shop');
    cli.kill('SIGSTOP');
    for (const project of ['a', 'b', 'c'])
      await hub.announce({ codex: waiting('Codex', [project], LONG) }, { lamp: 'permission' });
    await hub.announce({ codex: signalOf('Codex') });
    cli.kill('SIGCONT');
    await cli.waitFor((lines) => lines.at(-1)?.includes('"∙"') === true);
  });
});

describe('a click', () => {
  it.each([
    ['i3bar', 3, ',{"name":"signalbox","instance":"codex","button":3,"x":1,"y":2}'],
    ['i3blocks', 1, '{"":"","name":"x","button":"3","full_text":"y"}'],
  ])('with the right button on %s acknowledges what waits', async (format, first, click) => {
    const hub = await startHub();
    // As i3blocks has it from 1.5 on.
    const options = { home: hub.home, stdin: true, env: { interval: 'persist' } } as const;
    const cli = startCli(['status', '--follow', '--format', format], options);
    await cli.waitFor((lines) => lines.length >= first);
    const response = await fetch(`${hub.url}/hook/codex`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"event":"PermissionRequest","session_id":"try","cwd":"/home/me/web-shop"}',
    });
    expect(response.status).toBe(204);
    await cli.waitFor((lines) => lines.at(-1)?.includes('! Codex web-shop: permission') === true);
    // What is no click of ours, or none with that button, does nothing.
    cli.type('[\nnonsense\n,{"name":"signalbox","instance":"codex","button":1}\n');
    cli.type(`,{"name":"signalbox","instance":"codex","butt${'x'.repeat(10_000)}\n`);
    cli.type(',{"name":"volume","button":3}\n,{"name":"signalbox","instance":"claude","button":3}\n');
    cli.type(`${click}\n`);
    await cli.waitFor((lines) => /▸ (?:Codex web-shop: running|working)/.test(lines.at(-1) ?? ''));
  });

  it('is not read from an i3blocks before 1.5, whose own stdin it would be', async () => {
    const home = temporaryFolder();
    const cli = startCli(['status', '--follow', '--format', 'i3blocks'], { home, stdin: true });
    await shows(cli, 'offline');
    cli.type();
    const hub = await startCliHub({ home });
    await hub.announce(WAITS, { lamp: 'permission' });
    await shows(cli, 'web-shop');
  });
});
