import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type AgentHome, agentHome, claudeOf } from '../support/agent-home.ts';
import { listing } from '../support/listing.ts';
import { standInForSystemd, type SystemdStandIn } from '../support/systemd.ts';
import { openTerminal } from '../support/tmux.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 240_000 });

const CLAUDE = '.claude/settings.json';
const CODEX = '.codex/hooks.json';
const UNIT = '.config/systemd/user/signalbox.service';

/** A home with Claude and Codex in it, and a systemd that answers. */
function machine(): { home: AgentHome; systemd: SystemdStandIn; env: Record<string, string> } {
  const home = agentHome();
  home.put(CLAUDE, '{}\n');
  home.put(CODEX, '{}\n');
  home.program('claude', claudeOf('2.1.332'));
  const systemd = standInForSystemd(home.path);
  const PATH = `${systemd.env['PATH']?.split(':')[0]}:${home.options.env?.['PATH']}`;
  return { home, systemd, env: { PATH, SIGNALBOX_HOME: '' } };
}

describe('signalbox init', () => {
  it('sets it all up for --yes, tries the way, and changes nothing a second time', async () => {
    const { home, systemd, env } = machine();
    const { status, stdout, stderr } = await home.cli(['init', '--yes'], { env });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/Claude +2\.1\.332 +no hooks yet\n/);
    expect(stdout).toMatch(/Codex +no hooks yet\n/);
    for (const file of [CLAUDE, CODEX]) expect(home.read(file)).toContain('signalbox-hook');
    expect(home.has('.local/share/signalbox/bin/signalbox-hook')).toBe(true);
    expect(home.has(UNIT)).toBe(true);
    expect(stdout).toContain(`It runs now (process ${systemd.pid()})`);
    expect(stdout).toContain('Self-test: an event of claude went through the sender and arrived.');
    expect(stdout).toContain('Self-test: an event of codex went through the sender and arrived.');
    expect(stdout).toMatch(/The hub runs\. See who needs you: {2}signalbox status --follow\n$/);

    const files = (): string[] => [home.read(CLAUDE), home.read(CODEX), home.read(UNIT)];
    const before = files();
    const calls = systemd.calls().length;
    const again = await home.cli(['init', '--yes'], { env });
    expect(again.status).toBe(0);
    expect(again.stdout).toMatch(/Claude +2\.1\.332 +hooks in place\n/);
    expect(again.stdout).toContain('Claude: its hooks are in place, nothing to do');
    expect(again.stdout).toContain('the service is in place, nothing to do');
    expect(files()).toEqual(before);
    expect(systemd.calls()).toHaveLength(calls);
  });

  it('leaves the service out where it is told to or nothing would run it, and says how to run the hub', async () => {
    const { home, systemd, env } = machine();
    const { stdout } = await home.cli(['init', '--yes', '--no-service'], { env });
    expect(stdout).not.toContain('login');
    expect(stdout).toMatch(/Next: {2}signalbox up +run the hub\n +signalbox status --follow/);
    systemd.leave();
    expect(await home.cli(['init', '--yes'], { env })).toMatchObject({ status: 0 });
    expect(home.has(UNIT)).toBe(false);
  });

  it('without a terminal asks nobody and changes nothing; nor does --dry-run', async () => {
    const { home, env } = machine();
    const before = listing(home.path);
    const { status, stderr } = await home.cli(['init'], { env });
    expect(status).toBe(2);
    expect(stderr).toContain('no terminal to ask on');
    const dry = await home.cli(['init', '--dry-run'], { env });
    expect(dry.status).toBe(0);
    expect(dry.stdout).toContain('signalbox-hook');
    expect(dry.stdout).toContain('systemd would run the hub, by ~/.config/systemd/user/signalbox.service');
    expect(listing(home.path)).toEqual(before);
  });

  it('goes on after an agent whose file cannot be understood, and ends with 1', async () => {
    const { home, env } = machine();
    home.put(CLAUDE, '{');
    const { status, stdout, stderr } = await home.cli(['init', '--yes', '--no-service'], { env });
    expect(status).toBe(1);
    expect(stdout).toMatch(/Claude +2\.1\.332 +its settings can't be understood\n/);
    expect(stderr).toContain(join(home.path, CLAUDE));
    expect(home.read(CODEX)).toContain('signalbox-hook');
  });

  it('says so where no agent is', async () => {
    const home = agentHome();
    const { status, stdout } = await home.cli(['init', '--yes', '--no-service']);
    expect(status).toBe(0);
    expect(stdout).toContain('No agent was found on this machine.');
  });

  it('asks for each in a terminal; Ctrl-C leaves the rest as it was, and says so', async () => {
    const { home, systemd, env } = machine();
    const terminal = await openTerminal({
      ...home.options,
      env: { ...home.options.env, ...env },
      columns: 80,
      rows: 200,
    });
    const sees = (text: string) => terminal.waitFor((lines) => lines.some((line) => line.startsWith(text)));
    await terminal.signalbox('init');
    await sees('Change this file for Claude? [y/N]');
    await terminal.keys('y', 'Enter');
    await sees('Change this file for Codex? [y/N]');
    await terminal.keys('n', 'Enter');
    await sees('Set up messages to the phone? [y/N]');
    await terminal.keys('n', 'Enter');
    await sees('Start the hub at login, and now? [y/N]');
    await terminal.keys('C-c');
    await sees('Stopped. What you agreed to before is done');
    expect(home.read(CLAUDE)).toContain('signalbox-hook');
    expect(home.read(CODEX)).toBe('{}\n');
    expect(home.has(UNIT)).toBe(false);
    expect(systemd.calls()).toEqual([]);
  });
});
