import type { Duplex } from 'node:stream';
import type { Client } from 'aedes';
import type { Identity } from '../protocol/roles.ts';
import type { ListenerKind } from './options.ts';
import { OrderedReplies } from './ordered-replies.ts';
import type { PacketGuard } from './packet-guard.ts';
import type { Rights } from './rights.ts';

/** What the CONNECT packet said, kept until the client is authenticated. */
export interface ConnectRequest {
  readonly emptyId: boolean;
  readonly willTopic: string | undefined;
}

/** What is known of the other end before it says anything. */
export interface Peer {
  readonly remoteAddress?: string | undefined;
  /** It has shown the bearer token of the HTTP port. */
  readonly bearer?: boolean;
}

/** Everything the broker knows about one client beside what Aedes does. */
export interface Connection {
  readonly listener: ListenerKind;
  readonly stream: Duplex;
  readonly peer: Peer;
  /** Tells connections apart; no client has seen it. */
  readonly serial: number;
  readonly replies: OrderedReplies;
  /** Granted subscriptions. */
  readonly filters: Set<string>;
  client: Client | undefined;
  guard: PacketGuard | undefined;
  request: ConnectRequest | undefined;
  /** Set when the client is authenticated; without them nothing is allowed. */
  identity: Identity | undefined;
  rights: Rights | undefined;
}

/** The open connections. */
export class Connections {
  readonly #open = new Set<Connection>();
  readonly #byClient = new WeakMap<Client, Connection>();
  #serial = 0;
  #outside = 0;

  /** Open connections but for the in-process ones. */
  get outside(): number {
    return this.#outside;
  }

  /** Adds a connection; it leaves with its stream's 'close'. */
  open(stream: Duplex, listener: ListenerKind, peer: Peer): Connection {
    this.#serial += 1;
    const connection: Connection = {
      listener,
      stream,
      peer,
      serial: this.#serial,
      replies: new OrderedReplies(),
      filters: new Set(),
      client: undefined,
      guard: undefined,
      request: undefined,
      identity: undefined,
      rights: undefined,
    };
    const outside = listener === 'inprocess' ? 0 : 1;
    this.#open.add(connection);
    this.#outside += outside;
    stream.once('close', () => {
      this.#open.delete(connection);
      this.#outside -= outside;
    });
    return connection;
  }

  /** Joins a connection with what Aedes made of it. */
  bind(connection: Connection, client: Client): void {
    connection.client = client;
    this.#byClient.set(client, connection);
  }

  of(client: Client): Connection | undefined {
    return this.#byClient.get(client);
  }

  [Symbol.iterator](): IterableIterator<Connection> {
    return this.#open.values();
  }
}
