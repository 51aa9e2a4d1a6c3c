import { chmodSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { SignalboxError } from '../protocol/errors.ts';

/** Where everything of one hub lies on this machine. */
export interface Paths {
  /** Folder of all state, mode 0700. */
  readonly data: string;
  /** Folder of the settings. */
  readonly config: string;
  readonly configFile: string;
  readonly database: string;
  /** What the notifier has told, and still has to. */
  readonly notifierDatabase: string;
  /** Tells senders and commands where the hub is. */
  readonly hubFile: string;
  /** Held by the running hub. */
  readonly hubLock: string;
  /** The Unix socket; on Windows a named pipe. */
  readonly socket: string;
  /** Folder of events that found no broker. */
  readonly spool: string;
  readonly digestKey: string;
  /** The token of the HTTP port, unless settings name another. */
  readonly httpToken: string;
  /** Folder of log files. */
  readonly logs: string;
}

export interface PathsInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The user's home folder. */
  readonly home: string;
}

const NAME = 'signalbox';

/**
 * The folders of this platform: XDG on Linux and other Unixes, `~/Library/Application Support` on macOS, `%APPDATA%` and `%LOCALAPPDATA%` on Windows.
 * `SIGNALBOX_HOME` moves all of it into one folder (spec: product, "Configuration").
 */
export function resolvePaths({ env, platform, home }: PathsInput): Paths {
  const { join, resolve } = platform === 'win32' ? path.win32 : path.posix;
  const moved = env['SIGNALBOX_HOME'] ?? '';
  const { data, config } =
    moved === ''
      ? platformFolders({ env, platform, home })
      : { data: resolve(moved), config: resolve(moved) };
  return {
    data,
    config,
    configFile: join(config, 'config.toml'),
    database: join(data, 'signalbox.db'),
    notifierDatabase: join(data, 'notifier.db'),
    hubFile: join(data, 'hub.json'),
    hubLock: join(data, 'hub.lock'),
    socket: platform === 'win32' ? pipeName(data) : join(data, 'signalbox.sock'),
    spool: join(data, 'spool'),
    digestKey: join(data, 'digest.key'),
    httpToken: join(data, 'http-token'),
    logs: join(data, 'logs'),
  };
}

function platformFolders({ env, platform, home }: PathsInput): { data: string; config: string } {
  if (platform === 'win32') {
    const { join, isAbsolute } = path.win32;
    const from = (name: string, otherwise: string) => {
      const value = env[name] ?? '';
      return join(isAbsolute(value) ? value : join(home, 'AppData', otherwise), NAME);
    };
    return { data: from('LOCALAPPDATA', 'Local'), config: from('APPDATA', 'Roaming') };
  }
  const { join, isAbsolute } = path.posix;
  if (platform === 'darwin') {
    const folder = join(home, 'Library', 'Application Support', NAME);
    return { data: folder, config: folder };
  }
  // XDG Base Directory Specification: a path that isn't absolute is to be ignored.
  const from = (name: string, otherwise: string) => {
    const value = env[name] ?? '';
    return join(isAbsolute(value) ? value : join(home, otherwise), NAME);
  };
  return { data: from('XDG_DATA_HOME', '.local/share'), config: from('XDG_CONFIG_HOME', '.config') };
}

/** Pipes have one name space for the whole machine, so the name is made from the folder. */
function pipeName(data: string): string {
  // Loaded where it is needed, which is on Windows alone: the hooks' sender would wait for it everywhere.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const digest = createHash('sha256').update(data.toLowerCase()).digest('hex').slice(0, 16);
  return `\\\\.\\pipe\\${NAME}-${digest}`;
}

/**
 * Makes a private folder (mode 0700) with its parents, or closes one that others could look into.
 * @throws SignalboxError `folder_unusable`
 */
export function ensureFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Windows has access lists of its own and shows a mode that means nothing.
    if (process.platform !== 'win32' && (statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
  } catch (error) {
    throw new SignalboxError(
      'folder_unusable',
      { path: folder, reason: folderReason(error) },
      { cause: error },
    );
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted, it belongs to somebody else',
  EEXIST: 'a file is in its place',
  ENOTDIR: 'a part of the path is a file',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EFBIG: 'no file may grow so large',
  ENOENT: 'it is not there',
  EDQUOT: 'your share of the disk is used up',
  EISDIR: 'a folder is in its place',
};

/** Why the system refuses a folder, in words that finish "can't be used: ...". */
export function folderReason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return REASONS[code] ?? (code === '' ? 'unknown' : code);
}
