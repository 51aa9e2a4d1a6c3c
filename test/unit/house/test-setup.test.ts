import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Outcome, ROOT, run } from '../../support/house-tree.ts';

/** apt-get, sudo, systemctl and id can't be run for real in a test: they stand here as scripts that write down how they were called. */
describe('test:setup', () => {
  let folder: string;
  let bin: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'signalbox-setup-'));
    bin = join(folder, 'bin');
    mkdirSync(bin);
    symlinkSync('/bin/sh', join(bin, 'sh'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const fake = (name: string, body: string): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  const recorded = (name: string, then = ''): void =>
    fake(name, `echo "${name} $*" >> ${folder}/calls\n${then}`);
  const calls = (): string[] => readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n');

  /** Runs the script as it is, but for the commands it looks for: none of the real ones may decide a test. */
  const setUp = (needed: string, ...only: string[]): Promise<Outcome> => {
    const script = readFileSync(join(ROOT, 'scripts/test-setup.sh'), 'utf8');
    writeFileSync(join(folder, 'setup.sh'), script.replace(/NEEDED='[^']*'/, `NEEDED='\n${needed}\n'`));
    return run(folder, join(bin, 'sh'), ['setup.sh', ...only], {
      PATH: bin,
      npm_lifecycle_event: 'some:setup',
    });
  };

  it('does nothing when all is there', async () => {
    fake('peer-one', '');
    expect(await setUp('peer-one package-one')).toEqual({ status: 0, output: '' });
  });

  it('installs as root what is missing, and that alone', async () => {
    fake('peer-one', '');
    fake('id', 'echo 0');
    recorded('apt-get');
    fake('env', 'shift; exec "$@"');
    const { status } = await setUp('peer-one package-one\nno-such-peer package-two');
    expect(status).toBe(0);
    expect(calls()).toEqual([
      'apt-get update -q',
      'apt-get install -q -y --no-install-recommends package-two',
    ]);
  });

  it('uses sudo when it is not root', async () => {
    fake('id', 'echo 1000');
    fake('apt-get', '');
    recorded('sudo');
    expect((await setUp('no-such-peer package-two')).status).toBe(0);
    expect(calls()).toEqual([
      'sudo apt-get update -q',
      'sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends package-two',
    ]);
  });

  it('says so when it may not install', async () => {
    fake('id', 'echo 1000');
    fake('apt-get', '');
    const { status, output } = await setUp('no-such-peer package-two');
    expect(status).toBe(1);
    expect(output).toContain('package-two');
    expect(output).toContain('root');
  });

  it('names the packages where there is no apt', async () => {
    const { status, output } = await setUp('no-such-peer package-two\nnor-this package-three');
    expect(status).toBe(1);
    expect(output).toMatch(/package-two package-three/);
  });

  it('looks only for the commands that are named, when some are', async () => {
    const needed = 'no-such-peer package-two\nnor-this package-three\nno-such package-four';
    const { status, output } = await setUp(needed, 'nor-this', 'unheard-of');
    expect(status).toBe(1);
    expect(output).toMatch(/^some:setup: missing.*: package-three$/m);
    expect(output).not.toMatch(/package-two|package-four/);
  });

  it('fails when apt does', async () => {
    fake('id', 'echo 0');
    fake('apt-get', 'exit 100');
    expect((await setUp('no-such-peer package-two')).status).not.toBe(0);
  });
});
