import { accessSync, constants, readdirSync, type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { folderReason, type Paths } from '../../../runtime/paths.ts';
import { broken, type Check, type Finding, ok, warning } from '../check.ts';

/** What others may do with a file (the last two digits of its mode): nothing. */
const OTHERS = 0o077;

/** Data folder 0700, files and socket 0600 (spec: quality, section 2), and each of them writable for the hub. */
export const modesCheck: Check = {
  name: 'modes',
  run({ paths, folder, context: { platform } }) {
    // Windows has access lists of its own and shows a mode that means nothing.
    if (platform === 'win32' || folder.kind === 'missing' || folder.kind === 'unusable') return [];
    const found = ours(paths).flatMap((path) => lookAt(path));
    const problems = [...open(found), ...(folder.kind === 'usable' ? unwritable(found) : [])];
    return problems.length > 0 ? problems : [ok('nobody else may look into it')];
  },
};

function ours(paths: Paths): string[] {
  const installed = join(paths.data, 'installed');
  const { data, database, notifierDatabase, hubFile, hubLock, socket, spool, digestKey, httpToken, logs } =
    paths;
  return [
    ...[data, spool, logs],
    ...[database, notifierDatabase].flatMap((file) => [file, `${file}-wal`, `${file}-shm`]),
    ...[hubFile, hubLock, socket, digestKey, httpToken],
    // What uninstalling gives back: settings of others may hold secrets.
    ...[installed, ...list(installed)],
  ];
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    // It is not there, or is told of itself.
    return [];
  }
}

interface Entry {
  readonly path: string;
  readonly stats: Stats;
}

function lookAt(path: string): Entry[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? [] : [{ path, stats }];
}

/** One finding for all: whoever mends one mends the others too. */
function open(found: readonly Entry[]): Finding[] {
  const folders = found.filter(({ stats }) => isOpen(stats) && stats.isDirectory());
  const files = found.filter(({ stats }) => isOpen(stats) && !stats.isDirectory());
  if (folders.length + files.length === 0) return [];
  const named = [...folders, ...files].map(({ path, stats }) => `${basename(path)} (${modeOf(stats)})`);
  const mend = [...commands('700', folders), ...commands('600', files)].join('; ');
  const message = `Other users may look into or write to ${named.join(', ')}.`;
  return [warning('open_modes', message, mend)];
}

function commands(mode: string, entries: readonly Entry[]): string[] {
  if (entries.length === 0) return [];
  return [`chmod ${mode} ${entries.map(({ path }) => quoted(path)).join(' ')}`];
}

function unwritable(found: readonly Entry[]): Finding[] {
  return found
    .filter(({ stats }) => !stats.isSocket())
    .flatMap(({ path }) => {
      try {
        accessSync(path, constants.W_OK);
        return [];
      } catch (error) {
        const message = `Nothing can be written to ${path}: ${folderReason(error)}.`;
        return [broken('file_unwritable', message, 'Check its owner and mode.')];
      }
    });
}

function isOpen({ mode }: Stats): boolean {
  return (mode & OTHERS) !== 0;
}

function modeOf({ mode }: Stats): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}

/** As a shell takes it. */
function quoted(path: string): string {
  return /^[\w/.@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
