import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { promisify } from 'node:util';

/** A process, told apart from later ones with the same id. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the system's own notation: to be compared, not read. */
  readonly start: string;
  /** Where the id means something: this boot and process namespace, or this machine. */
  readonly scope: string;
}

/** `unknown`: it can't be told from here. */
export type Liveness = 'alive' | 'gone' | 'unknown';

/** This process, as others can recognise it. */
export async function ownIdentity(): Promise<ProcessIdentity> {
  const start = await processStart(process.pid);
  return {
    pid: process.pid,
    start: start === 'unknown' || start === 'gone' ? '' : start.at,
    scope: processScope(),
  };
}

/** Whether that very process still runs: not merely one with its id. */
export async function liveness({ pid, start, scope: itsScope }: ProcessIdentity): Promise<Liveness> {
  if (itsScope !== processScope()) return 'unknown';
  const found = await processStart(pid);
  if (found === 'gone' || found === 'unknown') return found;
  if (start === '') return 'unknown';
  return found.at === start ? 'alive' : 'gone';
}

type Start = { readonly at: string } | 'gone' | 'unknown';

async function processStart(pid: number): Promise<Start> {
  if (!exists(pid)) return 'gone';
  if (process.platform === 'linux') return linuxStart(pid);
  return process.platform === 'win32' ? 'unknown' : psStart(pid);
}

/** Signal 0 only asks; EPERM means that it is there and somebody else's. */
export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** proc(5): the second field is the program's name in parentheses, which may hold anything; the start time is field 22, the state field 3. */
function linuxStart(pid: number): Start {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return exists(pid) ? 'unknown' : 'gone';
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has ended; only its parent hasn't looked.
  if (fields[0] === 'Z' || fields[0] === 'X') return 'gone';
  const ticks = fields[19];
  return ticks === undefined ? 'unknown' : { at: ticks };
}

async function psStart(pid: number): Promise<Start> {
  const at = (await psStarts([pid]))?.get(pid);
  if (at !== undefined) return { at };
  return exists(pid) ? 'unknown' : 'gone';
}

/** When processes started, by one call of `ps`; those that are gone are left out. `undefined`: `ps` can't tell. */
export async function psStarts(pids: readonly number[]): Promise<ReadonlyMap<number, string> | undefined> {
  try {
    // POSIX leaves the notation to the locale, so that is fixed.
    const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=,lstart=', '-p', pids.join(',')], {
      env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' },
      timeout: 2000,
    });
    const lines = stdout.split('\n').map((line) => /^\s*(\d+)\s+(.*\S)/.exec(line));
    return new Map(lines.flatMap((line) => (line === null ? [] : [[Number(line[1]), line[2] as string]])));
  } catch {
    return undefined;
  }
}

let scope: string | undefined;

/** Where the ids of this process's surroundings mean something: this boot and process namespace, or this machine. */
export function processScope(): string {
  scope ??= findScope();
  return scope;
}

function findScope(): string {
  const boot = read('/proc/sys/kernel/random/boot_id')?.trim();
  return boot === undefined ? hostname() : `${boot} ${namespace()}`;
}

function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
