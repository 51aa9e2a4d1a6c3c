import { listenError } from '../../broker/listeners/listen-error.ts';
import { createBroker } from '../../broker/server.ts';
import { createTopics } from '../../protocol/topics.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { AgentFolders } from '../../runtime/config/agent-folders.ts';
import type { NotifySecrets } from '../../runtime/config/load.ts';
import type { Config } from '../../runtime/config/schema.ts';
import { createHasher, loadDigestKey } from '../../runtime/digest.ts';
import { removeHubFile, writeHubFile } from '../../runtime/hub-file.ts';
import { isMadeToken, loadHttpToken } from '../../runtime/http-token.ts';
import { lockHub } from '../../runtime/hub-lock-store.ts';
import type { Log } from '../../runtime/log.ts';
import { ensureFolder, type Paths } from '../../runtime/paths.ts';
import { ownIdentity } from '../../runtime/process-start.ts';
import { type Aggregator, createAggregator } from '../../services/aggregator/aggregator.ts';
import { HookIntake } from '../../services/aggregator/hook-intake.ts';
import { newHubId } from '../../services/aggregator/presence.ts';
import { SpoolIntake } from '../../services/aggregator/spool-intake.ts';
import { addSpoolLosses } from '../../services/aggregator/spool-losses.ts';
import type { Recovered } from '../../runtime/database/database-store.ts';
import { openStore, type Store } from '../../services/aggregator/store/hub-store.ts';
import type { HttpService } from '../../services/http/http-options.ts';
import { createMetrics } from '../../services/http/metrics.ts';
import { createHttpService } from '../../services/http/server.ts';
import type { Notifier } from '../../services/notifier/notifier.ts';
import type { Sources } from '../../services/sources/sources.ts';
import { Usage } from '../../services/usage/usage.ts';
import { Closers } from './closers.ts';
import { Door } from './door.ts';
import { connectHub, externalBroker, HOOKS_ONLY } from './hub-link.ts';
import { startNotifier } from './hub-notifier.ts';
import { startSources } from './hub-sources.ts';
import { ownHostsOf } from './own-hosts.ts';
import { adaptingOf, registryOf, tableOptionsOf } from './table-options.ts';

export interface HubOptions {
  readonly config: Config;
  readonly paths: Paths;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  /** The user's home folder. */
  readonly home: string;
  /** The agents' own folders; left out: nothing of this machine's agents is watched. */
  readonly folders?: AgentFolders;
  /** For the other broker. */
  readonly brokerPassword: string | undefined;
  /** That settings name; left out: the one in the data folder. */
  readonly httpToken?: string | undefined;
  /** For the ntfy server. */
  readonly notifySecrets?: NotifySecrets;
}

/** A running hub. */
export interface Hub {
  readonly mqtt: { readonly host: string; readonly port: number; readonly socket: string };
  readonly http: { readonly host: string; readonly port: number };
  /** Stops everything in order; always ends. */
  stop(): Promise<void>;
}

/**
 * Puts the hub together and starts it: lock, database, broker, link, aggregator, HTTP (design: broker and aggregator know nothing of each other, they are joined here).
 * What was started is stopped again when a later part fails.
 * @throws SignalboxError `hub_running`, `port_taken`, `prefix_taken`, `broker_unreachable`, `database_newer` and their kind
 */
