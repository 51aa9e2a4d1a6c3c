import { randomUUID } from 'node:crypto';
import type { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { Aedes } from 'aedes';
import { SignalboxError } from '../protocol/errors.ts';
import { isLoopback } from '../runtime/own-host.ts';
import { identifyLocal } from './access.ts';
import { createAdmission } from './admission.ts';
import { createAuthorization } from './authorization.ts';
import { type Connection, Connections, type Peer } from './connections.ts';
import { listenTcp } from './listeners/tcp.ts';
import { listenUnix } from './listeners/unix-socket.ts';
import { createWebSocketListener } from './listeners/websocket.ts';
import {
  type AdmitUpgrade,
  type Broker,
  type BrokerOptions,
  DEFAULT_LIMITS,
  type Limits,
  type ListenerKind,
  type Listening,
} from './options.ts';
import { guardStream } from './packet-guard.ts';
import { ParkedBytes } from '../runtime/parked-bytes.ts';
import { type BrokerPersistence, storeOnlyGranted } from './persistence/broker-persistence.ts';
import { MemoryPersistence } from './persistence/memory.ts';
import { Gatekeeper } from './publish-gate.ts';
import { createRefusals } from './refusals.ts';
import { createRights } from './rights.ts';
import { within } from './within.ts';

/** Aedes' words for a client that read nothing for `drainTimeout`. */
const DRAIN_TIMEOUT = 'drain timeout';

/** Creates the embedded MQTT 3.1.1 broker (spec: bus). It does nothing before `start()`. */
export function createBroker(options: BrokerOptions): Broker {
  const limits: Limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { topics, log } = options;
  const connections = new Connections();
  const persistence = (options.persistence ??
    new MemoryPersistence(limits.queuedMessages)) as BrokerPersistence;
  storeOnlyGranted(persistence, (client, filter) => connections.of(client)?.filters.has(filter) === true);
  const gatekeeper = new Gatekeeper(options.gate, persistence);
  const refusals = createRefusals(topics, options.onReject, log);
  const parked = new ParkedBytes<Duplex>(limits.parkedBytes, (stream) => {
    log.warn('Too much is waiting for the rest of its packets; the one that waited longest was cut off.');
    stream.destroy();
  });
  const payloadLimit = (topic: string): number =>
    topics.parse(topic)?.name === 'hook' ? limits.hookBytes : limits.packetBytes;
  const aedes = new Aedes({
    // A new name at every start: packets that an earlier run has queued are told apart by it.
    id: `${options.hubId}-${randomUUID()}`,
    persistence,
    // With a bound here one subscriber that stops reading stops every delivery.
    concurrency: 0,
    drainTimeout: limits.drainMs,
    connectTimeout: limits.connectMs,
    ...createAdmission({
      connections,
      identify: options.identify ?? identifyLocal,
      rightsOf: createRights(topics),
      refusals,
      limits,
      log,
    }),
    ...createAuthorization({ connections, gatekeeper, refusals, limits, log }),
  });
  const webSockets = createWebSocketListener({
    maxPayload: limits.hookBytes + limits.packetBytes,
    ...(options.ownHosts !== undefined && { ownHosts: options.ownHosts }),
    onPartial: (socket, bytes) => parked.set(socket, bytes),
    accept: (stream, request, bearer) => {
      request.socket.setNoDelay(true);
      adopt(stream, 'websocket', { remoteAddress: request.socket.remoteAddress, bearer });
    },
  });
  const servers: Server[] = [];
  let running = false;
  let full = false;
  watch();

  function adopt(stream: Duplex, listener: ListenerKind, peer: Peer = {}): void {
    // A socket may fail before Aedes listens for it.
    stream.on('error', () => stream.destroy());
    if (!running || !hasRoom(listener)) {
      stream.destroy();
      return;
    }
    const connection = connections.open(stream, listener, peer);
    stream.once('close', () => parked.set(stream, 0));
    connection.guard = guardStream(stream, {
      limits: { payload: payloadLimit, packet: limits.packetBytes },
      connected: () => connection.client?.connected === true,
      onPartial: (bytes) => parked.set(stream, bytes),
      onFault: (fault) => {
        if (fault.code === 'too_large') refusals.tooLarge(connection, fault.limit, fault.topic);
        else log.debug('A client sent what is not MQTT.', { client: connection.client?.id });
      },
    });
    connections.bind(connection, aedes.handle(stream));
  }

  function hasRoom(listener: ListenerKind): boolean {
    if (listener === 'inprocess') return true;
    const room = connections.outside < limits.connections;
    if (!room && !full) log.warn('No more clients are let in.', { count: connections.outside });
    full = !room;
    return room;
  }

  function watch(): void {
    // Aedes tells one end many times over, once for every message that was on its way.
    const told = new WeakSet<object>();
    const onClientError = (client: { id: string | null }, error: Error): void => {
      if (told.has(client)) return;
      told.add(client);
      // The message alone: the error may carry the packet.
      const fields = { client: client.id ?? '', reason: error.message };
      if (error.message === DRAIN_TIMEOUT) log.warn('A client that reads nothing was cut off.', fields);
      else log.debug('A client was cut off.', fields);
    };
    aedes.on('clientError', onClientError);
    aedes.on('connectionError', onClientError);
    aedes.on('unsubscribe', (filters, client) => {
      for (const filter of filters) connections.of(client)?.filters.delete(filter);
    });
    aedes.on(
      'error' as 'closed',
      ((error: unknown) =>
        log.error('The broker could not store or deliver a message.', { error })) as () => void,
    );
  }

  async function listen(): Promise<Listening> {
    const { host, port } = options.listen;
    const tcp = await listenTcp({ host, port }, (socket) =>
      adopt(socket, 'tcp', { remoteAddress: socket.remoteAddress }),
    );
    servers.push(tcp.server);
    const { socketPath } = options;
    if (socketPath === undefined) return { host, port: tcp.port };
    servers.push(await listenUnix(socketPath, (socket) => adopt(socket, 'socket')));
    return { host, port: tcp.port, socketPath };
  }

  async function close(): Promise<void> {
    const closing = servers.splice(0).map((server) => promisify(server.close.bind(server))());
    for (const { guard } of connections) guard?.halt();
    await within(limits.stopMs, gatekeeper.settled());
    await within(limits.stopMs, promisify(aedes.close.bind(aedes))());
    const gone = [...connections].map((connection) => destroyed(connection));
    await within(limits.stopMs, Promise.all([...closing, ...gone]));
  }

  return {
    async start() {
      if (!isLoopback(options.listen.host) && options.accounts !== true) {
        throw new SignalboxError('listen_needs_credentials', { host: options.listen.host });
      }
      await aedes.listen();
      running = true;
      try {
        const listening = await listen();
        log.info('The broker is listening.', { host: listening.host, port: listening.port });
        return listening;
      } catch (error) {
        running = false;
        await close();
        throw error;
      }
    },

    async stop() {
      webSockets.detach();
      if (!running) return;
      running = false;
      await close();
    },

    connectStream: (stream) => adopt(stream, 'inprocess'),
    attachHttp: (server: HttpServer, admit?: AdmitUpgrade) => webSockets.attach(server, admit),
    clients: () => aedes.connectedClients ?? 0,
  };
}

async function destroyed({ stream }: Connection): Promise<void> {
  if (stream.closed) return;
  const closed = new Promise<void>((resolve) => stream.once('close', resolve));
  stream.destroy();
  await closed;
}
