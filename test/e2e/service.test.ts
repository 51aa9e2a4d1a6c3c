import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { readHubFile } from '../../runtime/hub-file.ts';
import { startHub } from '../support/hub.ts';
import { PROGRAM, runCli } from '../support/run-cli.ts';
import { standInForSystemd, verifyUnit } from '../support/systemd.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

// A machine with other work starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

const unitOf = (home: string): string => join(home, '.config/systemd/user/signalbox.service');
const hubOf = (home: string) => readHubFile(join(home, '.local/share/signalbox/hub.json'));

describe('signalbox service', () => {
  it('runs this very program as a unit, changes nothing a second time, and is taken away without a trace', async () => {
    const home = temporaryFolder();
    const systemd = standInForSystemd(home);
    const run = (...args: string[]) => runCli(['service', ...args], { home, env: systemd.env });

    const first = await run('install');
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(first.stdout).toContain('Written: ~/.config/systemd/user/signalbox.service\n');
    expect(first.stdout).toContain(`It runs now (process ${systemd.pid()})`);
    expect(hubOf(home)?.pid).toBe(systemd.pid());
    const unit = readFileSync(unitOf(home), 'utf8');
    expect(unit).toContain(`ExecStart=${process.execPath} "${PROGRAM}" "up"`);
    expect(await verifyUnit(unit)).toBe('');
    expect(systemd.calls()).toEqual([
      'daemon-reload',
      'enable signalbox.service',
      'restart signalbox.service',
    ]);

    const status = await run('status', '--json');
    expect(JSON.parse(status.stdout)).toEqual({
      manager: 'systemd',
      file: unitOf(home),
      state: 'current',
      enabled: true,
      running: true,
      hub: { pid: systemd.pid() },
    });

    const second = await run('install');
    expect(second).toMatchObject({ status: 0, stdout: 'The service is in place and runs, nothing to do.\n' });
    expect(systemd.calls()).toHaveLength(3);

    expect(await run('uninstall')).toMatchObject({
      status: 0,
      stdout: 'Removed: ~/.config/systemd/user/signalbox.service\n',
    });
    await until(() => hubOf(home) === undefined);
    expect(existsSync(join(home, '.config'))).toBe(false);
    expect(await run('uninstall')).toMatchObject({
      status: 0,
      stdout: 'No service is installed, nothing to do.\n',
    });
  });

  it('prints the file for --dry-run, and touches nothing', async () => {
    const home = temporaryFolder();
    const { status, stdout } = await runCli(['service', 'install', '--dry-run'], { home });
    expect(status).toBe(0);
    expect(await verifyUnit(stdout)).toBe('');
    expect(stdout).toContain(`Environment="SIGNALBOX_HOME=${home}"`);
    expect(readdirSync(home)).toEqual([]);
  });

  it('is written where the configuration is, and says what to run by hand where no session answers', async () => {
    const home = temporaryFolder();
    const systemd = standInForSystemd(home);
    systemd.leave();
    const config = join(home, 'con fig');
    const options = { home, env: { ...systemd.env, XDG_CONFIG_HOME: config } };
    const { status, stdout } = await runCli(['service', 'install'], options);
    expect(status).toBe(0);
    expect(stdout).toContain('systemctl --user daemon-reload\n  systemctl --user enable --now signalbox\n');
    expect(readFileSync(join(config, 'systemd/user/signalbox.service'), 'utf8')).toContain(
      `Environment="XDG_CONFIG_HOME=${config}"`,
    );
    // As a person would have enabled it meanwhile.
    mkdirSync(join(config, 'systemd/user/default.target.wants'));
    symlinkSync('../signalbox.service', join(config, 'systemd/user/default.target.wants/signalbox.service'));
    expect(await runCli(['service', 'uninstall'], options)).toMatchObject({ status: 0 });
    expect(readdirSync(home)).toEqual([]);
  });

  it('starts no second hub beside one that runs in a terminal', async () => {
    const home = temporaryFolder();
    const systemd = standInForSystemd(home);
    const env = { ...systemd.env, SIGNALBOX_HOME: home };
    const hub = await startHub({ home });
    const { status, stdout } = await runCli(['service', 'install'], { home, env });
    expect(status).toBe(0);
    expect(stdout).toContain(`A hub runs already (process ${hub.pid})`);
    expect(systemd.calls()).toEqual(['daemon-reload', 'enable signalbox.service']);
    const told = await runCli(['service', 'status'], { home, env });
    expect(told.stdout).toContain(`runs (process ${hub.pid}), not as this service`);
  });

  it.each([
    ['a file', (unit: string) => writeFileSync(unit, '[Service]\nExecStart=/usr/bin/mine\n')],
    ['a link', (unit: string) => symlinkSync('/dev/null', unit)],
  ])('leaves %s of somebody else alone', async (_what, put) => {
    const home = temporaryFolder();
    const systemd = standInForSystemd(home);
    mkdirSync(join(home, '.config/systemd/user'), { recursive: true });
    put(unitOf(home));
    const before = readFileSync(unitOf(home), 'utf8');
    for (const command of ['install', 'uninstall']) {
      const { status, stderr } = await runCli(['service', command], { home, env: systemd.env });
      expect(status).toBe(1);
      expect(stderr).toContain('was not written by Signalbox');
    }
    expect(readFileSync(unitOf(home), 'utf8')).toBe(before);
    expect(systemd.calls()).toEqual([]);
  });

  it("does not take the place of another data folder's service", async () => {
    const home = temporaryFolder();
    const systemd = standInForSystemd(home);
    systemd.leave();
    const at = (folder: string) => ({ home, env: { ...systemd.env, SIGNALBOX_HOME: join(home, folder) } });
    expect(await runCli(['service', 'install'], at('one'))).toMatchObject({ status: 0 });
    const before = readFileSync(unitOf(home), 'utf8');
    for (const command of ['install', 'uninstall']) {
      const { status, stderr } = await runCli(['service', command], at('two'));
      expect(status).toBe(1);
      expect(stderr).toContain('runs the hub of another data folder');
    }
    expect(readFileSync(unitOf(home), 'utf8')).toBe(before);
  });

  it('brings a service of an older program up to date, and starts it again', async () => {
    const home = temporaryFolder();
    const systemd = standInForSystemd(home);
    const run = (...args: string[]) => runCli(['service', ...args], { home, env: systemd.env });
    await run('install');
    const before = systemd.pid();
    const unit = readFileSync(unitOf(home), 'utf8');
    writeFileSync(unitOf(home), unit.replace('RestartSec=5', 'RestartSec=50'));
    expect((await run('status')).stdout).toContain('not as this version would write it');
    const { stdout } = await run('install');
    expect(stdout).toContain('Brought up to date');
    expect(readFileSync(unitOf(home), 'utf8')).toBe(unit);
    expect(systemd.pid()).not.toBe(before);
    expect(hubOf(home)?.pid).toBe(systemd.pid());
  });
});
