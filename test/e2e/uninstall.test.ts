import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { AGENTS } from '../../hooks/installers/agents.ts';
import { startHub } from '../support/hub.ts';
import { listing } from '../support/listing.ts';
import { runCli } from '../support/run-cli.ts';
import { runSender } from '../support/sender.ts';
import { standInForSystemd } from '../support/systemd.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTerminal } from '../support/tmux.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 240_000 });

const NAMES = AGENTS.map(({ provider }) => provider);
const SESSION = { event: 'SessionStart', session_id: 'one', cwd: '/srv/shop' };
/** None of this machine's own service manager, and folders where the platform has them. */
const PLAIN = { SIGNALBOX_HOME: '', PATH: '/usr/bin:/bin' };

const dataOf = (home: string): string => join(home, '.local/share/signalbox');

describe('signalbox uninstall', () => {
  it('gives back the home folder as it was: hooks of every agent, service, sender, data, settings', async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, '.bashrc'), 'alias ll="ls -l"\n');
    mkdirSync(join(home, '.claude'));
    writeFileSync(join(home, '.claude/settings.json'), '{ "hooks": {"Stop": [ ] },\n\t"model":"opus"}');
    const systemd = standInForSystemd(home);
    const run = (...args: string[]) => runCli(args, { home, env: systemd.env });
    const before = listing(home);

    expect(await run('hooks', 'install', ...NAMES, '--yes')).toMatchObject({ status: 0 });
    expect(await run('service', 'install')).toMatchObject({ status: 0 });
    mkdirSync(join(home, '.config/signalbox'));
    writeFileSync(join(home, '.config/signalbox/config.toml'), '[history]\ndays = 3\n');
    const sender = join(dataOf(home), 'bin/signalbox-hook');
    const env = { SIGNALBOX_HOME: '' };
    expect(await runSender(['claude'], { home, input: SESSION, by: [sender], env })).toMatchObject({
      status: 0,
    });

    const { status, stderr } = await run('uninstall', '--data', '--yes');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(listing(home)).toEqual(before);
    expect(systemd.calls()).toContain('disable --now signalbox.service');
    expect(await run('uninstall', '--yes')).toMatchObject({
      status: 0,
      stdout: 'Nothing of Signalbox is installed here.\n',
    });
    expect(listing(home)).toEqual(before);
  });

  it('keeps data and settings unless it is told otherwise, and says how', async () => {
    const home = temporaryFolder();
    const run = (...args: string[]) => runCli(args, { home, env: PLAIN });
    await run('hooks', 'install', 'claude', '--yes');
    await runSender(['claude'], { home, input: SESSION, env: { SIGNALBOX_HOME: '' } });
    const { status, stdout } = await run('uninstall', '--yes');
    expect(status).toBe(0);
    expect(stdout).toContain('Data and settings stay in ~/.local/share/signalbox.');
    expect(stdout).toContain('signalbox uninstall --data');
    expect(existsSync(join(dataOf(home), 'spool'))).toBe(true);
    expect(existsSync(join(dataOf(home), 'bin/signalbox-hook'))).toBe(false);
    expect(existsSync(join(home, '.claude'))).toBe(false);
  });

  it('stops a hub that runs in a terminal, and names it', async () => {
    const home = temporaryFolder();
    const hub = await startHub({ home });
    const { status, stdout } = await runCli(['uninstall', '--data', '--yes'], {
      home,
      env: { PATH: PLAIN.PATH },
    });
    expect(status).toBe(0);
    expect(stdout).toContain(`process ${hub.pid} is stopped`);
    expect(await hub.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(existsSync(home)).toBe(true);
    expect(listing(home)).toEqual([]);
  });

  it('shows it all for --dry-run, and changes nothing', async () => {
    const home = temporaryFolder();
    const run = (...args: string[]) => runCli(args, { home, env: PLAIN });
    await run('hooks', 'install', 'claude', 'codex', '--yes');
    const before = listing(home);
    const { status, stdout } = await run('uninstall', '--dry-run', '--data');
    expect(status).toBe(0);
    expect(stdout).toMatch(/Hooks +\d+ out of ~\/\.claude\/settings\.json, which goes too/);
    expect(stdout).toContain('Sender   ~/.local/share/signalbox/bin/signalbox-hook is removed');
    expect(stdout).toContain('Data     ~/.local/share/signalbox is deleted');
    expect(listing(home)).toEqual(before);
    const without = await run('uninstall');
    expect(without.status).toBe(2);
    expect(without.stderr).toContain('no terminal');
    expect(listing(home)).toEqual(before);
  });

  it('leaves what somebody else keeps in the folder of SIGNALBOX_HOME', async () => {
    const home = temporaryFolder();
    for (const folder of ['bin', 'spool', 'logs', 'installed', 'work']) mkdirSync(join(home, folder));
    const foreign = [
      'bin/mine',
      'spool/letter.json',
      'logs/mine.log',
      'installed/list.json',
      'work/a',
      'notes',
    ];
    for (const name of foreign) writeFileSync(join(home, name), name);
    const before = listing(home);
    const run = (...args: string[]) => runCli(args, { home, env: { PATH: PLAIN.PATH } });
    await run('hooks', 'install', 'claude', '--yes');
    const hub = await startHub({ home });
    await hub.end('SIGKILL');
    await runSender(['claude'], { home, input: SESSION });
    const { status, stdout } = await run('uninstall', '--data', '--yes');
    expect(status).toBe(0);
    expect(stdout).toContain('stays: Signalbox did not make what else is in it');
    // The folders that it keeps secrets in were closed to others.
    const modes = (lines: string[]) =>
      lines.map((line) => line.replace(/^(bin|spool|installed) 7\d\d$/, '$1'));
    expect(modes(listing(home))).toEqual(modes(before));
  });

  it.each(['.local/share/signalbox', '.config/signalbox'])(
    'deletes nothing behind a link at %s',
    async (place) => {
      const home = temporaryFolder();
      const theirs = temporaryFolder();
      for (const name of ['signalbox.db', 'config.toml', 'letter']) writeFileSync(join(theirs, name), '');
      writeFileSync(join(theirs, 'hub.json'), '{}');
      mkdirSync(join(home, place, '..'), { recursive: true });
      symlinkSync(theirs, join(home, place));
      const before = listing(theirs);
      const { status, stdout } = await runCli(['uninstall', '--data', '--yes'], { home, env: PLAIN });
      expect(status).toBe(0);
      expect(stdout).toContain('is a link, so what is behind it stays.');
      expect(listing(theirs)).toEqual(before);
    },
  );

  it("keeps sender and data while an agent's file that may run it can't be understood", async () => {
    const home = temporaryFolder();
    const run = (...args: string[]) => runCli(args, { home, env: PLAIN });
    await run('hooks', 'install', 'claude', 'codex', '--yes');
    const settings = join(home, '.claude/settings.json');
    const broken = `${readFileSync(settings, 'utf8')},`;
    writeFileSync(settings, broken);
    // Another's mistake in a file that we are not in is no matter.
    mkdirSync(join(home, '.gemini'));
    writeFileSync(join(home, '.gemini/settings.json'), '{');
    const { status, stdout, stderr } = await run('uninstall', '--data', '--yes');
    expect(status).toBe(1);
    expect(stderr).toContain('.claude/settings.json');
    expect(stderr).not.toContain('.gemini');
    expect(stdout).toContain('Data and settings are kept');
    expect(readFileSync(settings, 'utf8')).toBe(broken);
    expect(existsSync(join(home, '.codex'))).toBe(false);
    expect(existsSync(join(dataOf(home), 'bin/signalbox-hook'))).toBe(true);
    writeFileSync(settings, broken.slice(0, -1));
    expect(await run('uninstall', '--data', '--yes')).toMatchObject({ status: 0 });
    expect(listing(home)).toEqual(['.gemini 755', '.gemini/settings.json 644 {']);
  });

  it("a config.toml of Codex' that nobody understands stops nothing else, and is named", async () => {
    const home = temporaryFolder();
    const run = (...args: string[]) => runCli(args, { home, env: PLAIN });
    await run('hooks', 'install', 'claude', 'codex', '--notify', '--yes');
    const config = join(home, '.codex/config.toml');
    const sound = readFileSync(config, 'utf8');
    writeFileSync(config, `${sound}x = = 3\n`);
    for (const command of [['hooks', 'uninstall'], ['uninstall']]) {
      await run('hooks', 'install', 'claude', 'codex', '--yes');
      const { status, stdout, stderr } = await run(...command, '--yes');
      expect(status).toBe(1);
      expect(stderr).toContain('.codex/config.toml');
      expect(stdout.match(/^(?:Claude|Codex): (?:hooks are out|uninstalled)$/gm)).toHaveLength(2);
      expect(existsSync(join(home, '.claude'))).toBe(false);
      expect(existsSync(join(home, '.codex/hooks.json'))).toBe(false);
      expect(readFileSync(config, 'utf8')).toContain('x = = 3');
    }
    writeFileSync(config, sound);
    const last = await run('uninstall', '--data', '--yes');
    expect(last).toMatchObject({ status: 0, stderr: '' });
    expect(last.stdout).toContain('notify out of ~/.codex/config.toml');
    expect(last.stdout).toContain('Codex: its notify is out\n');
    expect(last.stdout).not.toContain('hooks are out');
    expect(listing(home)).toEqual([]);
  });

  it('asks in a terminal: a no, and Ctrl-C at the second question, leave everything as it is', async () => {
    const home = temporaryFolder();
    await runCli(['hooks', 'install', 'claude', '--yes'], { home, env: PLAIN });
    const before = listing(home);
    const terminal = await openTerminal({ home, env: { ...PLAIN, HOME: home }, rows: 40 });
    const sees = (text: string) => terminal.waitFor((lines) => lines.join('\n').includes(text));
    await terminal.signalbox('uninstall');
    await sees('Do all of this? [y/N]');
    await terminal.keys('n', 'Enter');
    await sees('Left as it is.');
    await terminal.keys('c', 'l', 'e', 'a', 'r', 'Enter');
    await terminal.waitFor((lines) => lines[0] === 'ready$');
    await terminal.signalbox('uninstall');
    await sees('Do all of this? [y/N]');
    await terminal.keys('y', 'Enter');
    await sees('Delete data and settings too, for good?');
    await terminal.keys('C-c');
    await sees('Left as it is.');
    expect(listing(home)).toEqual(before);
    await terminal.keys('c', 'l', 'e', 'a', 'r', 'Enter');
    await terminal.waitFor((lines) => lines[0] === 'ready$');
    await terminal.signalbox('uninstall');
    await sees('Do all of this? [y/N]');
    await terminal.keys('y', 'Enter');
    await sees('Delete data and settings too, for good?');
    await terminal.keys('y', 'Enter');
    await sees('Data and settings are deleted.');
    expect(listing(home)).toEqual([]);
  });
});
