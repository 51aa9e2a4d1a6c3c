import { join } from 'node:path';
import type { PublishGate } from '../../broker/options.ts';
import { encodePayload } from '../../protocol/messages/codec.ts';
import type { Payloads } from '../../protocol/messages/payloads.ts';
import type { SessionPayload } from '../../protocol/messages/session.ts';
import { emptySignal, type SignalPayload } from '../../protocol/messages/signal.ts';
import { TOPICS, type TopicName, type TopicParams } from '../../protocol/topics.ts';
import { resolvePaths } from '../../runtime/paths.ts';
import { writeHubFile } from '../../runtime/hub-file.ts';
import { ownIdentity } from '../../runtime/process-start.ts';
import { startBroker, type TestBroker } from './broker.ts';

/** The real broker with a data folder that names it, and a client that publishes what a hub publishes. */
export interface CliHub {
  readonly home: string;
  readonly bus: TestBroker;
  /** Publishes by the topic table; a payload as text goes out as it is, also one that no hub of ours would send. */
  publish<N extends TopicName>(name: N, params: TopicParams, payload: Payloads[N] | string): Promise<void>;
  /** All that a hub with these providers keeps retained. */
  announce(signals: Readonly<Record<string, SignalPayload>>, overall?: Overall): Promise<void>;
  stop(): Promise<void>;
}

export interface Overall {
  readonly lamp?: Payloads['lampAll'];
  readonly line?: string;
}

export interface CliHubOptions {
  readonly home: string;
  readonly socket?: boolean;
  readonly prefix?: string;
  readonly gate?: PublishGate;
}

export async function startCliHub({ home, socket = true, ...options }: CliHubOptions): Promise<CliHub> {
  const paths = resolvePaths({ env: { SIGNALBOX_HOME: home }, platform: process.platform, home });
  const bus = await startBroker({ ...options, ...(socket && { socketPath: paths.socket }) });
  const { pid, ...identity } = await ownIdentity();
  writeHubFile(join(home, 'hub.json'), {
    pid,
    process: identity,
    started_at: Date.now(),
    hub_id: 'test-hub',
    host: '127.0.0.1',
    mqtt_port: bus.port,
    http_port: 1,
    socket: socket ? paths.socket : '',
    version: '0.0.0',
    ...(options.prefix !== undefined && { prefix: options.prefix }),
  });
  const client = await bus.hub();

  async function publish<N extends TopicName>(
    name: N,
    params: TopicParams,
    payload: Payloads[N] | string,
  ): Promise<void> {
    const text = typeof payload === 'string' ? payload : encodePayload(name, payload);
    const { qos, retained } = TOPICS[name];
    await client.publish(bus.topics.build(name, params), text, { qos, retain: retained });
  }

  return {
    home,
    bus,
    publish,
    async announce(signals, { lamp = 'ready', line = 'Nobody waits' } = {}) {
      for (const [provider, signal] of Object.entries(signals)) await publish('signal', { provider }, signal);
      await publish('lampAll', {}, lamp);
      await publish('line', {}, line);
      await publish(
        'hubInfo',
        {},
        {
          v: 1,
          hub_id: 'test-hub',
          version: '0.0.0',
          host: 'studio',
          started_at: 1,
          providers: Object.entries(signals).map(([slug, { name }]) => ({ slug, name })),
          hosts: ['studio'],
          features: [],
        },
      );
      await publish('hubState', {}, 'online');
    },
    stop: () => bus.broker.stop(),
  };
}

/** A provider's signal with what differs from an idle one. */
export function signalOf(
  name: string,
  lamp: SignalPayload['lamp'] = 'ready',
  attention: Partial<SignalPayload['attention']> = {},
): SignalPayload {
  const empty = emptySignal(name);
  return { ...empty, lamp, attention: { ...empty.attention, ...attention } };
}

/** A provider that waits for a permission in these projects, since `ago` seconds. */
export function waiting(name: string, projects: readonly string[], ago = 125): SignalPayload {
  const since = Math.floor(Date.now() / 1000) - ago;
  return signalOf(name, 'permission', {
    state: 'needs_user',
    count: projects.length,
    primary_project: projects[0] ?? '',
    projects: projects.slice(0, 3),
    reason: 'permission_request',
    since,
    updated_at: since,
  });
}

/** A session with what differs from an idle one. */
export function sessionOf(key: string, more: Partial<SessionPayload> = {}): SessionPayload {
  return {
    v: 1,
    key,
    provider: 'claude',
    session_id: `id-${key}`,
    host: 'studio',
    project: 'web-shop',
    state: 'idle',
    reason: 'interrupted',
    lamp: 'ready',
    since: Math.floor(Date.now() / 1000) - 65,
    updated_at: Math.floor(Date.now() / 1000) - 65,
    attentions: [],
    background: 0,
    ...more,
  };
}
