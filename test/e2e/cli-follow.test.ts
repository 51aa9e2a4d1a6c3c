import { describe, expect, it, vi } from 'vitest';
import { signalOf, startCliHub, waiting } from '../support/cli-hub.ts';
import { startCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTerminal } from '../support/tmux.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 60_000 });

const idle = { claude: signalOf('Claude'), codex: signalOf('Codex') };
const busy = signalOf('Claude', 'active', {
  state: 'running',
  count: 1,
  projects: ['web-shop'],
  reason: 'tool_use',
});

describe('status --follow as a stream', () => {
  it('prints one line a change, at first one for each provider', async () => {
    const hub = await startCliHub({ home: temporaryFolder() });
    await hub.announce(idle);
    const cli = startCli(['status', '--follow'], hub);
    // A machine with other work may be slow to answer: then it says first that no hub is there.
    const shown = (): string[] => cli.lines().filter((line) => !/hub/i.test(line));
    await cli.waitFor(() => shown().length === 2);
    await hub.publish('signal', { provider: 'codex' }, waiting('Codex', ['web-shop']));
    await cli.waitFor(() => shown().length === 3);
    // Newer, but no other content.
    await hub.publish('signal', { provider: 'codex' }, waiting('Codex', ['web-shop'], 125));
    await hub.publish('signal', { provider: 'claude' }, busy);
    await cli.waitFor(() => shown().length === 4);
    const words = shown().map((line) => line.replace(/^\d\d:\d\d:\d\d {2}/, '').replace(/ {2,}/g, ' | '));
    expect(words).toEqual([
      ' ∙ | Claude | idle',
      ' ∙ | Codex | idle',
      ' ! | Codex | waiting | web-shop | permission | 2 min',
      ' ▸ | Claude | running | web-shop | using a tool',
    ]);
    cli.kill('SIGTERM');
    expect((await cli.ended()).status).toBe(0);
  });

  it('prints the whole view as one JSON line a change', async () => {
    const hub = await startCliHub({ home: temporaryFolder() });
    await hub.announce(idle);
    const cli = startCli(['status', '--follow', '--json'], hub);
    await cli.waitFor((lines) => lines.length === 1);
    await hub.announce({ ...idle, claude: busy }, { lamp: 'active', line: 'Claude running: web-shop' });
    const last = () =>
      JSON.parse(cli.lines().at(-1) ?? '') as { lamp: string; line: string; providers: object[] };
    await cli.waitFor(() => last().line === 'Claude running: web-shop' && last().lamp === 'active');
    expect(last().providers[0]).toEqual({ provider: 'claude', ...busy });
    cli.kill('SIGINT');
    expect((await cli.ended()).status).toBe(0);
  });

  it('says that the hub is gone and nothing of its states, and goes on when it is back', async () => {
    const home = temporaryFolder();
    const first = await startCliHub({ home });
    await first.announce(idle);
    const text = startCli(['status', '--follow'], { home });
    const json = startCli(['status', '--follow', '--json'], { home });
    await text.waitFor((lines) => lines.length === 2);
    await json.waitFor((lines) => lines.length === 1);
    await first.stop();
    await text.waitFor((lines) => lines.at(-1)?.includes('Hub gone') === true);
    await json.waitFor((lines) => lines.length === 2);
    expect(JSON.parse(json.lines()[1] ?? '')).toEqual({
      hub: 'offline',
      lamp: null,
      line: null,
      providers: [],
    });
    // At another port, with another provider and without an old one.
    const second = await startCliHub({ home });
    await second.announce({ claude: busy });
    await text.waitFor((lines) => lines.at(-1)?.includes('web-shop') === true);
    await json.waitFor((lines) => lines.length === 3);
    const back = JSON.parse(json.lines()[2] ?? '') as { hub: string; providers: object[] };
    expect(back).toMatchObject({ hub: 'online', providers: [{ provider: 'claude', ...busy }] });
    expect(back.providers).toHaveLength(1);
  });

  it('believes the hub when it says that it stops, on a broker that stays', async () => {
    const hub = await startCliHub({ home: temporaryFolder() });
    await hub.announce(idle);
    const cli = startCli(['status', '--follow'], hub);
    await cli.waitFor((lines) => lines.length === 2);
    await hub.publish('hubState', {}, 'offline');
    await cli.waitFor((lines) => lines.at(-1)?.includes('Hub gone (it has stopped)') === true);
    await hub.publish('hubState', {}, 'online');
    await cli.waitFor((lines) => lines.length === 5);
  });

  it('waits for a hub that is not there yet', async () => {
    const home = temporaryFolder();
    const cli = startCli(['status', '--follow'], { home });
    await cli.waitFor((lines) => lines[0]?.includes('Hub gone') === true);
    const hub = await startCliHub({ home });
    await hub.announce(idle);
    await cli.waitFor((lines) => lines.length === 3);
  });

  it('ends quietly when its reader goes away', async () => {
    const hub = await startCliHub({ home: temporaryFolder() });
    await hub.announce(idle);
    const cli = startCli(['status', '--follow'], hub);
    await cli.waitFor((lines) => lines.length === 2);
    cli.stopReading();
    await hub.publish('signal', { provider: 'claude' }, busy);
    const { status, signal, stderr } = await cli.ended();
    expect({ status, signal, stderr }).toEqual({ status: 0, signal: null, stderr: '' });
  });
});

