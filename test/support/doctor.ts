import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { expect, onTestFinished } from 'vitest';
import type { Found } from '../../cli/doctor/check.ts';
import { type CliOptions, runCli } from './run-cli.ts';
import { writtenBytes } from './written-bytes.ts';

/** What `signalbox doctor` has said. */
export interface Diagnosis {
  readonly status: number | null;
  readonly findings: readonly Found[];
  /** The finding of a check that is worst. */
  of(check: string): Found | undefined;
  /** Those that are broken or warnings, as `check code`. */
  readonly wrong: readonly string[];
  /** For people, at 80 columns. */
  readonly text: string;
}

const WEIGHT = { ok: 0, warning: 1, broken: 2 } as const;

/** Asks `signalbox doctor`, as JSON and as text: both say the same, the text fits 80 columns, and the data folder is as it was. */
export async function diagnose(options: CliOptions, args: readonly string[] = []): Promise<Diagnosis> {
  const before = folderState(options.home);
  const asJson = await runCli(['doctor', '--json', ...args], options);
  const asText = await runCli(['doctor', ...args], options);
  expect(folderState(options.home)).toEqual(before);
  expect([asJson.stderr, asText.stderr]).toEqual(['', '']);
  expect(asText.status).toBe(asJson.status);
  const { ok, findings } = JSON.parse(asJson.stdout) as { ok: boolean; findings: Found[] };
  expect([ok, asJson.status]).toEqual(
    findings.some(({ level }) => level === 'broken') ? [false, 1] : [true, 0],
  );
  const words = asText.stdout.replace(/\s+/g, ' ');
  for (const { level, mend } of findings) {
    expect(level === 'broken' && mend === undefined).toBe(false);
    if (mend !== undefined) expect(words).toContain(`→ ${mend}`);
  }
  // A path has no place to be broken at.
  expect(asText.stdout.split('\n').filter((line) => stringWidth(line) > 80 && !line.includes('/'))).toEqual(
    [],
  );
  return {
    status: asJson.status,
    findings,
    text: asText.stdout,
    of: (check) =>
      findings.filter((each) => each.check === check).sort((a, b) => WEIGHT[b.level] - WEIGHT[a.level])[0],
    wrong: findings.filter(({ level }) => level !== 'ok').map(({ check, code }) => `${check} ${code}`),
  };
}

/** Names, bytes, modes and times of all files of a folder; what a running hub writes meanwhile is left out. */
function folderState(home: string): unknown {
  const hub = /signalbox\.db(?:-wal|-shm)?$/;
  return [...writtenBytes(home)].map(([path, bytes]) => {
    const { mode, mtimeMs } = statSync(path);
    return hub.test(path) && isBusy(home) ? [path, mode] : [path, mode, mtimeMs, bytes.toString('base64')];
  });
}

function isBusy(home: string): boolean {
  return statSync(join(home, 'hub.json'), { throwIfNoEntry: false }) !== undefined;
}

/** Something of somebody else that listens on a port. */
export async function foreignListener(): Promise<number> {
  const server = await listener();
  onTestFinished(() => void server.close());
  return portOf(server);
}

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = await listener();
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}

async function listener(): Promise<Server> {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
