import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SignalboxError } from '../protocol/errors.ts';
import type { Liveness, ProcessIdentity } from './process-start.ts';

/** hub.json: tells senders and commands where the hub of a data folder is (spec: bus, "Inside one process"). */
export interface HubFile {
  readonly pid: number;
  /** Unix ms. */
  readonly started_at: number;
  /** What tells the process apart from a later one with the same id. */
  readonly process: Omit<ProcessIdentity, 'pid'>;
  readonly hub_id: string;
  /** Where its ports are listened on, as clients on this machine reach them. */
  readonly host: string;
  readonly mqtt_port: number;
  readonly http_port: number;
  /** Where the HTTP port is listened on; left out where that is `host` too. */
  readonly http_host?: string;
  /** Path of the Unix socket; empty when there is none. */
  readonly socket: string;
  readonly version: string;
  /** The other broker that the hub uses, without a password; left out with the embedded one. */
  readonly broker_url?: string;
  /** Levels in front of all topics; left out where there are none. Senders learn it here, since they read no settings. */
  readonly prefix?: string;
}

/** Writes it for this user alone (0600), at once and as a whole. @throws SignalboxError `folder_unusable` */
export function writeHubFile(path: string, file: HubFile): void {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(draft, `${JSON.stringify(file, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new SignalboxError('folder_unusable', { path: dirname(path), reason }, { cause: error });
  }
}

/** The hub's file, or `undefined` when there is none that could be a hub's. */
export function readHubFile(path: string): HubFile | undefined {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
  return isHubFile(value) ? value : undefined;
}

/** Takes the file away, but only if it is still that process's: a successor's stays. */
export function removeHubFile(
  path: string,
  { pid, process: identity }: Pick<HubFile, 'pid' | 'process'>,
): void {
  const file = readHubFile(path);
  if (file?.pid === pid && file.process.start === identity.start) rmSync(path, { force: true });
}

/** Whether the hub that wrote the file still runs. */
export async function hubAlive({ pid, process: identity }: HubFile): Promise<Liveness> {
  // Asked for rarely, and it starts programs: the hooks' sender does without it most of the time.
  const { liveness } = await import('./process-start.ts');
  return liveness({ pid, ...identity });
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isPort = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65535;

/** By hand, without zod: the hooks' sender reads this file too and has to stay small. */
const FIELDS: Readonly<Record<keyof HubFile, (value: unknown) => boolean>> = {
  // 0 and negative ids mean whole groups of processes to kill(2).
  pid: (value) => Number.isSafeInteger(value) && (value as number) > 0,
  started_at: (value) => Number.isFinite(value),
  process: (value) => isRecord(value) && isText(value['start']) && isText(value['scope']),
  hub_id: isText,
  host: isText,
  mqtt_port: isPort,
  http_port: isPort,
  http_host: (value) => value === undefined || isText(value),
  socket: isText,
  version: isText,
  broker_url: (value) => value === undefined || isText(value),
  prefix: (value) => value === undefined || isText(value),
};

function isHubFile(value: unknown): value is HubFile {
  return isRecord(value) && Object.entries(FIELDS).every(([field, passes]) => passes(value[field]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
