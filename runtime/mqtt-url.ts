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

/**
 * Reads a broker's URL: `mqtt://`, `mqtts://`, `ws://` or `wss://`, host, optionally port, user name and, for WebSockets, a path.
 * @throws SignalboxError `password_in_url`, `bad_broker_url`
 */
export function parseBrokerUrl(text: string): BrokerUrl {
  const refuse = (reason: string) =>
    new SignalboxError('bad_broker_url', { url: plainText(redactUrl(text)), reason });
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    // What can't be read may still hold a password.
    throw PASSWORD.test(text) ? new SignalboxError('password_in_url') : refuse('it is not a URL');
  }
  if (url.password !== '' || PASSWORD.test(text)) throw new SignalboxError('password_in_url');
  const protocol = url.protocol.slice(0, -1);
  if (!isBrokerProtocol(protocol)) throw refuse('it is not mqtt, mqtts, ws or wss');
  if (url.hostname === '') throw refuse('it names no host');
  if (url.search !== '' || url.hash !== '') throw refuse('a query or fragment means nothing to a broker');
  const isWebSocket = protocol === 'ws' || protocol === 'wss';
  const hasPath = url.pathname !== '' && url.pathname !== '/';
  if (hasPath && !isWebSocket) throw refuse('only a WebSocket has a path');
  if (url.port === '0') throw refuse('port 0 is no port');
  return {
    protocol,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? PORTS[protocol] : Number(url.port),
    path: isWebSocket ? (hasPath ? url.pathname : WEBSOCKET_PATH) : '',
    ...(url.username === '' ? {} : { username: decoded(url.username) }),
  };
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
