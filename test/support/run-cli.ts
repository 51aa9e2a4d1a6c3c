import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { until } from './until.ts';

/** The built command line. */
export const PROGRAM = fileURLToPath(new URL('../../dist/bin/main.js', import.meta.url));

export interface CliOptions {
  /** SIGNALBOX_HOME. */
  readonly home: string;
  /** More variables; nothing of this process's own environment goes in but PATH. */
  readonly env?: Readonly<Record<string, string>>;
  /** A command in front, e.g. one that takes rights away. */
  readonly under?: readonly string[];
  /** It can be written to by `type`; else there is nothing to read. */
  readonly stdin?: true;
}

/** How a command ended. */
export interface CliResult {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs. */
export interface RunningCli {
  readonly pid: number;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Whole lines of stdout so far. */
  readonly lines: () => string[];
  /** Waits until the output is as it should be. Fails when the command ends before. */
  waitFor(condition: (lines: readonly string[]) => boolean): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Writes to its stdin; without a text, closes it. */
  type(text?: string): void;
  /** Closes our end of its stdout: the reader has gone. */
  stopReading(): void;
  ended(): Promise<CliResult>;
}

export function cliEnvironment({ home, env = {} }: CliOptions): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: home, SIGNALBOX_HOME: home, TZ: 'UTC', ...env };
}

/** Starts `signalbox ARGS` as a process of its own, without a terminal; it is killed when the running test is over. */
export function startCli(args: readonly string[], options: CliOptions): RunningCli {
  const [command = '', ...rest] = [...(options.under ?? []), process.execPath, PROGRAM, ...args];
  const child = spawn(command, rest, {
    cwd: options.home,
    env: cliEnvironment(options),
    stdio: [options.stdin ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  }) as ChildProcessByStdio<Writable | null, Readable, Readable>;
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  // It may have ended.
  child.stdin?.on('error', () => undefined);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    child.stdout.destroy();
    await closed;
  });
  const lines = (): string[] => stdout.split('\n').slice(0, -1);
  return {
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    lines,
    async waitFor(condition) {
      await until(() => {
        if (condition(lines())) return true;
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`it ended (${child.exitCode ?? child.signalCode})\n${stdout}\n${stderr}`);
        return false;
      });
    },
    kill: (signal) => void child.kill(signal),
    type: (text) => void (text === undefined ? child.stdin?.end() : child.stdin?.write(text)),
    stopReading: () => void child.stdout.destroy(),
    async ended() {
      const [status, signal] = await closed;
      return { status, signal, stdout, stderr };
    },
  };
}

/** Runs `signalbox ARGS` to its end. */
export function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  return startCli(args, options).ended();
}
