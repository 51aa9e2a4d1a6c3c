import type { AedesPublishPacket, Client, PublishPacket, Subscription } from 'aedes';
import type { Log } from '../runtime/log.ts';
import type { Connection, Connections } from './connections.ts';
import type { Limits } from './options.ts';
import type { Gatekeeper } from './publish-gate.ts';
import type { Refusals } from './refusals.ts';
import { stampRequest } from './request-stamp.ts';

export interface AuthorizationOptions {
  readonly connections: Connections;
  readonly gatekeeper: Gatekeeper;
  readonly refusals: Refusals;
  readonly limits: Limits;
  readonly log: Log;
}

/** Aedes' three hooks that ask about single messages. None of them ever throws: that would end the process. */
export interface Authorization {
  authorizePublish(client: Client | null, packet: PublishPacket, done: (error?: Error | null) => void): void;
  authorizeSubscribe(
    client: Client,
    subscription: Subscription,
    done: (error: Error | null, granted?: Subscription | null) => void,
  ): void;
  authorizeForward(client: Client, packet: AedesPublishPacket): AedesPublishPacket | null;
}

export function createAuthorization(options: AuthorizationOptions): Authorization {
  const { connections, gatekeeper, refusals, limits, log } = options;

  function publish(
    connection: Connection | undefined,
    client: Client,
    packet: PublishPacket,
    done: (error?: Error | null) => void,
  ): void {
    const verdict = connection?.rights?.publish(packet.topic);
    // Fails closed: who isn't authenticated has no rights.
    if (connection === undefined || verdict === undefined) {
      done(new Error('not authenticated'));
      return;
    }
    if (!verdict.allowed) {
      refusals.notAllowed(connection, client.id, connection.identity, packet.topic);
      connection.replies.fail(connection.replies.take(), () => done(new Error('not allowed')));
      return;
    }
    if (!verdict.retainable) packet.retain = false;
    if (verdict.request) stampRequest(connection, packet);
    // A client that is closed publishes its will, and a will on a hook topic was refused at CONNECT.
    if (verdict.hook !== undefined && !client.closed) {
      gatekeeper.pass(connection, client, packet, verdict.hook, done);
    } else {
      inTurn(connection, () => done(null));
    }
  }

  return {
    authorizePublish(client, packet, done) {
      // Without a client it is the stored will of an earlier run, which was looked at when that client connected.
      if (client === null) {
        done(null);
        return;
      }
      try {
        publish(connections.of(client), client, packet, done);
      } catch (error) {
        log.error('A publish could not be judged; it was refused.', { client: client.id, error });
        done(new Error('not allowed'));
      }
    },

    authorizeSubscribe(client, subscription, done) {
      try {
        const connection = connections.of(client);
        const granted = connection !== undefined && maySubscribe(connection, subscription.topic, limits);
        if (granted) connection.filters.add(subscription.topic);
        // `null` is answered with return code 0x80 [MQTT-3.9.3-2].
        done(null, granted ? subscription : null);
      } catch (error) {
        log.error('A subscription could not be judged; it was refused.', { client: client.id, error });
        done(null, null);
      }
    },

    authorizeForward(client, packet) {
      try {
        const connection = connections.of(client);
        if (connection?.rights?.receive(packet.topic) !== true) return null;
        if (connection.stream.writableLength <= limits.unsentBytes) return packet;
        if (!connection.stream.destroyed) {
          const bytes = connection.stream.writableLength;
          log.warn('A client that reads too slowly was cut off.', { client: client.id, bytes });
          connection.stream.destroy();
        }
        // `null` would take the message out of a persistent session, which is to have it when it comes back.
        return client.clean ? null : packet;
      } catch (error) {
        log.error('A delivery could not be judged; it was left out.', { client: client.id, error });
        return null;
      }
    },
  };
}

/** Runs at once, or behind the answers that this connection still waits for. */
function inTurn({ replies }: Connection, run: () => void): void {
  if (replies.empty) run();
  else replies.settle(replies.take(), run);
}

/**
 * A filter that covers more than the client may see is granted, and `authorizeForward` narrows it message by message. Shared subscriptions are
 * acknowledged by Aedes 1.2 and never served, and its `$SYS` tells every client's id to everybody: no filter may start with `$`.
 */
function maySubscribe(connection: Connection, filter: string, limits: Limits): boolean {
  if (filter.startsWith('$') || connection.rights === undefined) return false;
  if (!connection.filters.has(filter) && connection.filters.size >= limits.subscriptions) return false;
  return connection.rights.subscribe(filter) !== 'none';
}
