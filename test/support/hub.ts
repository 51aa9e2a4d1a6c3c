import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type HubFile, readHubFile } from '../../runtime/hub-file.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Takes root's right to ignore file modes away, so that what is closed to a user is closed to the program too. */
export const AS_USER: readonly string[] =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'] : [];

const PROGRAM = fileURLToPath(new URL('../../dist/bin/main.js', import.meta.url));

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A hub as the real program in a process of its own. */
export interface HubProcess extends HubFile {
  /** Its data folder. */
  readonly home: string;
  /** Of the HTTP port, without a slash at the end. */
  readonly url: string;
  /** What it has printed so far, on both outputs. */
  output(): string;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Ending>;
  /** Resident memory [bytes], as the system counts it. */
  memory(): number;
}

export interface HubOptions {
  /** Data folder; a new one when left out. */
  readonly home?: string;
  /** More or other variables of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments behind `up`. */
  readonly args?: readonly string[];
  /** A command in front, e.g. one that sets limits. */
  readonly under?: readonly string[];
}

/** Starts the built program and waits until it says where it listens. It is killed when the running test is over. */
export async function startHub(options: HubOptions = {}): Promise<HubProcess> {
  const { home = temporaryFolder() } = options;
  const running = run(home, options);
  const { child } = running;
  let file: HubFile | undefined;
  for (;;) {
    file = readHubFile(join(home, 'hub.json'));
    if (file?.pid === child.pid) break;
    if (hasEnded(child)) throw new Error(`the hub ended at its start:\n${running.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return {
    ...(file as HubFile),
    home,
    url: `http://127.0.0.1:${file?.http_port}`,
    output: running.output,
    end: (signal) => {
      child.kill(signal);
      return running.ended;
    },
    memory: () =>
      Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024,
  };
}

/** Runs the built program where it is to give up by itself. */
export async function runHub(options: HubOptions = {}): Promise<Ending & { readonly output: string }> {
  const running = run(options.home ?? temporaryFolder(), options);
  return { ...(await running.ended), output: running.output() };
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ending>;
  output(): string;
}

function run(home: string, { env = {}, args = [], under = [] }: HubOptions): Running {
  const [command = '', ...rest] = [...under, process.execPath, PROGRAM, 'up', ...args];
  const child = spawn(command, rest, {
    cwd: home,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      NO_COLOR: '1',
      SIGNALBOX_HOME: home,
      SIGNALBOX_HOST: 'studio',
      SIGNALBOX_BROKER_PORT: '0',
      SIGNALBOX_HTTP_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = once(child, 'close').then(([code, signal]): Ending => ({ code, signal }));
  // A process that could not be started at all tells it by `error`.
  ended.catch(() => undefined);
  onTestFinished(async () => {
    if (!hasEnded(child)) child.kill('SIGKILL');
    await ended.catch(() => undefined);
  });
  return { child, ended, output: () => Buffer.concat(chunks).toString() };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
