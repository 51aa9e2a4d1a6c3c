import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Identity } from '../protocol/roles.ts';
import type { TopicParams, Topics } from '../protocol/topics.ts';
import type { Log } from '../runtime/log.ts';
import type { OwnHosts } from '../runtime/own-host.ts';

/** The door a client came in by. */
export type ListenerKind = 'tcp' | 'socket' | 'websocket' | 'inprocess';

/** What a client says and shows about itself when it connects. */
export interface ConnectionFacts {
  readonly listener: ListenerKind;
  readonly clientId: string;
  readonly username?: string;
  readonly password?: Buffer;
  /** It has shown the bearer token of the HTTP port, as a WebSocket. */
  readonly bearer?: true;
  /** The peer's address; none for the Unix socket and in-process connections. */
  readonly remoteAddress?: string;
}

/** Whether a request may become a WebSocket: `bearer`, it has shown the token; 401: it has to; 429: it has shown too many wrong ones. */
export type AdmitUpgrade = (request: IncomingMessage) => 'free' | 'bearer' | 401 | 429;

/**
 * Decides who a connection is; `undefined` refuses it, a rejection refuses it as "server unavailable". It is not asked about in-process
 * connections: they are the hub's own. One identity object per account lets the broker keep its verdicts.
 */
export type Identify = (connection: ConnectionFacts) => Identity | undefined | Promise<Identity | undefined>;

/** One publish on `hook/<provider>`, before its sender has an answer. */
export interface GatedPublish {
  readonly topic: string;
  readonly params: TopicParams;
  /** Raw, as the sender wrote it; nothing but the gate may keep it. */
  readonly payload: Uint8Array;
  readonly clientId: string;
}

/**
 * Takes a hook event over (spec: bus, "Durability" 1). Resolves when it is dealt with, to the bytes that stand in the payload's place; rejects only
 * when it could not be committed, which closes the connection without an acknowledgement.
 */
export type PublishGate = (publish: GatedPublish) => Promise<Uint8Array>;

/** Something the broker turned away. Never holds a payload. */
export interface RejectInfo {
  readonly clientId: string;
  readonly listener: ListenerKind;
  /** The topic's provider, for hook topics. */
  readonly provider?: string;
  /** Parameters of the code's text in the error catalogue. */
  readonly params: Readonly<Record<string, string | number>>;
}

export type RejectCode = 'too_large' | 'not_allowed';
export type OnReject = (code: RejectCode, info: RejectInfo) => void;

/** Every bound of the broker; bytes are bytes, times are milliseconds. */
export interface Limits {
  /** Clients at once, in-process ones not counted. */
  readonly connections: number;
  /** Subscriptions of one client. */
  readonly subscriptions: number;
  /** Payload of a hook event. */
  readonly hookBytes: number;
  /** Payload of any other publish, and the whole of any other packet. */
  readonly packetBytes: number;
  /** Partly received packets of all clients together; above it the one that has been waiting longest is cut. */
  readonly parkedBytes: number;
  /** What one client may leave unread before it is cut. */
  readonly unsentBytes: number;
  /** How long a client may read nothing while something waits for it. */
  readonly drainMs: number;
  /** From the connection to the CONNECT packet. */
  readonly connectMs: number;
  /** How long `identify` may take. */
  readonly identifyMs: number;
  /** Each step of `stop()`. */
  readonly stopMs: number;
  /** Messages kept for one session that is away; above it the oldest go. Only for the persistence in memory. */
  readonly queuedMessages: number;
}

export const DEFAULT_LIMITS: Limits = {
  connections: 2_000,
  subscriptions: 1_000,
  hookBytes: 16 * 1024 * 1024,
  packetBytes: 64 * 1024,
  parkedBytes: 128 * 1024 * 1024,
  unsentBytes: 16 * 1024 * 1024,
  drainMs: 8_000,
  connectMs: 10_000,
  identifyMs: 5_000,
  stopMs: 2_000,
  queuedMessages: 10_000,
};

export interface BrokerOptions {
  /** Names the hub in logs, and the broker to itself. */
  readonly hubId: string;
  readonly topics: Topics;
  readonly gate: PublishGate;
  /** The local policy of access.ts when left out. */
  readonly identify?: Identify;
  /** True when `identify` demands credentials from everybody who is not on this machine; without it only loopback may be listened on. */
  readonly accounts?: boolean;
  readonly onReject: OnReject;
  readonly listen: { readonly host: string; readonly port: number };
  /** Where the Unix socket is made, mode 0600; none when left out. */
  readonly socketPath?: string;
  /** Under what a browser may reach the HTTP port; loopback alone when left out. */
  readonly ownHosts?: OwnHosts;
  readonly log: Log;
  readonly limits?: Partial<Limits>;
  /** An aedes-persistence with the asynchronous interface; in memory when left out. Closed by whoever made it. */
  readonly persistence?: object;
}

/** Where the broker listens. */
export interface Listening {
  readonly host: string;
  /** The real port, also when port 0 was asked for. */
  readonly port: number;
  readonly socketPath?: string;
}

export interface Broker {
  /**
   * Opens the listeners.
   * @throws {SignalboxError} `port_taken`, `address_unavailable`, `listen_needs_credentials`, `socket_path_too_long`, `hub_running`, `folder_unusable`
   */
  start(): Promise<Listening>;
  /** Stops listening, lets pending hook events get their answer, closes every connection. Always ends, within a few times `limits.stopMs`. */
  stop(): Promise<void>;
  /** Takes one end of an in-process pair as a client with role hub. */
  connectStream(stream: Duplex): void;
  /** Serves MQTT over WebSocket under `/mqtt` of this server. @param admit asked for each request that wants to become one; all may when left out */
  attachHttp(server: Server, admit?: AdmitUpgrade): void;
  /** Clients connected at the moment. */
  clients(): number;
}
