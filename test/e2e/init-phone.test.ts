import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { describe, expect, it, vi } from 'vitest';
import { type AgentHome, agentHome } from '../support/agent-home.ts';
import { freePort } from '../support/doctor.ts';
import { listing } from '../support/listing.ts';
import { startNtfy } from '../support/ntfy.ts';
import { readQr } from '../support/read-qr.ts';
import { openTerminal } from '../support/tmux.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 240_000 });

const CONFIG = '.config/signalbox/config.toml';
const YES = ['init', '--yes', '--no-service'];
const env = { SIGNALBOX_HOME: '' };

function topicOf(home: AgentHome): string {
  const { notify } = parse(home.read(CONFIG)) as { notify: { topic: string } };
  return notify.topic;
}

describe('signalbox init for scripts', () => {
  it('sends nothing anywhere, and writes nothing, unless it is told to', async () => {
    const home = agentHome();
    const before = listing(home.path);
    for (const more of [[], ['--no-phone']]) {
      const { status, stdout } = await home.cli([...YES, ...more], { env });
      expect(status).toBe(0);
      expect(stdout.includes('Phone: left out')).toBe(more.length === 0);
    }
    const dry = await home.cli(['init', '--dry-run', '--phone'], { env });
    expect(dry.stdout).toContain('would go into ~/.config/signalbox/config.toml');
    expect(listing(home.path)).toEqual(before);
  });

  it('with a server writes [notify], shows the link, and tells that the server has the message', async () => {
    const ntfy = await startNtfy();
    const home = agentHome();
    const mine = '# mine\r\n[history]\r\ndays = 7 # a week';
    home.put(CONFIG, mine);
    const first = await home.cli([...YES, '--ntfy-server', ntfy.url], { env });
    expect(first).toMatchObject({ status: 0, stderr: '' });
    const topic = topicOf(home);
    expect(home.read(CONFIG).startsWith(mine)).toBe(true);
    expect(statSync(join(home.path, CONFIG)).mode & 0o777).toBe(0o600);
    expect(topic).toMatch(/^signalbox(?:-[0-9a-z]{4}){4}$/);
    // A pipe: words alone.
    expect(first.stdout).toContain(`ntfy://${new URL(ntfy.url).host}/${topic}?secure=false\n`);
    expect(first.stdout).not.toMatch(/[▀▄█\u001b]/);
    expect(first.stdout).toContain('The server has taken the test message');
    expect(await ntfy.untilEvents(topic, 'message', 1)).toHaveLength(1);

    const written = home.read(CONFIG);
    const again = await home.cli([...YES], { env });
    expect(again.stdout).toContain(`Phone: set up, messages go to ${ntfy.url}`);
    const once = await home.cli([...YES, '--phone', '--ntfy-server', 'https://other.example'], { env });
    expect(once.stdout).toContain('change "notify.server"');
    expect(await ntfy.untilEvents(topic, 'message', 2)).toHaveLength(2);
    expect(home.read(CONFIG)).toBe(written);
    const gone = await home.cli(['uninstall', '--yes', '--data'], { env });
    expect(gone.status).toBe(0);
    expect(home.has('.config/signalbox')).toBe(false);
  });

  it('tells the truth about a server that has not taken it, what to do, and ends with 1', async () => {
    const home = agentHome();
    const server = `http://127.0.0.1:${await freePort()}`;
    const { status, stdout } = await home.cli([...YES, '--ntfy-server', server], { env });
    expect(status).toBe(1);
    expect(stdout).toMatch(/No test message: http:.*can not be reached.*\n.*"notify\.server"/);
    expect(stdout).not.toContain('has taken');
    expect(topicOf(home)).toMatch(/^signalbox-/);
  });

  it('says what to do where the server wants credentials, and uses those that are set', async () => {
    const token = 'tk_abcdefghijklmnopqrstuvwxyz012';
    const ntfy = await startNtfy({
      config: (folder) => [
        `auth-file: "${join(folder, 'auth.db')}"`,
        'auth-default-access: "deny-all"',
        // The hash of "secret", made by `ntfy user hash`.
        'auth-users: ["me:$2a$10$YLiO8U21sX1uhZamTLJXHuxgVC0Z/GKISibrKCLohPgtG7yIxSk4C:user"]',
        'auth-access: ["me:signalbox-*:rw"]',
        `auth-tokens: ["me:${token}:test"]`,
      ],
      authorization: `Bearer ${token}`,
    });
    const home = agentHome();
    const refused = await home.cli([...YES, '--ntfy-server', ntfy.url], { env });
    expect(refused.status).toBe(1);
    expect(refused.stdout).toMatch(/refuses the credentials.*\n.*"notify\.token_file"/);
    const taken = await home.cli([...YES, '--phone'], { env: { ...env, SIGNALBOX_NOTIFY_TOKEN: token } });
    expect(taken.status).toBe(0);
    expect(`${taken.stdout}${taken.stderr}${home.read(CONFIG)}`).not.toContain(token);
    expect(await ntfy.untilEvents(topicOf(home), 'message', 1)).toHaveLength(1);
  });

  it.each(['ntfy.sh', 'https://me:secret@ntfy.sh', 'ftp://ntfy.sh'])(
    'does not take %s for a server, and does nothing else either',
    async (server) => {
      const home = agentHome();
      const before = listing(home.path);
      const { status, stderr } = await home.cli([...YES, '--ntfy-server', server], { env });
      expect(status).toBe(2);
      expect(stderr).toContain('an address such as https://ntfy.sh');
      expect(stderr).not.toContain('secret@');
      expect(listing(home.path)).toEqual(before);
    },
  );

  it.each([
    ['switched off', '[notify]\nenabled = false\n', /is switched off, and left as it is/],
    [
      'a part alone',
      '[notify.quiet_hours]\nfrom = "22:00"\nto = "07:00"\n',
      /is switched off, and left as it is/,
    ],
    ['the shared topic', '[notify]\nenabled = true\n', /Anybody can read that topic/],
  ])('leaves what is there: %s', async (_, text, said) => {
    const home = agentHome();
    home.put(CONFIG, text);
    const { status, stdout } = await home.cli(YES, { env });
    expect([status, home.read(CONFIG)]).toEqual([0, text]);
    expect(stdout).toMatch(said);
  });

  it('writes through a link, as dotfiles are', async () => {
    const ntfy = await startNtfy();
    const home = agentHome();
    home.put('dotfiles/signalbox.toml', '# mine\n');
    mkdirSync(join(home.path, '.config/signalbox'), { recursive: true });
    symlinkSync(join(home.path, 'dotfiles/signalbox.toml'), join(home.path, CONFIG));
    expect((await home.cli([...YES, '--ntfy-server', ntfy.url], { env })).status).toBe(0);
    expect(home.read('dotfiles/signalbox.toml')).toMatch(/^# mine\n\n# .*\n\[notify\]\n/);
  });

  it('a folder that takes no file is told, and nothing is left in it', async () => {
    const home = agentHome();
    mkdirSync(join(home.path, '.config'), { recursive: true });
    writeFileSync(join(home.path, '.config/signalbox'), 'no folder');
    const { status, stderr } = await home.cli([...YES, '--ntfy-server', 'http://127.0.0.1:1'], { env });
    expect(status).toBe(1);
    expect(stderr).toContain('.config/signalbox');
    expect(home.read('.config/signalbox')).toBe('no folder');
  });
});

describe('signalbox init in a terminal of 80 by 24', () => {
  it('shows a code that a phone can read, and sends when it is told to', async () => {
    const ntfy = await startNtfy();
    const home = agentHome();
    const options = { ...home.options, env: { ...home.options.env, ...env }, columns: 80, rows: 24 };
    const terminal = await openTerminal(options);
    const sees = (text: string) => terminal.waitFor((lines) => lines.some((line) => line.startsWith(text)));
    await terminal.signalbox('init --no-service');
    await sees('Set up messages to the phone? [y/N]');
    await terminal.keys('y', 'Enter');
    await sees('ntfy server [https://ntfy.sh]:');
    await terminal.keys('nonsense', 'Enter');
    await sees('It takes an address such as');
    await terminal.keys(ntfy.url, 'Enter');
    await sees('Topic, a secret [signalbox-');
    await terminal.keys('Enter');
    await sees('Subscribed? Send a test message now? [y/N]');
    const topic = topicOf(home);
    const drawn = (await terminal.screen()).filter((line) => /[▀▄█]/.test(line)).map((line) => `${line}  `);
    expect(readQr(['', ...drawn, ''])).toBe(`ntfy://${new URL(ntfy.url).host}/${topic}?secure=false`);
    expect(await ntfy.events(topic)).toEqual([]);
    await terminal.keys('y', 'Enter');
    await sees('The server has taken the test message');
    expect(await ntfy.untilEvents(topic, 'message', 1)).toHaveLength(1);
  });

  it('Ctrl-C at a question leaves the settings as they were', async () => {
    const home = agentHome();
    const options = { ...home.options, env: { ...home.options.env, ...env }, columns: 80, rows: 24 };
    const terminal = await openTerminal(options);
    const sees = (text: string) => terminal.waitFor((lines) => lines.some((line) => line.startsWith(text)));
    await terminal.signalbox('init --no-service');
    await sees('Set up messages to the phone? [y/N]');
    await terminal.keys('y', 'Enter');
    await sees('ntfy server [https://ntfy.sh]:');
    await terminal.keys('C-c');
    await sees('Stopped.');
    expect(home.has(CONFIG)).toBe(false);
  });
});