describe('status --follow on a terminal', () => {
  it('draws in place, and gives the terminal back at Ctrl-C', async () => {
    const hub = await startCliHub({ home: temporaryFolder() });
    await hub.announce(idle);
    const terminal = await openTerminal(hub);
    await terminal.signalbox('status --follow');
    await terminal.waitFor((lines) => lines[3] === ' ∙   Claude  idle' && lines[4] === ' ∙   Codex   idle');
    expect(await terminal.ask('#{cursor_flag} #{alternate_on}')).toBe('0 1');
    await hub.announce(
      { ...idle, codex: waiting('Codex', ['web-shop']) },
      { lamp: 'permission', line: 'Codex waits' },
    );
    await terminal.waitFor((lines) =>
      / !   Codex   waiting  web-shop  permission  2 min/.test(lines[4] ?? ''),
    );
    expect((await terminal.screen())[1]).toBe(' !   Codex waits');
    await terminal.keys('C-c');
    await terminal.waitFor((lines) => lines[0]?.startsWith('ready$') === true && lines.includes('ready$'));
    expect(await terminal.ask('#{cursor_flag} #{alternate_on}')).toBe('1 0');
    // Echo is on again, and the last command ended well.
    await terminal.keys('echo "ended: $?"', 'Enter');
    await terminal.waitFor((lines) => lines.includes('ended: 0'));
  });

  it('lights what waits with its rhythm, and stands still without colour', async () => {
    const hub = await startCliHub({ home: temporaryFolder() });
    await hub.announce(
      { codex: waiting('Codex', ['web-shop']) },
      { lamp: 'permission', line: 'Codex waits' },
    );
    const terminal = await openTerminal(hub);
    await terminal.signalbox('status --follow');
    const lit = /\u001b\[[\d;]*7m(?:\u001b\[[\d;]*m)* ! /;
    const seen = new Set<boolean>();
    await terminal.waitFor((lines) => lines[1]?.includes('Codex waits') === true);
    while (seen.size < 2) seen.add(lit.test(await terminal.coloured()));
    const plain = await openTerminal({ ...hub, env: { NO_COLOR: '1' } });
    await plain.signalbox('status --follow');
    await plain.waitFor((lines) => lines[1]?.includes('Codex waits') === true);
    expect(await plain.coloured()).not.toContain('\u001b');
  });

  it('shows that the hub is gone, and that it is back', async () => {
    const home = temporaryFolder();
    const first = await startCliHub({ home });
    await first.announce({ claude: busy });
    const terminal = await openTerminal({ home });
    await terminal.signalbox('status --follow');
    await terminal.waitFor((lines) => lines[3]?.includes('running') === true);
    await first.stop();
    await terminal.waitFor((lines) => /^ ~ {3}Hub gone since .* not known\.$/.test(lines[1] ?? ''));
    expect((await terminal.screen())[3]).toBe(' ~   Claude  not known');
    const second = await startCliHub({ home });
    await second.announce({ claude: busy });
    await terminal.waitFor((lines) => lines[3]?.includes('running') === true);
    await terminal.keys('q');
    await terminal.waitFor((lines) => lines.includes('ready$'));
  });

  it('fits itself to the size of the terminal', async () => {
    const hub = await startCliHub({ home: temporaryFolder() });
    await hub.announce({ claude: busy, codex: waiting('Codex', ['日本語'.repeat(10), 'x'.repeat(40)]) });
    const terminal = await openTerminal(hub);
    await terminal.signalbox('status --follow');
    await terminal.waitFor((lines) => lines[4]?.includes('2 waiting') === true);
    // Narrower: the reason goes, the names are cut, the time still ends in the last column.
    await terminal.resize(44, 5);
    await terminal.waitFor((lines) =>
      /^ ! {3}Codex {3}2 waiting {2}日本語日.*… {1,3}2 min$/.test(lines[4] ?? ''),
    );
    expect((await terminal.screen())[3]).toBe(' ▸   Claude  running    web-shop');
    await terminal.resize(100, 20);
    await terminal.waitFor((lines) => lines[6] === ' Ctrl-C ends.');
  });

  it('can be stopped and goes on', async () => {
    const hub = await startCliHub({ home: temporaryFolder() });
    await hub.announce({ claude: busy });
    const terminal = await openTerminal(hub);
    await terminal.signalbox('status --follow');
    await terminal.waitFor((lines) => lines[3]?.includes('running') === true);
    await terminal.keys('C-z');
    await terminal.waitFor((lines) => lines.some((line) => line.includes('Stopped')));
    expect(await terminal.ask('#{cursor_flag} #{alternate_on}')).toBe('1 0');
    await terminal.keys('fg', 'Enter');
    await terminal.waitFor((lines) => lines[3]?.includes('running') === true);
    expect(await terminal.ask('#{alternate_on}')).toBe('1');
  });
});
