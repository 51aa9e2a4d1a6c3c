import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type HubFile,
  hubAlive,
  readHubFile,
  removeHubFile,
  writeHubFile,
} from '../../../runtime/hub-file.ts';
import { lockHub } from '../../../runtime/hub-lock-store.ts';
import { resolvePaths } from '../../../runtime/paths.ts';
import { ownIdentity } from '../../../runtime/process-start.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startChildren } from './start-children.ts';

async function ownFile(): Promise<HubFile> {
  const { pid, ...identity } = await ownIdentity();
  return {
    pid,
    started_at: 1_779_820_000_000,
    process: identity,
    hub_id: 'a1b2',
    host: '127.0.0.1',
    mqtt_port: 1883,
    http_port: 4787,
    socket: '/tmp/signalbox.sock',
    version: '0.1.0',
  };
}

describe('hub.json', () => {
  it('is read as it was written, by this user alone, and leaves nothing else behind', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'hub.json');
    const file = await ownFile();
    writeHubFile(path, { ...file, mqtt_port: 1 });
    writeHubFile(path, file);
    expect(readHubFile(path)).toEqual(file);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['hub.json']);
  });

  it('is none when it is missing, broken or not a hub’s', async () => {
    const path = join(temporaryFolder(), 'hub.json');
    expect(readHubFile(path)).toBeUndefined();
    const file = await ownFile();
    const broken = [
      '',
      '{',
      'null',
      '[]',
      JSON.stringify({ ...file, pid: 0 }),
      JSON.stringify({ ...file, pid: -1 }),
      JSON.stringify({ ...file, pid: '1' }),
      JSON.stringify({ ...file, mqtt_port: 70_000 }),
      JSON.stringify({ ...file, process: { start: 1 } }),
      JSON.stringify({ ...file, socket: undefined }),
    ];
    const read = broken.map((text) => {
      writeFileSync(path, text);
      return readHubFile(path);
    });
    expect(read).toEqual(broken.map(() => undefined));
  });

  it('is removed by the hub it names, and not by an older one', async () => {
    const path = join(temporaryFolder(), 'hub.json');
    const file = await ownFile();
    writeHubFile(path, file);
    removeHubFile(path, { pid: file.pid + 1, process: file.process });
    removeHubFile(path, { pid: file.pid, process: { ...file.process, start: 'before' } });
    expect(readHubFile(path)).toEqual(file);
    removeHubFile(path, file);
    removeHubFile(path, file);
    expect(readHubFile(path)).toBeUndefined();
  });

  it('says so when it can not be written', async () => {
    const path = join(temporaryFolder(), 'missing', 'hub.json');
    const file = await ownFile();
    expect(() => writeHubFile(path, file)).toThrow(expect.objectContaining({ code: 'folder_unusable' }));
  });
});

describe('the hub of a file', () => {
  it('is alive as long as that very process runs', async () => {
    const file = await ownFile();
    expect(await hubAlive(file)).toBe('alive');
  });

  it('is gone when its process is', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    expect(await hubAlive({ ...(await ownFile()), pid: child.pid ?? 0 })).toBe('gone');
  });

  it('is gone when another process has its id', async () => {
    const file = await ownFile();
    expect(await hubAlive({ ...file, process: { ...file.process, start: '1' } })).toBe('gone');
  });

  it('is unknown when its process is of another machine, boot or container', async () => {
    const file = await ownFile();
    expect(await hubAlive({ ...file, process: { ...file.process, scope: 'elsewhere' } })).toBe('unknown');
  });

  it('is unknown when nobody noted its start', async () => {
    const file = await ownFile();
    expect(await hubAlive({ ...file, process: { ...file.process, start: '' } })).toBe('unknown');
  });
});

describe('a data folder', () => {
  const pathsOf = (home: string) =>
    resolvePaths({ platform: process.platform, env: { SIGNALBOX_HOME: home }, home: '/nonexistent' });

  it('belongs to one hub at a time, and is free again when that gives it back', async () => {
    const paths = pathsOf(join(temporaryFolder(), 'data'));
    const lock = await lockHub(paths);
    const file = await ownFile();
    writeHubFile(paths.hubFile, file);
    await expect(lockHub(paths)).rejects.toMatchObject({
      code: 'hub_running',
      message: expect.stringMatching(
        new RegExp(
          `already \\(process ${file.pid}, ${paths.data}, since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d, MQTT port ${file.mqtt_port}, HTTP port ${file.http_port}\\)\\.$`,
        ),
      ),
    });
    lock.release();
    lock.release();
    (await lockHub(paths)).release();
    expect(statSync(paths.hubLock).mode & 0o777).toBe(0o600);
  });

  it('goes to exactly one of several that start at the same moment, and to the next after kill -9', {
    timeout: 120_000,
  }, async () => {
    const paths = pathsOf(temporaryFolder());
    const children = await startChildren('hub-lock', paths.data, 4);
    for (const child of children) child.go();
    const outcomes = await Promise.all(children.map((child) => child.line()));
    expect(outcomes.filter((outcome) => outcome === 'locked')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome.startsWith('hub_running'))).toHaveLength(3);
    await children[outcomes.indexOf('locked')]?.kill();
    const lock = await lockHub(paths);
    onTestFinished(() => lock.release());
  });

  it('names no dead hub as its holder', async () => {
    const paths = pathsOf(temporaryFolder());
    const lock = await lockHub(paths);
    onTestFinished(() => lock.release());
    const file = await ownFile();
    writeHubFile(paths.hubFile, { ...file, process: { ...file.process, start: '1' } });
    await expect(lockHub(paths)).rejects.toMatchObject({
      message: expect.stringContaining('process still starting'),
    });
  });

  it('says so when it can not be used', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    await expect(lockHub(pathsOf(join(file, 'data')))).rejects.toMatchObject({ code: 'folder_unusable' });
  });
});
