import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBroker } from '../../support/broker.ts';
import { connect } from '../../support/mqtt-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** A socket file whose process was killed before it could take it away. */
async function deadSocket(path: string): Promise<void> {
  const listen = `require('net').createServer().listen(${JSON.stringify(path)}, () => console.log('up'))`;
  const child = spawn(process.execPath, ['-e', listen], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('the Unix socket', () => {
  it('is only for its owner, whatever the umask', async () => {
    const umask = process.umask(0);
    onTestFinished(() => void process.umask(umask));
    const socketPath = join(temporaryFolder(), 'socket');
    await startBroker({ socketPath });
    expect(modeOf(socketPath)).toBe('600');
    expect(process.umask()).toBe(0);
  });

  it('serves MQTT with the rights of the own user', async () => {
    const socketPath = join(temporaryFolder(), 'socket');
    await startBroker({ socketPath });
    const client = await connect({ path: socketPath });
    expect(await client.subscribe('signalbox/response/+')).toEqual([1]);
    await client.publish('signalbox/request/sessions', '{}');
  });

  it('is gone after stop', async () => {
    const socketPath = join(temporaryFolder(), 'socket');
    const { broker } = await startBroker({ socketPath });
    await broker.stop();
    expect(existsSync(socketPath)).toBe(false);
  });

  it('takes the place of what a dead hub left behind', async () => {
    const socketPath = join(temporaryFolder(), 'socket');
    await deadSocket(socketPath);
    expect(existsSync(socketPath)).toBe(true);
    await startBroker({ socketPath });
    expect(modeOf(socketPath)).toBe('600');
    await connect({ path: socketPath });
  });

  it('leaves a living one alone and names its process', async () => {
    const folder = temporaryFolder();
    const socketPath = join(folder, 'socket');
    const living = createServer((socket) => void socket.on('error', () => undefined));
    onTestFinished(() => void living.close());
    living.listen(socketPath);
    await once(living, 'listening');
    await expect(startBroker({ socketPath })).rejects.toMatchObject({
      code: 'hub_running',
      message: expect.stringContaining(`process ${process.pid}, ${folder}`),
    });
    expect(existsSync(socketPath)).toBe(true);
  });

  it('leaves a file that is no socket alone', async () => {
    const socketPath = join(temporaryFolder(), 'socket');
    writeFileSync(socketPath, 'precious');
    await expect(startBroker({ socketPath })).rejects.toMatchObject({ code: 'folder_unusable' });
    expect(statSync(socketPath).size).toBe(8);
  });

  it('says so when its folder is not there', async () => {
    const socketPath = join(temporaryFolder(), 'missing', 'socket');
    await expect(startBroker({ socketPath })).rejects.toMatchObject({ code: 'folder_unusable' });
  });

  it('says so when its path is too long', async () => {
    const folder = join(temporaryFolder(), 'x'.repeat(100));
    mkdirSync(folder);
    await expect(startBroker({ socketPath: join(folder, 'socket') })).rejects.toMatchObject({
      code: 'socket_path_too_long',
      next: expect.stringContaining('SIGNALBOX_HOME'),
    });
  });
});
