import type { IncomingMessage, Server } from 'node:http';
import type { ErrorCode } from '../../protocol/errors.ts';
import type { SessionPayload } from '../../protocol/messages/session.ts';
import type { SignalPayload } from '../../protocol/messages/signal.ts';
import type { ProviderRegistry } from '../../protocol/providers.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Link } from '../../runtime/link.ts';
import type { Log } from '../../runtime/log.ts';
import type { OwnHosts } from '../../runtime/own-host.ts';
import type { RightToken } from './bearer.ts';
import type { Counts, Metrics } from './metrics.ts';

/** What became of an event: on disk, or refused and the refusal on disk. */
export type Verdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string };

/** The hub's table, as it is when it is asked. */
export interface View {
  /** Of every provider that has one, in registry order. */
  signals(): readonly { readonly provider: string; readonly signal: SignalPayload }[];
  sessions(): readonly SessionPayload[];
  counts(): Counts;
}

export interface HttpOptions extends RightToken {
  readonly listen: { readonly host: string; readonly port: number };
  /** Under what the port is reached; loopback alone when left out. */
  readonly ownHosts?: OwnHosts;
  /**
   * Takes a hook event; rejects when it could not be written. `tell` false: a refusal is nobody's news but its sender's. `timed` false: what it says of its time counts for nothing.
   */
  readonly accept: (
    provider: string,
    payload: Uint8Array,
    options: { readonly tell: boolean; readonly timed?: boolean },
  ) => Promise<Verdict>;
  readonly view: View;
  /** To the bus on which the hub takes requests. */
  readonly link: Link;
  readonly registry: ProviderRegistry;
  readonly metrics: Metrics;
  /** Connections to the embedded broker. */
  readonly clients: () => number;
  /** What became of messages to phones since the start; `undefined`: none are sent. */
  readonly notifications: () => Readonly<Record<string, number>> | undefined;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Longest that a request may take to come [ms]. */
  readonly requestMs?: number;
}

/** The HTTP port (spec: consumers, section 1); the broker puts MQTT over WebSocket on the same server. */
export interface HttpService {
  /** For whoever serves upgrades on it. */
  readonly server: Server;
  /** Whether a request may become a WebSocket, and whether it has shown the token. */
  readonly admitUpgrade: (request: IncomingMessage) => 'free' | 'bearer' | 401 | 429;
  /** Starts listening. @returns the real port. Rejects with what `listen` failed with. */
  start(): Promise<{ host: string; port: number }>;
  stop(): Promise<void>;
}
