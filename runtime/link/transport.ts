import { connect as connectTcp, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { connect, type IClientOptions, MqttClient } from 'mqtt';
import { type BrokerUrl, parseBrokerUrl } from '../mqtt-url.ts';

export type TransportOptions =
  | { readonly url: string; readonly ca?: string | Buffer }
  /** Called for each attempt to connect; see `linkedPair`. */
  | { readonly stream: () => Duplex };

/** An MQTT.js client over a stream of ours, or to a URL. */
export function openClient(transport: TransportOptions, options: IClientOptions): MqttClient {
  if ('stream' in transport) return new MqttClient(transport.stream, { ...options, keepalive: 0 });
  const broker = parseBrokerUrl(transport.url);
  const { username } = broker;
  const login = username === undefined || options.username !== undefined ? options : { ...options, username };
  const ca = transport.ca === undefined ? {} : { ca: transport.ca };
  if (broker.path !== '') return openWebSocket(broker, { ...login, ...ca });
  return new MqttClient(() => openSocket(broker, ca), login);
}

/**
 * Without Nagle's algorithm, which holds a small packet back for 40 ms when the one before it isn't confirmed yet. Our own and not MQTT.js' streams:
 * those leave it on, and take a proxy from the environment.
 */
function openSocket({ protocol, host, port }: BrokerUrl, ca: { readonly ca?: string | Buffer }): Duplex {
  if (protocol === 'mqtt') return connectTcp({ host, port, noDelay: true });
  // An address is no server name (RFC 6066, section 3).
  const servername = isIP(host) === 0 ? { servername: host } : {};
  return connectTls({ host, port, ...servername, ...ca }).setNoDelay(true);
}

function openWebSocket({ protocol, host, port, path }: BrokerUrl, options: IClientOptions): MqttClient {
  return connect({
    ...options,
    protocol,
    // MQTT.js writes it into a URL, where an IPv6 address has brackets.
    hostname: host.includes(':') ? `[${host}]` : host,
    port,
    path,
    // Unset, it would be looked up in the environment.
    socksProxy: '',
  });
}
