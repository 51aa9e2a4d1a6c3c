import { lstatSync, readlinkSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { removeEmpty, writeSettings } from '../../hooks/installers/settings-file.ts';
import { SignalboxError } from '../../protocol/errors.ts';
import type { Paths } from '../../runtime/paths.ts';
import { readOwnFile } from '../../runtime/read-own-file.ts';
import type { CommandContext } from '../context.ts';
import { ownProgram } from '../own-command.ts';
import { launchd } from './launchd.ts';
import { type Manager, SERVICE_LOG } from './manager.ts';
import { folderVariables, MARK } from './service-file.ts';
import { systemd } from './systemd.ts';

/** Far more than a file of ours has [bytes]. */
const MOST = 64 * 1024;

/**
 * What stands where the service's file belongs. `current` and `outdated` are ours; `elsewhere` is ours and runs the hub of another data folder; `foreign` is somebody else's, or a link.
 */
export type ServiceState = 'missing' | 'current' | 'outdated' | 'elsewhere' | 'foreign';

/** The service manager of this platform, with the file that this program would give it; undefined where there is none that we know. */
export function managerHere(context: CommandContext, paths: Paths): Manager | undefined {
  const parts = {
    words: [...ownProgram(), 'up'],
    variables: folderVariables(context, paths),
    log: join(paths.logs, SERVICE_LOG),
  };
  if (context.platform === 'linux') return systemd(context, parts);
  return context.platform === 'darwin' ? launchd(context, parts) : undefined;
}

/** @throws SignalboxError `settings_unusable` */
export function serviceState({ file, text, folders }: Manager): ServiceState {
  const found = readOwnFile(file, MOST);
  if (found === 'missing') return 'missing';
  if (found === 'unfit') return 'foreign';
  if (found === 'refused')
    throw new SignalboxError('settings_unusable', { path: file, reason: 'permission denied' });
  if (!found.text.includes(MARK)) return 'foreign';
  if (folders(found.text) !== folders(text)) return 'elsewhere';
  return found.text === text ? 'current' : 'outdated';
}

/** The same, for who is about to change it. @throws SignalboxError `service_taken`, `settings_unusable` */
export function ownState(manager: Manager): 'missing' | 'current' | 'outdated' {
  const state = serviceState(manager);
  if (state !== 'foreign' && state !== 'elsewhere') return state;
  const reason = state === 'foreign' ? 'was not written by Signalbox' : 'runs the hub of another data folder';
  throw new SignalboxError('service_taken', { path: manager.file, reason });
}

/** @throws SignalboxError `settings_unusable` */
export function writeService({ file, text }: Manager): void {
  writeSettings(file, text);
}

/** Takes the file away, with what its manager made for it and with the folders that are left empty. */
export function removeService({ file, links }: Manager, home: string): void {
  for (const link of links) {
    if (pointsTo(link, file)) rmSync(link);
    // The folder too, where its manager has taken the link out and left that.
    removeEmpty(dirname(link), home);
  }
  rmSync(file, { force: true });
  removeEmpty(dirname(file), home);
}

function pointsTo(link: string, file: string): boolean {
  const isLink = lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink && resolve(dirname(link), readlinkSync(link)) === file;
}
