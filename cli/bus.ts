import { SignalboxError } from '../protocol/errors.ts';
import { createTopics } from '../protocol/topics.ts';
import { DEFAULT_ORIGIN } from '../runtime/config/origin.ts';
import { type HubFile, readHubFile } from '../runtime/hub-file.ts';
import { connectLink, type Link, type LinkOptions } from '../runtime/link.ts';
import type { Log } from '../runtime/log.ts';
import type { CommandContext } from './context.ts';
import { HubDoor } from './hub-door.ts';
import type { Settings } from './settings.ts';

/** Longest that a command waits for a hub [ms]. */
const ANSWER_WITHIN = 2_000;
/** A hub that restarts is to be seen again soon, and on this machine asking costs nothing. */
const RECONNECT = { baseMs: 100, capMs: 2_000 };

/** A command's connection to the bus. */
export interface Bus {
  readonly link: Link;
  /** Where it is, for people. */
  readonly where: () => string;
  /** Waits for the broker's answer, 2 s at most. @throws SignalboxError `no_hub` */
  ready(): Promise<void>;
}

/**
 * Connects a command to the bus: to the broker that settings name, else to where hub.json of the data folder says that the hub is, by its Unix socket when it has one. Returns at once;
 * the connection comes back by itself, also to a hub that has started again at another port.
 */
export async function openBus(settings: Settings, context: CommandContext): Promise<Bus> {
  const { config, paths, brokerPassword } = settings;
  const hub = config.broker.url === '' ? readHubFile(paths.hubFile) : undefined;
  const common = {
    topics: createTopics(prefixOf(settings, hub)),
    log: await logFor(settings, context),
    connectTimeoutMs: ANSWER_WITHIN,
    reconnect: RECONNECT,
    closeTimeoutMs: 1_000,
  };
  const url = config.broker.url === '' ? hub?.broker_url : config.broker.url;
  if (url === undefined) return throughHubFile(new HubDoor(paths.hubFile), common);
  const { username } = config.broker;
  const password = brokerPassword();
  const link = connectLink({
    ...common,
    url,
    ...(username !== '' && { username }),
    ...(password !== undefined && { password }),
  });
  return bus(
    link,
    () => `the broker at ${url}`,
    (reason) => reason,
  );
}

/** The hub may have been started with a prefix of its own; what the user says of it here goes first. */
function prefixOf({ config, origins }: Settings, hub: HubFile | undefined): string {
  const isSet = (origins.get('prefix') ?? DEFAULT_ORIGIN) !== DEFAULT_ORIGIN;
  return isSet ? config.prefix : (hub?.prefix ?? config.prefix);
}

function throughHubFile(door: HubDoor, common: Omit<LinkOptions, 'url' | 'stream'>): Bus {
  const link = connectLink({ ...common, stream: () => door.open() });
  return bus(
    link,
    () => door.where,
    (reason) => door.problem ?? reason,
  );
}

function bus(link: Link, where: () => string, why: (reason: string) => string): Bus {
  return {
    link,
    where,
    async ready() {
      try {
        await link.ready({ withinMs: ANSWER_WITHIN, once: true });
      } catch (error) {
        const reason = why(reasonOf(error));
        throw new SignalboxError('no_hub', { detail: `${where()}: ${reason}` }, { cause: error });
      }
    },
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof SignalboxError) return String(error.params['reason'] ?? error.message);
  return error instanceof Error ? error.message : String(error);
}

/** A command says nothing of its connection unless somebody looks for a fault. */
export async function logFor({ config }: Settings, { env, stderr }: CommandContext): Promise<Log> {
  if (env['SIGNALBOX_LOG_LEVEL'] !== 'debug') return silent;
  const { createLog } = await import('../runtime/log.ts');
  return createLog({ level: 'debug', format: config.log.format, stream: stderr });
}

const nothing = (): void => undefined;
const silent: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => silent };
