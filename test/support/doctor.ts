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
}

const WEIGHT = { ok: 0, warning: 1, broken: 2 } as const;

/** Asks `signalbox doctor` as JSON. The data folder is as it was afterwards. */
export async function diagnose(options: CliOptions, args: readonly string[] = []): Promise<Diagnosis> {
  const before = folderState(options.home);
  const { status, stdout, stderr } = await runCli(['doctor', '--json', ...args], options);
  expect(folderState(options.home)).toEqual(before);
  expect(stderr).toBe('');
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Found[] };
  expect([ok, status]).toEqual(findings.some(({ level }) => level === 'broken') ? [false, 1] : [true, 0]);
  expect(findings.filter(({ level, mend }) => level === 'broken' && mend === undefined)).toEqual([]);
  return {
    status,
    findings,
    of: (check) =>
      findings.filter((each) => each.check === check).sort((a, b) => WEIGHT[b.level] - WEIGHT[a.level])[0],
    wrong: findings.filter(({ level }) => level !== 'ok').map(({ check, code }) => `${check} ${code}`),
  };
}

/** The same for people: it names every check, and the mend of each finding, within 80 columns. */
export async function diagnoseAsText(options: CliOptions, { status, findings }: Diagnosis): Promise<string> {
  const told = await runCli(['doctor'], options);
  expect([told.status, told.stderr]).toEqual([status, '']);
  const words = told.stdout.replace(/\s+/g, ' ');
  for (const { check, mend } of findings) {
    expect(words).toContain(` ${check} `);
    if (mend !== undefined) expect(words).toContain(`→ ${mend}`);
  }
  // A path has no place to be broken at.
  const wide = told.stdout.split('\n').filter((line) => stringWidth(line) > 80 && !line.includes('/'));
  expect(wide).toEqual([]);
  return told.stdout;
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
