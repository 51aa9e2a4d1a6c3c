import { once } from 'node:events';
import { lstat, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { SignalboxError } from '../../protocol/errors.ts';
import { socketHolder } from './port-holder.ts';

/** `sun_path` without its last NUL: unix(7) on Linux, unix(4) on macOS and the BSDs. */
const LONGEST_PATH = process.platform === 'linux' ? 107 : 103;

/** Read and write for the owner, nothing for anybody else. */
const OWNER_ONLY = 0o177;

/**
 * Listens on a Unix socket that only the hub's own user may open (mode 0600 from its first moment). What a dead hub left behind is removed.
 * @throws {SignalboxError} `socket_path_too_long`, `hub_running` (somebody listens there), `folder_unusable`
 */
export async function listenUnix(path: string, accept: (socket: Socket) => void): Promise<Server> {
  if (Buffer.byteLength(path) > LONGEST_PATH) throw new SignalboxError('socket_path_too_long', { path });
  await removeStale(path);
  const server = createServer(accept);
  // The mode comes with bind(2), which Node calls before `listen` returns: chmod afterwards would leave a moment in which others can connect.
  const umask = process.umask(OWNER_ONLY);
  try {
    server.listen(path);
  } finally {
    process.umask(umask);
  }
  try {
    await once(server, 'listening');
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') throw await running(path);
    throw unusable(path, error);
  }
  return server;
}

async function removeStale(path: string): Promise<void> {
  const found = await lstat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unusable(path, error);
  });
  if (found === undefined) return;
  if (!found.isSocket()) throw new SignalboxError('folder_unusable', { path, reason: 'not a socket' });
  if (await isAlive(path)) throw await running(path);
  await rm(path, { force: true }).catch((error: unknown) => {
    throw unusable(path, error);
  });
}

/** Only a socket that nobody listens on refuses a connection; any other answer may come from a living hub. */
async function isAlive(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    return codeOf(error) !== 'ECONNREFUSED' && codeOf(error) !== 'ENOENT';
  } finally {
    socket.destroy();
  }
}

async function running(path: string): Promise<SignalboxError> {
  const holder = await socketHolder(path);
  return new SignalboxError('hub_running', {
    pid: holder?.pid ?? 'unknown',
    folder: dirname(path),
    details: '',
  });
}

function unusable(path: string, error: unknown): SignalboxError {
  return new SignalboxError(
    'folder_unusable',
    { path: dirname(path), reason: codeOf(error) ?? 'unknown' },
    { cause: error },
  );
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}
