import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { KnownProcess } from '../protocol/session.ts';
import { exists, processScope, psStarts } from './process-start.ts';

/** A process that runs. */
interface FoundProcess extends KnownProcess {
  /** Unix ms, to a second or two; left out where the system doesn't say. */
  readonly startedAt?: number;
}

/** `unknown`: it can't be told from here. */
export type Found = FoundProcess | 'gone' | 'unknown';

/** proc(5): times are in 1/100 s, whatever the kernel counts in. */
const TICK_MS = 10;

/** Looks for processes, all at once: a file each on Linux, one `ps` elsewhere. On Windows only their end can be told. */
export async function lookForProcesses(pids: readonly number[]): Promise<ReadonlyMap<number, Found>> {
  if (process.platform === 'linux') return new Map(pids.map((pid) => [pid, lookOnLinux(pid)]));
  const running = pids.filter(exists);
  const starts =
    process.platform === 'win32' || running.length === 0
      ? new Map<number, string>()
      : await psStarts(running);
  return new Map(
    pids.map((pid): [number, Found] => {
      const start = starts?.get(pid);
      if (!exists(pid)) return [pid, 'gone'];
      return [pid, start === undefined ? 'unknown' : { pid, start, scope: processScope() }];
    }),
  );
}

/** The same at once, where that costs next to nothing; elsewhere `undefined`: it has to be asked for. */
export function lookAtOnce(pid: number): Found | undefined {
  return process.platform === 'linux' ? lookOnLinux(pid) : undefined;
}

/** What a former look has found: does that very process still run? */
export function stillRuns(known: KnownProcess, found: Found): boolean | undefined {
  const scope = processScope();
  if (known.scope !== scope) {
    // No process outlives a restart of the machine; a name that was changed is none.
    return known.scope.includes(' ') && known.scope.split(' ')[0] !== scope.split(' ')[0] ? false : undefined;
  }
  if (found === 'unknown') return undefined;
  return found !== 'gone' && found.start === known.start;
}

/** Shells and the like that an agent runs its hooks through: they end with the hook. */
const BETWEEN: ReadonlySet<string> = new Set([
  ...['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'fish', 'busybox'],
  ...['env', 'timeout', 'setsid', 'nice', 'xargs', 'signalbox-hook'],
]);

/** The agent that a hook's sender was started by: its parent, or what has started the shells in between. `undefined` where that can't be told. */
export function agentAbove(ppid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  let pid = ppid;
  for (let up = 0; up < 5 && pid > 1; up += 1) {
    const stat = readStat(pid);
    if (stat === undefined) return undefined;
    if (!BETWEEN.has(stat.name)) return pid;
    pid = stat.parent;
  }
  return undefined;
}

/** The words that a process was started with; none where that can't be told. */
export function argumentsOf(pid: number): readonly string[] {
  if (process.platform !== 'linux') return [];
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  } catch {
    return [];
  }
}

function lookOnLinux(pid: number): Found {
  const stat = readStat(pid);
  if (stat === undefined) return exists(pid) ? 'unknown' : 'gone';
  // A zombie has ended; only its parent hasn't looked.
  if (stat.state === 'Z' || stat.state === 'X') return 'gone';
  const ago = uptime() * 1000 - Number(stat.start) * TICK_MS;
  return { pid, start: stat.start, scope: processScope(), startedAt: Date.now() - ago };
}

/** proc(5): the second field is the program's name in parentheses, which may hold anything. */
function readStat(
  pid: number,
):
  | { readonly name: string; readonly state: string; readonly parent: number; readonly start: string }
  | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  const end = text.lastIndexOf(')');
  const name = text.slice(text.indexOf('(') + 1, end);
  const fields = text.slice(end + 2).split(' ');
  const [state, parent] = fields;
  const start = fields[19];
  return state === undefined || start === undefined
    ? undefined
    : { name, state, parent: Number(parent), start };
}
