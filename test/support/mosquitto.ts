import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

/** A real Mosquitto of Debian's package on a free port of this machine. */
export interface Mosquitto {
  readonly port: number;
  readonly url: string;
  /** Ends it as the system would: with time to write its store. */
  stop(): Promise<void>;
  /** Starts it again on the same port, with the store it had when it is `persistent`. */
  start(): Promise<void>;
}

export interface MosquittoOptions {
  /** Keep retained messages and sessions over a restart. */
  readonly persistent?: boolean;
  /** Starts it in another way than with the plain configuration that is written otherwise; has to listen on this port of loopback. */
  readonly command?: (port: number, folder: string) => readonly [string, ...string[]];
}

const PROGRAM = '/usr/sbin/mosquitto';

/** Starts a Mosquitto that ends with the running test. */
export async function startMosquitto({
  persistent = false,
  command = plainly(persistent),
}: MosquittoOptions = {}): Promise<Mosquitto> {
  const folder = temporaryFolder();
  const port = await freePort();
  const [program, ...args] = command(port, folder);
  let running: ChildProcess | undefined;

  async function start(): Promise<void> {
    const child = spawn(program, args, { stdio: 'ignore' });
    running = child;
    await listening(port, child);
  }

  async function stop(): Promise<void> {
    const child = running;
    running = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }

  await start();
  onTestFinished(stop);
  return { port, url: `mqtt://127.0.0.1:${port}`, start, stop };
}

function plainly(persistent: boolean) {
  return (port: number, folder: string): readonly [string, ...string[]] => {
    const configuration = join(folder, 'mosquitto.conf');
    writeFileSync(
      configuration,
      [
        `listener ${port} 127.0.0.1`,
        'allow_anonymous true',
        // Else it changes to a user who can't write to the folder.
        ...(process.getuid?.() === 0 ? ['user root'] : []),
        `persistence ${persistent}`,
        `persistence_location ${folder}/`,
        'log_dest none',
        '',
      ].join('\n'),
    );
    return [PROGRAM, '-c', configuration];
  };
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

async function listening(port: number, child: ChildProcess): Promise<void> {
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  while (!(await accepts(port))) {
    if (failure !== undefined) throw failure;
    if (child.exitCode !== null) throw new Error(`${PROGRAM} ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
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
