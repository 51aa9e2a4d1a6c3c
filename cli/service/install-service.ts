import { dirname } from 'node:path';
import { type HubFile, hubAlive, readHubFile } from '../../runtime/hub-file.ts';
import { ensureFolder, type Paths } from '../../runtime/paths.ts';
import type { CommandContext } from '../context.ts';
import { commandOf } from '../own-command.ts';
import { shortPath } from '../terminal/short-path.ts';
import type { Manager } from './manager.ts';
import { ownState, removeService, writeService } from './service.ts';

/** Longest that a hub is waited for after its start [ms]. */
const START_WITHIN = 30_000;
/** Between two looks [ms]. */
const PAUSE = 100;

/** The hub that runs on a data folder, as far as can be told. */
export async function runningHub({ hubFile }: Paths): Promise<HubFile | undefined> {
  const file = readHubFile(hubFile);
  return file !== undefined && (await hubAlive(file)) !== 'gone' ? file : undefined;
}

/**
 * Writes the service's file, and has it started at login and now. A hub that runs already in a terminal goes on; the service takes its place at the next login.
 * @returns what to tell the user @throws SignalboxError `service_taken`, `service_refused`, `settings_unusable`, `folder_unusable`
 */
export async function installService(
  manager: Manager,
  paths: Paths,
  context: CommandContext,
): Promise<string> {
  const state = ownState(manager);
  if (manager.log !== undefined) ensureFolder(dirname(manager.log));
  if (state !== 'current') writeService(manager);
  const file = shortPath(manager.file, context.home);
  const written = {
    missing: `Written: ${file}\n`,
    outdated: `Brought up to date: ${file}\n`,
    current: '',
  }[state];
  if (!(await manager.isThere())) return `${written || `In place: ${file}\n`}${byHand(manager)}`;
  const runs = await manager.isRunning();
  if (state === 'current' && runs && (await manager.isEnabled()))
    return 'The service is in place and runs, nothing to do.\n';
  const other = runs ? undefined : await runningHub(paths);
  await manager.enable(other === undefined);
  const enabled = `${written}The hub starts when you log in.\n`;
  if (other !== undefined) {
    const later = manager.byHand.install.at(-1) ?? '';
    return `${enabled}A hub runs already (process ${other.pid}), so the service was not started beside it. To change over, stop that one and run: ${later}\n`;
  }
  const hub = await startedHub(manager, paths);
  return hub === undefined
    ? `${enabled}It was started and does not answer yet. Why: ${manager.look}, or ${commandOf(context.env)} doctor\n`
    : `${enabled}It runs now (process ${hub.pid}).\n`;
}

/**
 * Stops the service and takes its file away.
 * @returns what to tell the user @throws SignalboxError `service_taken`, `service_refused`, `settings_unusable`
 */
export async function uninstallService(manager: Manager, home: string): Promise<string> {
  if (ownState(manager) === 'missing') return 'No service is installed, nothing to do.\n';
  const isThere = await manager.isThere();
  if (isThere) await manager.disable();
  removeService(manager, home);
  if (isThere) await manager.forget();
  return `Removed: ${shortPath(manager.file, home)}\n`;
}

function byHand({ name, byHand: { install } }: Manager): string {
  const lines = install.map((line) => `  ${line}\n`).join('');
  return `${name} does not answer here for your user, so it was not started. Where it does, run:\n${lines}`;
}

/** Waits for the hub as long as its manager says that it runs. */
async function startedHub(manager: Manager, paths: Paths): Promise<HubFile | undefined> {
  for (const end = Date.now() + START_WITHIN; Date.now() < end; ) {
    const hub = await runningHub(paths);
    if (hub !== undefined) return hub;
    if (!(await manager.isRunning())) return undefined;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  return undefined;
}
