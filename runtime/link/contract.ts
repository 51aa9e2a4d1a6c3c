import type { Duplex } from 'node:stream';
import type { TopicName, TopicParams, Topics } from '../../protocol/topics.ts';
import type { Cancel } from '../clock.ts';
import type { Log } from '../log.ts';
import type { LinkMessage, MessageHandler } from './message.ts';

/** Takes a handler back; resolves when the broker has been told, or can't be. */
export type Unsubscribe = () => Promise<void>;

/** What the broker publishes for us when the connection ends without a goodbye. QoS and retain come from the topic table. */
export interface LinkWill {
  readonly name: TopicName;
  readonly params?: TopicParams;
  readonly payload: string | object;
}

export interface LinkOptions {
  /** Broker URL without a password; this or `stream`. */
  readonly url?: string;
  /** Makes a connection inside this process, for each attempt anew; see `linkedPair`. */
  readonly stream?: () => Duplex;
  readonly topics: Topics;
  readonly log: Log;
  /** Unique on the broker: of two with the same id, the older is closed. By default one made at random. */
  readonly clientId?: string;
  /** False: a session that the broker keeps while we are away; needs a fixed `clientId`. */
  readonly clean?: boolean;
  readonly username?: string;
  readonly password?: string;
  /** Certificate of an authority to trust besides none other (PEM), for `mqtts` and `wss`. */
  readonly ca?: string | Buffer;
  readonly will?: LinkWill;
  /**
   * Work that has to be done before a message is acknowledged to the broker; called for each message, in order of arrival, one at a time. When it rejects,
   * the connection is dropped and the broker sends the message again (spec: bus, "Durability" 2). It may see a message twice, never out of order.
   */
  readonly acknowledge?: (message: LinkMessage) => Promise<void>;
  /** Longest wait for the broker's CONNACK, ms. */
  readonly connectTimeoutMs?: number;
  /** Longest that `close` takes, ms. */
  readonly closeTimeoutMs?: number;
  /** Seconds between signs of life; how soon a dead connection is noticed. Not used inside a process. */
  readonly keepaliveSeconds?: number;
  /** First and longest wait between attempts to connect, ms. */
  readonly reconnect?: { readonly baseMs: number; readonly capMs: number };
  /** From 0 to below 1; spreads the attempts. */
  readonly random?: () => number;
}

export interface ReadyOptions {
  /** ms */
  readonly withinMs?: number;
  /** Give up at the first attempt that fails, for commands that somebody waits for. */
  readonly once?: boolean;
}

export interface Connected {
  readonly first: boolean;
  /** The broker has kept our session: what came meanwhile follows. */
  readonly sessionPresent: boolean;
}

/**
 * A connection to the bus that stays: it comes back by itself, with its subscriptions, and throws nothing at nobody.
 */
export interface Link {
  readonly connected: boolean;
  readonly clientId: string;
  /** Resolves with the first connection. @throws SignalboxError `broker_unreachable` */
  ready(options?: ReadyOptions): Promise<void>;
  /**
   * Publishes with the QoS and retain bit of the topic table. Objects go out as JSON; `''` clears a retained topic. Resolves when the broker has
   * acknowledged it (QoS 0: when it is on its way). While there is no connection it waits: of a retained topic only the last value, of the rest the
   * newest 1,000.
   * @throws SignalboxError `not_delivered`
   */
  publish(name: TopicName, params: TopicParams, payload: string | Uint8Array | object): Promise<void>;
  /**
   * Subscribes to a row of the topic table; parameters that are not given match anything. Resolves when the broker has granted it, and stays over
   * reconnects. Retained messages come again after each subscription and each reconnect, to all handlers of the filter.
   * @throws SignalboxError `subscription_refused`, `not_delivered` (closed)
   */
  subscribe(name: TopicName, params: TopicParams, handler: MessageHandler): Promise<Unsubscribe>;
  /** Calls back after each connection, when the subscriptions stand again; at once when there is one now. */
  onConnect(callback: (connected: Connected) => void | Promise<void>): Cancel;
  /** Calls back when a connection that stood is lost; not at `close`. */
  onLost(callback: (reason: string) => void): Cancel;
  /** Waits for what is on its way, says goodbye (the will is not published) and ends, in `closeTimeoutMs` at most, also when the broker hangs. */
  close(): Promise<void>;
}
