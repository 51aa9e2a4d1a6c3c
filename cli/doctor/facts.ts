import { accessSync, constants, statSync } from 'node:fs';
import { SignalboxError } from '../../protocol/errors.ts';
import { createProviderRegistry } from '../../protocol/providers.ts';
import { systemClock } from '../../runtime/clock.ts';
import { loadConfig } from '../../runtime/config/load.ts';
import { folderReason, type Paths } from '../../runtime/paths.ts';
import { type Inspected, inspectDatabase } from '../../services/aggregator/store/inspect-store.ts';
import type { CommandContext } from '../context.ts';
import { flagSettings, type SettingOptions } from '../options.ts';
import { pathsFor, type Settings } from '../settings.ts';
import { type BusFacts, lookAtBus } from './facts/bus.ts';
import { type HubFacts, lookAtHub, tokenOf } from './facts/hub.ts';

/** What several checks go by, gathered once. */
export interface Facts {
  /** Unix ms. */
  readonly now: number;
  readonly context: CommandContext;
  readonly paths: Paths;
  /** The effective settings; the defaults where they can't be read. */
  readonly settings: Settings;
  /** Why they can't. */
  readonly settingsError: SignalboxError | undefined;
  readonly folder: FolderFacts;
  readonly hub: HubFacts;
  /** What can be seen of the bus; nothing where no hub runs that would carry it. */
  readonly bus: BusFacts | undefined;
  readonly database: Inspected;
}

/** The data folder. */
export type FolderFacts =
  | { readonly kind: 'missing' }
  | { readonly kind: 'unusable'; readonly reason: string }
  /** `reason`: why nothing can be written. */
  | { readonly kind: 'readable'; readonly reason: string }
  | { readonly kind: 'usable' };

/** Gathers the facts; asks the hub and the broker, 2 s each at most, and writes nothing. */
export async function gatherFacts(options: SettingOptions, context: CommandContext): Promise<Facts> {
  const paths = pathsFor(context, options);
  const { settings, error } = readSettings(options, context, paths);
  const folder = lookAtFolder(paths.data);
  const hub = await lookAtHub(paths.hubFile, tokenOf(settings));
  const clock = systemClock();
  const bus = await lookAtBus({ settings, hub, context, clock });
  const database: Inspected =
    folder.kind === 'missing' || folder.kind === 'unusable'
      ? { kind: 'missing' }
      : inspectDatabase(paths.database, hub.kind === 'running' || hub.kind === 'silent');
  return { now: clock.now(), context, paths, settings, settingsError: error, folder, hub, bus, database };
}

/** Settings that are wrong stop no other check: those of the environment alone are tried, then the defaults. */
function readSettings(
  options: SettingOptions,
  { env }: CommandContext,
  paths: Paths,
): { settings: Settings; error: SignalboxError | undefined } {
  const flags = flagSettings(options);
  const tries = [
    { file: paths.configFile, env, flags },
    { file: '', env, flags },
    { file: '', env },
  ];
  let error: SignalboxError | undefined;
  for (const input of tries) {
    try {
      const loaded = loadConfig(input);
      const added = Object.entries(loaded.config.providers).map(([slug, { name }]) => ({ slug, name }));
      return { settings: { ...loaded, paths, registry: createProviderRegistry(added) }, error };
    } catch (thrown) {
      if (!(thrown instanceof SignalboxError)) throw thrown;
      error ??= thrown;
    }
  }
  // Defaults are never wrong.
  const loaded = loadConfig({ file: '', env: {} });
  return { settings: { ...loaded, paths, registry: createProviderRegistry([]) }, error };
}

function lookAtFolder(path: string): FolderFacts {
  try {
    if (!statSync(path).isDirectory()) return { kind: 'unusable', reason: 'a file is in its place' };
    accessSync(path, constants.R_OK | constants.X_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { kind: 'missing' };
    return { kind: 'unusable', reason: folderReason(error) };
  }
  try {
    accessSync(path, constants.W_OK);
    return { kind: 'usable' };
  } catch (error) {
    return { kind: 'readable', reason: folderReason(error) };
  }
}
