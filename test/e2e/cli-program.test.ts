import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, it, vi } from 'vitest';
import { signalOf, startCliHub } from '../support/cli-hub.ts';
import { cliEnvironment, PROGRAM, runCli } from '../support/run-cli.ts';
import { loadedSources } from '../support/shipped-modules.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 60_000 });

const execute = promisify(execFile);

const COMMANDS = [
  'up',
  'demo',
  'status',
  'sessions',
  'explain',
  'replay',
  'record',
  'signal',
  'hook',
  'hooks',
  'config',
  'doctor',
  'completion',
];

describe('the program', () => {
  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    const { status, stdout } = await runCli(['--version'], { home: temporaryFolder() });
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${version}\n` });
  });

  it('loads neither MQTT nor the database for what needs none of them', async () => {
    const { status, own, packages } = await loadedSources(['--version']);
    expect([status, packages]).toEqual([0, ['commander']]);
    expect(own).toContain('cli/program.ts');
  });

  it.each([[[]], [['help']], [['--help']]])('prints its help for %j', async (args) => {
    const { status, stdout, stderr } = await runCli(args, { home: temporaryFolder() });
    for (const command of COMMANDS) expect(stdout).toContain(`\n  ${command} `);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it.each(COMMANDS)('has a help for %s that fits 80 columns', async (command) => {
    const home = temporaryFolder();
    const asked = await runCli(['help', command], { home });
    expect((await runCli([command, '--help'], { home })).stdout).toBe(asked.stdout);
    expect(asked.stdout).toContain(`Usage: signalbox ${command}`);
    expect(asked.stdout.split('\n').filter((line) => stringWidth(line) > 80)).toEqual([]);
    expect(asked.status).toBe(0);
  });

  it.each([
    [['statsu'], 'There is no command "statsu".\n  Did you mean "status"? "signalbox help" lists all.\n'],
    [
      ['help', 'sesions'],
      'There is no command "sesions".\n  Did you mean "sessions"? "signalbox help" lists all.\n',
    ],
    [['xyzzy'], 'There is no command "xyzzy".\n  "signalbox help" lists all.\n'],
    [
      ['status', '--folow'],
      'Unknown option \'--folow\'. Did you mean --follow?\n  See "signalbox status --help".\n',
    ],
    [['--nonsense'], 'Unknown option \'--nonsense\'.\n  See "signalbox --help".\n'],
    [['status', 'more'], 'Too many arguments'],
    [['status', '--format', 'xml'], "Option '--format <name>' argument 'xml' is invalid."],
    [['status', '--provider', 'nobody'], 'No provider is called "nobody".'],
    [['status', '--broker-url', 'mqtt://me:secret@host'], 'A password in the broker URL'],
    [['status', '--broker-url', 'http://host'], 'it is not mqtt, mqtts, ws or wss'],
    [['status', '--prefix', 'a/+/b'], 'The setting "prefix" (--prefix) is wrong'],
  ])('%j is wrong use', async (args, words) => {
    const { status, stdout, stderr } = await runCli(args, { home: temporaryFolder() });
    expect(stderr).toContain(words);
    expect(stderr).toMatch(/^signalbox: /);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });

  it('tells wrong use as JSON where JSON was asked for', async () => {
    const { status, stdout, stderr } = await runCli(['status', '--json', '--folow'], {
      home: temporaryFolder(),
    });
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: 'bad_usage',
        message: "Unknown option '--folow'. Did you mean --follow?",
        next: 'See "signalbox status --help".',
      },
    });
    expect({ status, stderr }).toEqual({ status: 2, stderr: '' });
  });

  it('shows where in the program an error came from only when it is asked to', async () => {
    const home = temporaryFolder();
    // A folder in the place of the file.
    const config = join(home, 'config.toml');
    mkdirSync(config);
    const plain = await runCli(['config'], { home });
    expect(plain.stderr.split('\n')).toHaveLength(3);
    expect(plain.stderr).not.toMatch(/^\s+at /m);
    const debug = await runCli(['config'], { home, env: { SIGNALBOX_LOG_LEVEL: 'debug' } });
    expect(debug.stderr).toMatch(/^\s+at /m);
  });

  it.each(['head -n 1', 'true'])('ends quietly before a reader that goes away: %s', async (reader) => {
    const hub = await startCliHub({ home: temporaryFolder() });
    await hub.announce({ claude: signalOf('Claude'), codex: signalOf('Codex') });
    const script = `set -o pipefail; "$NODE" "$PROGRAM" status | ${reader}`;
    const env = { ...cliEnvironment(hub), NODE: process.execPath, PROGRAM };
    const { stderr } = await execute('bash', ['-c', script], { env });
    expect(stderr).toBe('');
  });

  it('says so when its output can not be written', async () => {
    const script = '"$NODE" "$PROGRAM" config > /dev/full; echo "status $?"';
    const env = { ...cliEnvironment({ home: temporaryFolder() }), NODE: process.execPath, PROGRAM };
    const { stdout, stderr } = await execute('bash', ['-c', script], { env });
    expect(stderr).toBe("signalbox: The output can't be written (ENOSPC).\n");
    expect(stdout).toBe('status 1\n');
  });
});

describe('signalbox config', () => {
  it('shows each value and where it came from', async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'config.toml'), '[broker]\nport = 18830\n\n[state]\nquestions = false\n');
    const env = { SIGNALBOX_HISTORY_DAYS: '7', SIGNALBOX_BROKER_PORT: '1999' };
    const { status, stdout, stderr } = await runCli(['config', '--json', '--prefix', 'team/alice'], {
      home,
      env,
    });
    const shown = JSON.parse(stdout) as {
      config_file: string;
      data_folder: string;
      settings: { key: string; value: unknown; source: string; detail: string }[];
      warnings: string[];
    };
    const setting = (key: string) => shown.settings.find((each) => each.key === key);
    expect(shown.config_file).toBe(join(home, 'config.toml'));
    expect(shown.data_folder).toBe(home);
    expect(setting('broker.port')).toMatchObject({
      value: 1999,
      source: 'environment',
      detail: 'SIGNALBOX_BROKER_PORT',
    });
    expect(setting('history.days')).toMatchObject({ value: 7, source: 'environment' });
    expect(setting('state.questions')).toMatchObject({
      value: false,
      source: 'file',
      detail: `${home}/config.toml, line 5`,
    });
    expect(setting('prefix')).toMatchObject({ value: 'team/alice', source: 'flag', detail: '--prefix' });
    expect(setting('http.port')).toMatchObject({ value: 4787, source: 'default', detail: '' });
    expect({ status, stderr, warnings: shown.warnings }).toEqual({ status: 0, stderr: '', warnings: [] });
  });

  it('shows the same to people, with the places of file and data', async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'config.toml'), '[broker]\nport = 18830\n');
    const { stdout } = await runCli(['config'], { home });
    expect(stdout).toContain(`Settings  ${home}/config.toml\n`);
    expect(stdout).toContain(`Data      ${home}\n`);
    expect(stdout).toMatch(/^broker\.port +18830 +config file, line 2$/m);
    expect(stdout).toMatch(/^http\.port +4787 +default$/m);
  });

  it('reads another file when it is told to', async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'other.toml'), 'prefix = "elsewhere"\n');
    const { stdout } = await runCli(['config', '--config', 'other.toml'], { home });
    expect(stdout).toMatch(/^prefix +"elsewhere" +config file, line 1$/m);
  });

  it('says so when the file that it is told to read is not there', async () => {
    const { status, stderr } = await runCli(['config', '--config', 'typo.toml'], { home: temporaryFolder() });
    expect(status).toBe(2);
    expect(stderr).toMatch(/typo\.toml.*there is no such file/);
  });

  it('never shows a password', async () => {
    const home = temporaryFolder();
    const file = join(home, 'password');
    writeFileSync(file, 'secret-of-the-file\n');
    chmodSync(file, 0o600);
    const env = { SIGNALBOX_BROKER_PASSWORD: 'secret-of-the-variable', SIGNALBOX_BROKER_PASSWORD_FILE: file };
    for (const args of [['config'], ['config', '--json']]) {
      const { stdout, stderr } = await runCli(args, { home, env });
      expect(stdout).toContain('(set)');
      expect(stdout + stderr).not.toContain('secret-of-');
    }
  });

  it('warns of a variable that means nothing', async () => {
    const env = { SIGNALBOX_BROKER_PROT: '1' };
    const { status, stdout, stderr } = await runCli(['config', '--json'], { home: temporaryFolder(), env });
    const warning =
      'The variable SIGNALBOX_BROKER_PROT means nothing to Signalbox. Did you mean SIGNALBOX_BROKER_PORT?';
    expect(stderr).toBe(`signalbox: ${warning}\n`);
    expect((JSON.parse(stdout) as { warnings: string[] }).warnings).toEqual([warning]);
    expect(status).toBe(0);
  });

  it('names the nearest key for one that does not exist, and exits 2', async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'config.toml'), '[broker]\nprot = 1\n');
    const { status, stderr } = await runCli(['config'], { home });
    expect(stderr).toContain('has an unknown key "broker.prot"');
    expect(stderr).toContain('Did you mean "broker.port"?');
    expect(status).toBe(2);
  });
});
