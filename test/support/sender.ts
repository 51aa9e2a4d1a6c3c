import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { CanonicalEvent } from '../../protocol/events.ts';
import { type HubFile, writeHubFile } from '../../runtime/hub-file.ts';
import { ownIdentity } from '../../runtime/process-start.ts';
import { PROGRAM } from './run-cli.ts';

/** The bundled sender. */
export const SENDER = fileURLToPath(new URL('../../dist/hooks/signalbox-hook.js', import.meta.url));

export interface SenderOptions {
  /** SIGNALBOX_HOME. */
  readonly home: string;
  /** What comes on stdin; it is /dev/null without. */
  readonly input?: string | Uint8Array | object;
  readonly env?: Readonly<Record<string, string>>;
  /** Run as `signalbox hook` instead of by its own file. */
  readonly byCommand?: boolean;
  /** Another sender than the built Node program: the command in front of the arguments. */
  readonly by?: readonly string[];
  /** A command in front, e.g. one that takes rights away. */
  readonly under?: readonly string[];
}

/** How a sender ended. */
export interface SenderEnding {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningSender {
  readonly stdin: Writable;
  readonly ended: Promise<SenderEnding>;
}

/** Every sender is to end like this. */
export const SILENT: SenderEnding = { status: 0, stdout: '', stderr: '' };

/** Runs the built sender to its end, as an agent would. */
export function runSender(args: readonly string[], options: SenderOptions): Promise<SenderEnding> {
  const { input } = options;
  const isText = typeof input === 'string' || input instanceof Uint8Array || input === undefined;
  // Before it starts: an agent has its JSON ready.
  const bytes = isText ? input : JSON.stringify(input);
  const sender = startSender(args, options);
  sender.stdin.end(bytes);
  return sender.ended;
}

/** Starts a sender whose stdin stays open; it is killed when the running test is over. */
export function startSender(args: readonly string[], options: SenderOptions): RunningSender {
  const { home, env = {}, byCommand = false, by, under = [] } = options;
  const program = by ?? [process.execPath, ...(byCommand ? [PROGRAM, 'hook'] : [SENDER])];
  const [command = '', ...rest] = [...under, ...program, ...args];
  const child: ChildProcess = spawn(command, rest, {
    env: { PATH: process.env['PATH'], HOME: home, SIGNALBOX_HOME: home, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const chunks: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
  child.stdout?.on('data', (chunk: Buffer) => chunks.stdout.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => chunks.stderr.push(chunk));
  // It may end before it has read everything.
  child.stdin?.on('error', () => undefined);
  const closed = once(child, 'close') as Promise<[number | null]>;
  onTestFinished(async () => {
    child.kill('SIGKILL');
    child.stdin?.destroy();
    await closed;
  });
  return {
    stdin: child.stdin as Writable,
    ended: closed.then(([status]) => ({
      status,
      stdout: Buffer.concat(chunks.stdout).toString(),
      stderr: Buffer.concat(chunks.stderr).toString(),
    })),
  };
}

/** The events in a data folder's spool, in order. */
export function spooled(home: string): CanonicalEvent[] {
  return spoolFiles(home)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(home, 'spool', name), 'utf8')) as CanonicalEvent);
}

/** Names of all files in a data folder's spool, sorted. */
export function spoolFiles(home: string): string[] {
  try {
    return readdirSync(join(home, 'spool')).sort();
  } catch {
    return [];
  }
}

/** Writes a hub.json of a hub that this process could be, with what differs. */
export async function writeTestHubFile(home: string, more: Partial<HubFile>): Promise<void> {
  const { pid, ...identity } = await ownIdentity();
  mkdirSync(home, { recursive: true });
  writeHubFile(join(home, 'hub.json'), {
    pid,
    process: identity,
    started_at: Date.now(),
    hub_id: 'test-hub',
    host: '127.0.0.1',
    mqtt_port: 0,
    http_port: 0,
    socket: '',
    version: '0.0.0',
    ...more,
  });
}

/** Puts a file into a data folder's spool, at once and as a whole. */
export function placeInSpool(home: string, name: string, content: string): void {
  mkdirSync(join(home, 'spool'), { recursive: true, mode: 0o700 });
  writeFileSync(join(home, 'placed'), content);
  renameSync(join(home, 'placed'), join(home, 'spool', name));
}
