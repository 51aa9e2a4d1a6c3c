import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SenderFiles, type SenderSource } from '../../../hooks/installers/sender-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SOURCE: SenderSource = { script: '#!/bin/sh\necho one\n', program: '1;\n', node: process.execPath };

describe("the sender's files", () => {
  it('are put there once, private but for who runs them, and found current', () => {
    const home = join(temporaryFolder(), 'data');
    const umask = process.umask(0o077);
    onTestFinished(() => void process.umask(umask));
    const files = new SenderFiles(home, 'linux');
    expect(files.state(SOURCE)).toBe('missing');
    expect([files.install(SOURCE), files.install(SOURCE)]).toEqual([true, false]);
    expect([files.path, files.state(SOURCE)]).toEqual([join(home, 'bin', 'signalbox-hook'), 'current']);
    expect(statSync(files.path).mode & 0o777).toBe(0o755);
    expect(statSync(join(home, 'bin')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(home, 'bin')).sort()).toEqual([
      'signalbox-hook',
      'signalbox-hook.cjs',
      'signalbox-node',
    ]);
    expect(execFileSync(files.path).toString()).toBe('one\n');
  });

  it.each([
    ['a new script', { script: '#!/bin/sh\necho two\n' }],
    ['a new program', { program: '2;\n' }],
    ['another Node', { node: '/opt/node/bin/node' }],
  ])('are outdated by %s, and brought up to date', (_name, more) => {
    const files = new SenderFiles(temporaryFolder(), 'linux');
    files.install(SOURCE);
    const next = { ...SOURCE, ...more };
    expect(files.state(next)).toBe('outdated');
    expect(files.install(next)).toBe(true);
    expect(files.state(next)).toBe('current');
  });

  it('that somebody has changed or taken a part of are outdated, and mended', () => {
    const home = temporaryFolder();
    const files = new SenderFiles(home, 'linux');
    const harm: readonly (() => void)[] = [
      () => writeFileSync(files.path, '#!/bin/sh\nexit 1\n'),
      () => rmSync(join(home, 'bin', 'signalbox-hook.cjs')),
      () => rmSync(join(home, 'bin', 'signalbox-node')),
      () => execFileSync('chmod', ['a-x', files.path]),
    ];
    for (const doHarm of harm) {
      files.install(SOURCE);
      doHarm();
      expect(files.state(SOURCE)).toBe('outdated');
    }
    files.install(SOURCE);
    expect(files.state(SOURCE)).toBe('current');
  });

  it('are taken away, and nothing else with them', () => {
    const home = temporaryFolder();
    const files = new SenderFiles(home, 'linux');
    files.install(SOURCE);
    writeFileSync(join(home, 'bin', 'mine'), '');
    expect([files.uninstall(), files.uninstall(), files.state(SOURCE)]).toEqual([true, false, 'missing']);
    expect(readdirSync(join(home, 'bin'))).toEqual(['mine']);
  });

  it('that can not be written are an error that names the folder, and leave nothing half', () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'bin', 'signalbox-hook'), { recursive: true });
    const files = new SenderFiles(home, 'linux');
    expect(() => files.install(SOURCE)).toThrow(expect.objectContaining({ code: 'folder_unusable' }));
    expect(readdirSync(join(home, 'bin')).filter((name) => /\.\d+$/.test(name))).toEqual([]);
  });
});
