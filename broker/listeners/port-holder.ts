import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

const LISTENING = '0A';
const LSOF_MS = 2_000;

export interface Holder {
  readonly name: string;
  readonly pid: number;
}

/** Finds the process that listens on a TCP port of this machine; `undefined` where the system doesn't say (another user's process, no `lsof`). */
export async function portHolder(port: number): Promise<Holder | undefined> {
  return (await fromProc(port)) ?? (await fromLsof(port));
}

/** Finds the process that listens on a Unix socket (Linux). */
export async function socketHolder(path: string): Promise<Holder | undefined> {
  const table = await readFile('/proc/net/unix', 'utf8').catch(() => '');
  const inodes = new Set<string>();
  for (const line of table.split('\n').slice(1)) {
    const fields = line.trim().split(/\s+/);
    if (fields.slice(7).join(' ') === path && fields[6] !== undefined) inodes.add(fields[6]);
  }
  return ownerOf(inodes);
}

async function fromProc(port: number): Promise<Holder | undefined> {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const inodes = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const text = await readFile(table, 'utf8').catch(() => '');
    for (const line of text.split('\n').slice(1)) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
      if (state === LISTENING && local?.endsWith(wanted) === true && inode !== undefined) inodes.add(inode);
    }
  }
  return ownerOf(inodes);
}

/** The process that has one of these sockets open. */
async function ownerOf(inodes: ReadonlySet<string>): Promise<Holder | undefined> {
  if (inodes.size === 0) return undefined;
  const processes = await readdir('/proc').catch(() => []);
  for (const pid of processes.filter((name) => /^\d+$/.test(name))) {
    const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
    for (const descriptor of descriptors) {
      const target = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '');
      const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
      if (inode !== undefined && inodes.has(inode)) {
        const name = (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim();
        return { name, pid: Number(pid) };
      }
    }
  }
  return undefined;
}

async function fromLsof(port: number): Promise<Holder | undefined> {
  const run = promisify(execFile);
  const answer = await run('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'], {
    timeout: LSOF_MS,
  }).catch(() => undefined);
  const pid = /^p(\d+)$/m.exec(answer?.stdout ?? '')?.[1];
  const name = /^c(.+)$/m.exec(answer?.stdout ?? '')?.[1];
  return pid === undefined ? undefined : { name: name ?? '', pid: Number(pid) };
}
