import { join } from 'node:path';
import { type ClaudeStatus, readClaudeSession } from '../../protocol/sources/claude-sessions.ts';
import { lookForProcesses } from '../../runtime/process-look.ts';
import { processScope } from '../../runtime/process-start.ts';
import { readOwnFile } from '../../runtime/read-own-file.ts';

/** What one look at a session file finds. */
export type Looked =
  /** Its client runs; `status` is left out while it says nothing yet. `local`: its process is one of ours to look at. */
  | { readonly kind: 'status'; readonly status: ClaudeStatus | undefined; readonly local: boolean }
  /** It isn't there. */
  | { readonly kind: 'missing' }
  /** Left behind by a client that was killed, or nothing that a client writes. */
  | { readonly kind: 'dead' }
  /** Half written. */
  | { readonly kind: 'half' }
  /** A client that runs has written what we don't know. */
  | { readonly kind: 'unknown'; readonly version: string };

/** A session file has some 700 bytes. */
const MOST_BYTES = 64 * 1024;

/** The process that a file is named after; `undefined` for the key files beside them, which hold secrets and are never opened. */
export function pidOfName(name: string): number | undefined {
  const pid = Number(/^([1-9]\d{0,9})\.json$/.exec(name)?.[1]);
  return Number.isSafeInteger(pid) && pid !== process.pid ? pid : undefined;
}

/** Looks at one session file. @throws the system's own error where the file is there and can't be read */
export async function lookAtSessionFile(folder: string, name: string, pid: number): Promise<Looked> {
  const read = readOwnFile(join(folder, name), MOST_BYTES);
  if (read === 'missing') return { kind: 'missing' };
  if (typeof read === 'string') return { kind: 'dead' };
  const file = parsed(read.text);
  const local = isLocal(file);
  if (local && !(await runs(pid, file))) return { kind: 'dead' };
  if (file === undefined) return { kind: 'half' };
  try {
    const status = readClaudeSession(file);
    return { kind: 'status', status: told(status, local, pid), local };
  } catch {
    const version = (file as Record<string, unknown> | null)?.['version'];
    return {
      kind: 'unknown',
      version: typeof version === 'string' && /^[\w.-]{1,32}$/.test(version) ? version : 'unknown',
    };
  }
}

/** In another container the id is somebody else's here. */
function told(status: ClaudeStatus | undefined, local: boolean, pid: number): ClaudeStatus | undefined {
  if (status === undefined) return undefined;
  const { pid: _, ...report } = status.report;
  return { ...status, report: local ? { ...report, pid } : report };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `pidDomain` ends with the client's process namespace, `pid:[4026531836]`. */
function isLocal(file: unknown): boolean {
  const namespace = /pid:\[\d+\]$/;
  const its = namespace.exec(textOf(file, 'pidDomain'))?.[0];
  return its === undefined || its === (namespace.exec(processScope())?.[0] ?? its);
}

/** `procStart` is the start time as proc(5) gives it, where there is such a thing. */
async function runs(pid: number, file: unknown): Promise<boolean> {
  const found = (await lookForProcesses([pid])).get(pid);
  if (found === 'gone') return false;
  const start = textOf(file, 'procStart');
  return (
    typeof found !== 'object' || !/^\d+$/.test(start) || !/^\d+$/.test(found.start) || found.start === start
  );
}

function textOf(file: unknown, field: string): string {
  const value =
    typeof file === 'object' && file !== null ? (file as Record<string, unknown>)[field] : undefined;
  return typeof value === 'string' ? value : '';
}
