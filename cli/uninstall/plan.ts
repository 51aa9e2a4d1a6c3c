import { existsSync, lstatSync, readFileSync } from 'node:fs';
import type { Agent } from '../../hooks/installers/agent-hooks.ts';
import { PLACES } from '../../hooks/installers/agents.ts';
import { enabledPlugins } from '../../hooks/installers/claude-places.ts';
import type { Change } from '../../hooks/installers/installer.ts';
import type { HubFile } from '../../runtime/hub-file.ts';
import { readHubFile } from '../../runtime/hub-file.ts';
import { inspectDatabase } from '../../services/aggregator/store/inspect-store.ts';
import type { CommandContext } from '../context.ts';
import { type Installing, installingOn } from '../hooks/installing.ts';
import { runningHub } from '../service/install-service.ts';
import type { Manager } from '../service/manager.ts';
import { managerHere, type ServiceState, serviceState } from '../service/service.ts';
import type { Settings } from '../settings.ts';
import type { OtherBroker } from './clear-broker.ts';

/** What of ours is on this machine. Nothing has happened yet. */
export interface Plan {
  readonly installing: Installing;
  readonly changes: readonly { readonly change: Change; readonly hooks: number }[];
  /** Agents whose file may hold hooks of ours and can't be understood, and why. */
  readonly unreadable: readonly { readonly agent: Agent; readonly error: unknown }[];
  /** Names of our plugin in Claude Code, which only Claude itself takes out. */
  readonly plugins: readonly string[];
  readonly service: { readonly manager: Manager; readonly state: ServiceState } | undefined;
  readonly hub: HubFile | undefined;
  readonly broker: OtherBroker | undefined;
  readonly hasSender: boolean;
  /** The folders of data and settings that are there. */
  readonly folders: readonly string[];
}

/** Looks at everything, and changes nothing. @throws SignalboxError `settings_unusable`, those of the broker's password */
export async function planUninstall(settings: Settings, context: CommandContext): Promise<Plan> {
  const { paths } = settings;
  const installing = installingOn(context, settings);
  const manager = managerHere(context, paths);
  const hub = await runningHub(paths);
  return {
    installing,
    ...hooksOf(installing),
    plugins: enabledPlugins(installing.machine, context.cwd),
    service: manager && { manager, state: serviceState(manager) },
    hub,
    broker: brokerOf(settings, hub),
    hasSender: isThere(installing.sender.path),
    folders: [...new Set([paths.data, paths.config])].filter(isThere),
  };
}

function hooksOf({ installer, machine }: Installing): Pick<Plan, 'changes' | 'unreadable'> {
  const changes: { change: Change; hooks: number }[] = [];
  const unreadable: { agent: Agent; error: unknown }[] = [];
  for (const agent of PLACES) {
    try {
      const hooks = installer.installed(agent).length;
      if (hooks > 0) changes.push({ change: installer.planUninstall(agent), hooks });
    } catch (error) {
      // Somebody else's mistake in a file that we are not in is not ours to tell.
      if (mayHoldOurs(agent.file(machine))) unreadable.push({ agent, error });
    }
  }
  return { changes, unreadable };
}

function mayHoldOurs(path: string): boolean {
  try {
    return readFileSync(path, 'latin1').includes('signalbox-hook');
  } catch {
    return existsSync(path);
  }
}

/** The broker that carries the bus, unless it is the hub's own, whose messages go with it. */
function brokerOf(
  { config, paths, brokerPassword }: Settings,
  hub: HubFile | undefined,
): OtherBroker | undefined {
  const isSet = config.broker.url !== '';
  const url = isSet ? config.broker.url : hub?.broker_url;
  if (url === undefined) return undefined;
  const password = brokerPassword();
  const { username } = config.broker;
  return {
    url,
    prefix: hub?.prefix ?? config.prefix,
    hubId: hub?.hub_id ?? readHubFile(paths.hubFile)?.hub_id ?? knownHubId(paths.database, hub !== undefined),
    ...(username !== '' && { username }),
    ...(password !== undefined && { password }),
  };
}

function knownHubId(database: string, inUse: boolean): string | undefined {
  const found = inspectDatabase(database, inUse);
  return found.kind === 'sound' ? found.meta.get('hub_id') : undefined;
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
