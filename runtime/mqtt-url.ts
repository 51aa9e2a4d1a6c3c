import { SignalboxError } from '../protocol/errors.ts';
import { plainText } from './plain-text.ts';

export type BrokerProtocol = 'mqtt' | 'mqtts' | 'ws' | 'wss';

/** Where a broker is. */
export interface BrokerUrl {
  readonly protocol: BrokerProtocol;
  /** Name or address; an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Of a WebSocket; empty for the others. */
  readonly path: string;
  readonly username?: string;
}

const PORTS: Readonly<Record<BrokerProtocol, number>> = { mqtt: 1883, mqtts: 8883, ws: 80, wss: 443 };
/** Where our own hub, EMQX and HiveMQ take WebSockets; Mosquitto takes them anywhere. */
const WEBSOCKET_PATH = '/mqtt';

/** A URL that was read, or why it can't be used. */
export type BrokerUrlOutcome =
  | { readonly ok: true; readonly url: BrokerUrl }
  | { readonly ok: false; readonly code: 'password_in_url' }
  | { readonly ok: false; readonly code: 'bad_broker_url'; readonly reason: string };

/** Reads a broker's URL: `mqtt://`, `mqtts://`, `ws://` or `wss://`, host, optionally port, user name and, for WebSockets, a path. */
export function readBrokerUrl(text: string): BrokerUrlOutcome {
  // First of all, since what can't be read may hold a password too.
  if (PASSWORD.test(text)) return { ok: false, code: 'password_in_url' };
  const refuse = (reason: string): BrokerUrlOutcome => ({ ok: false, code: 'bad_broker_url', reason });
  if (!URL.canParse(text)) return refuse('it is not a URL');
  const url = new URL(text);
  const protocol = url.protocol.slice(0, -1);
  if (!isBrokerProtocol(protocol)) return refuse('it is not mqtt, mqtts, ws or wss');
  if (url.hostname === '') return refuse('it names no host');
  if (url.search !== '' || url.hash !== '') return refuse('a query or fragment means nothing to a broker');
  const isWebSocket = protocol === 'ws' || protocol === 'wss';
  const hasPath = url.pathname !== '' && url.pathname !== '/';
  if (hasPath && !isWebSocket) return refuse('only a WebSocket has a path');
  if (url.port === '0') return refuse('port 0 is no port');
  return {
    ok: true,
    url: {
      protocol,
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port === '' ? PORTS[protocol] : Number(url.port),
      path: isWebSocket ? (hasPath ? url.pathname : WEBSOCKET_PATH) : '',
      ...(url.username === '' ? {} : { username: decoded(url.username) }),
    },
  };
}

/** Reads a broker's URL. @throws SignalboxError `password_in_url`, `bad_broker_url` */
export function parseBrokerUrl(text: string): BrokerUrl {
  const outcome = readBrokerUrl(text);
  if (outcome.ok) return outcome.url;
  if (outcome.code === 'password_in_url') throw new SignalboxError('password_in_url');
  throw new SignalboxError('bad_broker_url', { url: plainText(redactUrl(text)), reason: outcome.reason });
}

/** A colon and later an `@`: a password, also where it breaks the URL (`mqtt://me:a/b@host`). Rather once too often than shown. */
const PASSWORD = /^[^/?#:@\s]+:\/\/[^/?#:@\s]*:\S*@/;

/** Text as it may be shown: the password of every URL in it is replaced. */
export function redactUrl(text: string): string {
  return text.replace(/(\/\/[^/?#:@\s]*):\S*@/g, '$1:***@');
}

function isBrokerProtocol(text: string): text is BrokerProtocol {
  return Object.hasOwn(PORTS, text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
