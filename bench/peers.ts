import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { withHome } from './bench-hub.ts';

const MOSQUITTO = '/usr/sbin/mosquitto';

/** Runs `use` with Debian's Mosquitto, set for speed as our broker is: no store, no delay. @throws where it is not installed */
export async function withMosquitto<T>(use: (port: number) => Promise<T>): Promise<T> {
  if (!existsSync(MOSQUITTO)) throw new Error('Mosquitto is not installed; npm run bench:setup does that');
  return withHome(async (folder) => {
    const port = await freePort();
    const configuration = join(folder, 'mosquitto.conf');
    writeFileSync(
      configuration,
      [
        `listener ${port} 127.0.0.1`,
        'allow_anonymous true',
        'persistence false',
        'set_tcp_nodelay true',
        'max_inflight_messages 1000',
        'max_queued_messages 0',
        'log_dest none',
        '',
      ].join('\n'),
    );
    const child = spawn(MOSQUITTO, ['-c', configuration], { stdio: 'ignore' });
    return ending(child, async () => {
      while (!(await accepts(port))) {
        if (child.exitCode !== null) throw new Error(`Mosquitto ended with ${child.exitCode}`);
        await wait(10);
      }
      return use(port);
    });
  });
}

/** Runs `use` with Mosquitto and a relay in a process of its own that sends each `hook/claude` on as `signal/claude`: our two hops, with nothing done between them. */
export function withRelay<T>(use: (port: number) => Promise<T>): Promise<T> {
  return withMosquitto(async (port) => {
    const child = program('relay', String(port));
    return ending(child, async () => {
      await firstLine(child);
      return use(port);
    });
  });
}

/** Runs `use` with the broker that ours is built on, as it comes. */
export function withAedes<T>(use: (port: number) => Promise<T>): Promise<T> {
  const child = program('plain-aedes');
  return ending(child, async () => use(Number(await firstLine(child))));
}

function program(name: string, ...args: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url));
  return spawn(process.execPath, ['--import', 'tsx', path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function firstLine(child: ChildProcess): Promise<string> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`a peer ended with ${code}`);
  });
  const [line] = (await Promise.race([
    once(child.stdout as NonNullable<typeof child.stdout>, 'data'),
    ended,
  ])) as [Buffer];
  ended.catch(() => undefined);
  return line.toString().trim();
}

async function ending<T>(child: ChildProcess, use: () => Promise<T>): Promise<T> {
  const ended = once(child, 'exit').catch(() => undefined);
  try {
    return await use();
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
