import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ensureFolder, resolvePaths } from '../../../runtime/paths.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('the folders of a platform', () => {
  it.each([
    ['linux', {}, '/home/me', '/home/me/.local/share/signalbox', '/home/me/.config/signalbox'],
    ['linux', { XDG_DATA_HOME: '/d', XDG_CONFIG_HOME: '/c' }, '/home/me', '/d/signalbox', '/c/signalbox'],
    [
      'linux',
      { XDG_DATA_HOME: 'relative', XDG_CONFIG_HOME: '' },
      '/home/me',
      '/home/me/.local/share/signalbox',
      '/home/me/.config/signalbox',
    ],
    ['freebsd', {}, '/home/me', '/home/me/.local/share/signalbox', '/home/me/.config/signalbox'],
    [
      'darwin',
      { XDG_DATA_HOME: '/d' },
      '/Users/me',
      '/Users/me/Library/Application Support/signalbox',
      '/Users/me/Library/Application Support/signalbox',
    ],
    [
      'win32',
      { APPDATA: 'C:\\R', LOCALAPPDATA: 'C:\\L' },
      'C:\\Users\\me',
      'C:\\L\\signalbox',
      'C:\\R\\signalbox',
    ],
    [
      'win32',
      {},
      'C:\\Users\\me',
      'C:\\Users\\me\\AppData\\Local\\signalbox',
      'C:\\Users\\me\\AppData\\Roaming\\signalbox',
    ],
  ] as const)('on %s with %o', (platform, env, home, data, config) => {
    const paths = resolvePaths({ platform, env, home });
    expect(paths).toMatchObject({ data, config });
    expect(paths.configFile).toMatch(/config\.toml$/);
  });

  it('are all moved by SIGNALBOX_HOME', () => {
    const env = { SIGNALBOX_HOME: '/tmp/box', XDG_DATA_HOME: '/d', XDG_CONFIG_HOME: '/c' };
    const paths = resolvePaths({ platform: 'linux', env, home: '/home/me' });
    expect(paths).toEqual({
      data: '/tmp/box',
      config: '/tmp/box',
      configFile: '/tmp/box/config.toml',
      database: '/tmp/box/signalbox.db',
      notifierDatabase: '/tmp/box/notifier.db',
      hubFile: '/tmp/box/hub.json',
      hubLock: '/tmp/box/hub.lock',
      socket: '/tmp/box/signalbox.sock',
      spool: '/tmp/box/spool',
      digestKey: '/tmp/box/digest.key',
      httpToken: '/tmp/box/http-token',
      logs: '/tmp/box/logs',
    });
  });

  it('give each data folder a pipe of its own on Windows', () => {
    const socketOf = (folder: string) =>
      resolvePaths({ platform: 'win32', env: { SIGNALBOX_HOME: folder }, home: 'C:\\Users\\me' }).socket;
    expect(socketOf('C:\\a')).toMatch(/^\\\\\.\\pipe\\signalbox-[0-9a-f]{16}$/);
    expect(socketOf('C:\\a')).toBe(socketOf('c:\\A'));
    expect(socketOf('C:\\a')).not.toBe(socketOf('C:\\b'));
  });
});

describe('a folder that is ensured', () => {
  const modeOf = (folder: string) => statSync(folder).mode & 0o777;

  it('is made with its parents, for this user alone', () => {
    const folder = join(temporaryFolder(), 'deep', 'data');
    ensureFolder(folder);
    expect(modeOf(folder)).toBe(0o700);
    ensureFolder(folder);
    expect(modeOf(folder)).toBe(0o700);
  });

  it('is closed when others could look into it', () => {
    const folder = join(temporaryFolder(), 'open');
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    ensureFolder(folder);
    expect(modeOf(folder)).toBe(0o700);
  });

  it.each([
    ['a file is in its place', ''],
    ['a part of the path is a file', 'below'],
  ])('is told to be unusable when %s', (reason, below) => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const folder = join(file, below);
    expect(() => ensureFolder(folder)).toThrow(
      expect.objectContaining({ code: 'folder_unusable', message: expect.stringContaining(reason) }),
    );
  });
});