export async function startHub(options: HubOptions): Promise<Hub> {
  const closers = new Closers(options.log);
  try {
    return await start(options, closers);
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

async function start(options: HubOptions, closers: Closers): Promise<Hub> {
  const { config, paths, clock, log, version, home, brokerPassword } = options;
  ensureFolder(paths.data);
  const lock = await lockHub(paths);
  closers.add('lock', () => lock.release());
  const hasher = createHasher(loadDigestKey(paths.digestKey));
  const registry = registryOf(config);
  const topics = createTopics(config.prefix);

  const store = openDatabase(options, (recovered) => aggregator?.recovered(recovered));
  closers.add('database', () => store.close());
  const hubId = hubIdOf(store);
  const external = externalBroker(config, brokerPassword);

  const door = new Door();
  const metrics = createMetrics();
  const made: { http?: HttpService } = {};
  // Closed after the broker: its MQTT over WebSocket has to hear of the end first, and then goes with it.
  closers.add('http', () => made.http?.stop());
  const broker = createBroker({
    hubId,
    topics,
    gate: ({ params, payload }) => door.gate(params['provider'] ?? '', payload),
    onReject: (code, { provider, params }) => door.reject(provider, code, params),
    listen: { host: config.broker.listen, port: config.broker.port },
    ...(config.broker.socket && { socketPath: paths.socket }),
    ...(external !== undefined && { identify: HOOKS_ONLY }),
    ownHosts: ownHostsOf(config),
    log: log.child({ component: 'broker' }),
  });
  const mqtt = await broker.start();
  closers.add('broker', () => broker.stop());

  const link = connectHub({
    topics,
    hubId,
    external,
    log,
    connect: (stream) => broker.connectStream(stream),
  });
  closers.add('link', () => link.close());
  await link.ready({ once: true });

  // The hub's health is told before they are started.
  const second: { sources?: Sources; notifier?: Notifier } = {};
  const aggregator: Aggregator | undefined = createAggregator({
    link,
    store,
    clock,
    log: log.child({ component: 'aggregator' }),
    adapting: adaptingOf(config, registry, hasher),
    table: tableOptionsOf(config, registry, hasher, home),
    presence: {
      hubId,
      version,
      host: config.host,
      features: [],
      nameOf: (slug) => registry.find(slug)?.name ?? slug,
      ...(external === undefined && { clients: () => broker.clients() }),
      sources: () => second.sources?.states() ?? [],
      notifier: () => second.notifier?.state(),
    },
    namesRequesters: external === undefined,
    phone: (provider, key) => second.notifier?.entriesOf(provider, key),
    historyDays: config.history.days,
    onPublished: metrics.published,
  });
  await aggregator.start();
  closers.add('aggregator', () => aggregator.stop());

  const usage = new Usage({
    ...{ link, clock, registry, reject: aggregator.reject },
    log: log.child({ component: 'usage' }),
  });
  closers.add('usage', () => usage.stop());
  await usage.start();

  const notifier = await startNotifier({
    ...options,
    secrets: options.notifySecrets ?? {},
    link,
    aggregator,
    registry,
    hubId,
    closers,
  });
  if (notifier !== undefined) second.notifier = notifier;

  if (external === undefined) await aggregator.announce();
  else {
    const intake = new HookIntake({
      broker: external,
      topics,
      hubId,
      accept: aggregator.accept,
      drained: aggregator.drained,
      log,
    });
    closers.add('hook intake', () => intake.stop());
    await intake.start();
    await aggregator.announce(() => intake.hears());
  }

  const spool = new SpoolIntake({
    folder: paths.spool,
    accept: aggregator.accept,
    questions: config.state.questions,
    drained: () => aggregator.drained(),
    lost: (count) => addSpoolLosses(store, count, clock.now()),
    clock,
    log: log.child({ component: 'spool' }),
  });
  closers.add('spool', () => spool.stop());
  await spool.start();

  if (options.folders !== undefined) {
    second.sources = await startSources({
      ...options,
      folders: options.folders,
      hasher,
      aggregator,
      closers,
    });
    aggregator.tellHealth();
  }

  const token = options.httpToken ?? loadHttpToken(paths.httpToken);
  const http = createHttpService({
    listen: { host: config.http.listen, port: config.http.port },
    ownHosts: ownHostsOf(config),
    token,
    random: options.httpToken === undefined && isMadeToken(token),
    accept: (provider, payload, how) => door.accept(provider, payload, how),
    view: aggregator.view,
    clients: () => broker.clients(),
    notifications: () => second.notifier?.state().counts,
    ...{ link, registry, metrics, version, clock },
    log: log.child({ component: 'http' }),
  });
  made.http = http;
  broker.attachHttp(http.server, http.admitUpgrade);
  const httpAt = await listenOrExplain(http.start(), config.http);

  door.open(aggregator);
  closers.add('door', () => door.close());

  const identity = await ownIdentity();
  const { pid, ...processOwn } = identity;
  const file = {
    pid,
    process: processOwn,
    started_at: clock.now(),
    hub_id: hubId,
    host: mqtt.host,
    mqtt_port: mqtt.port,
    http_port: httpAt.port,
    socket: mqtt.socketPath ?? '',
    version,
    ...(external !== undefined && { broker_url: external.url }),
    ...(config.prefix !== '' && { prefix: config.prefix }),
    ...(httpAt.host !== mqtt.host && { http_host: httpAt.host }),
  };
  writeHubFile(paths.hubFile, file);
  closers.add('hub file', () => removeHubFile(paths.hubFile, file));
  return {
    mqtt: { host: mqtt.host, port: mqtt.port, socket: file.socket },
    http: httpAt,
    stop: () => closers.closeAll(),
  };
}

function openDatabase(
  { config, paths, clock, log }: HubOptions,
  onRecovered: (recovered: Recovered) => void,
): Store {
  return openStore({
    path: paths.database,
    synchronous: config.database.synchronous,
    log: log.child({ component: 'database' }),
    now: () => clock.now(),
    onRecovered,
  });
}

/** Kept in the database, so that a hub is the same one after a restart. */
function hubIdOf(store: Store): string {
  const known = store.meta('hub_id');
  if (known !== undefined) return known;
  const made = newHubId();
  store.setMeta('hub_id', made);
  return made;
}

async function listenOrExplain<T>(listening: Promise<T>, { listen, port }: Config['http']): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    throw await listenError(error, { host: listen, port, flag: '--http-port' });
  }
}
