import { lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PLACES } from '../../hooks/installers/agents.ts';
import { removeEmpty } from '../../hooks/installers/settings-file.ts';
import { SignalboxError } from '../../protocol/errors.ts';
import { folderReason, type Paths } from '../../runtime/paths.ts';
import { isSpooled } from '../../runtime/spool.ts';
import { SERVICE_LOG } from '../service/manager.ts';

/** What several writers put beside a file until it is whole. */
const DRAFT = /(?:\.\d+)?(?:\.[0-9a-f]+)?$/;

const RECORDS = new Set(PLACES.map((agent) => `${'record' in agent ? agent.record : agent.provider}.json`));

/** The files that Signalbox makes in its folder, by name. A part that keeps another file has its row here. */
const FILES: readonly RegExp[] = [
  /^(?:signalbox|notifier)\.db(?:-(?:wal|shm|journal))?$/,
  /^(?:signalbox|notifier)\.db\.(?:before|damaged)-[\w.-]+$/,
  /^hub\.json(?:\.\d+\.[0-9a-f]+)?$/,
  /^hub\.lock(?:-journal)?$/,
  /^signalbox\.sock$/,
  /^digest\.key(?:\.[\w.-]+)?$/,
  /^http-token(?:\.[\w.-]+)?$/,
  /^config\.toml(?:\.\d+\.[0-9a-f]+)?$/,
];

/** The same in the folders below it. */
const BELOW: Readonly<Record<string, (name: string) => boolean>> = {
  spool: (name) => isSpooled(name) || /^draft-\d{16}-[0-9a-z]+$|^dropped(?:\.taken)?$/.test(name),
  installed: (name) => RECORDS.has(name.replace(DRAFT, '')) || RECORDS.has(name),
  bin: (name) => /^signalbox-(?:hook(?:\.cjs)?|node)(?:\.\d+)?$/.test(name),
  logs: (name) => name === SERVICE_LOG,
};

export interface Removal {
  readonly paths: Pick<Paths, 'data' | 'config'>;
  /** The user's home folder. */
  readonly home: string;
  /** SIGNALBOX_HOME names the folder: somebody may keep more in it. */
  readonly moved: boolean;
}

/**
 * Deletes data and settings. A folder of the platform's bears our name and goes as a whole. From one that SIGNALBOX_HOME names goes what we have made, by name. Behind a link nothing is deleted.
 * @returns what stays, and why, a sentence each @throws SignalboxError `folder_unusable`
 */
export function removeData({ paths, home, moved }: Removal): readonly string[] {
  return [...new Set([paths.data, paths.config])].flatMap((folder) => {
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found === undefined) return [];
    if (found.isSymbolicLink()) return [`${folder} is a link, so what is behind it stays.`];
    if (!found.isDirectory()) return [`${folder} is no folder, so it stays.`];
    try {
      if (!moved) rmSync(folder, { recursive: true });
      else removeOwn(folder, home);
    } catch (error) {
      const params = { path: folder, reason: folderReason(error) };
      throw new SignalboxError('folder_unusable', params, { cause: error });
    }
    removeEmpty(dirname(folder), home);
    const left = namesIn(folder);
    return left.length === 0
      ? []
      : [`${folder} stays: Signalbox did not make what else is in it (${shortened(left)}).`];
  });
}

function removeOwn(folder: string, home: string): void {
  for (const [name, isOurs] of Object.entries(BELOW)) {
    const below = join(folder, name);
    if (lstatSync(below, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
    for (const each of namesIn(below)) if (isOurs(each)) rmSync(join(below, each), { force: true });
    if (namesIn(below).length === 0) rmdirSync(below);
  }
  for (const name of namesIn(folder))
    if (FILES.some((form) => form.test(name)) && !isFolder(join(folder, name))) rmSync(join(folder, name));
  if (namesIn(folder).length === 0 && folder !== home) rmdirSync(folder);
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function shortened(names: readonly string[]): string {
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
}
