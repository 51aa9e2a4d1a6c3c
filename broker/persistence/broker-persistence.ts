import type { Client, PublishPacket, Subscription } from 'aedes';

/** The part of an aedes-persistence (asynchronous interface) that the broker itself calls. */
export interface BrokerPersistence {
  /** Rejects when this session holds no such QoS 2 publish. */
  incomingGetPacket(client: Client, packet: PublishPacket): Promise<unknown>;
  addSubscriptions(client: Client, subscriptions: Subscription[]): Promise<unknown>;
}

/**
 * Keeps refused subscriptions out of the store: Aedes 1.2 stores every subscription of a packet, the refused ones too, and would queue messages for them
 * while the client is away.
 */
export function storeOnlyGranted(
  persistence: BrokerPersistence,
  granted: (client: Client, filter: string) => boolean,
): void {
  const add = persistence.addSubscriptions.bind(persistence);
  persistence.addSubscriptions = (client, subscriptions) =>
    add(
      client,
      subscriptions.filter(({ topic }) => granted(client, topic)),
    );
}
