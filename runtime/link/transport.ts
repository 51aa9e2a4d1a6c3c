import type { Duplex } from 'node:stream';
import { connect, type IClientOptions, MqttClient } from 'mqtt';
import { parseBrokerUrl } from '../mqtt-url.ts';

export type TransportOptions =
  | { readonly url: string; readonly ca?: string | Buffer }
  /** Called for each attempt to connect; see `linkedPair`. */
  | { readonly stream: () => Duplex };

/** An MQTT.js client over a stream of ours, or to a URL. */
export function openClient(transport: TransportOptions, options: IClientOptions): MqttClient {
  if ('stream' in transport) return new MqttClient(transport.stream, { ...options, keepalive: 0 });
  const { protocol, host, port, path, username } = parseBrokerUrl(transport.url);
  return connect({
    ...options,
    protocol,
    host,
    // MQTT.js writes the host of a WebSocket into a URL, where an IPv6 address has brackets.
    hostname: path !== '' && host.includes(':') ? `[${host}]` : host,
    port,
    path,
    ...(username === undefined || options.username !== undefined ? {} : { username }),
    ...(transport.ca === undefined ? {} : { ca: transport.ca }),
    // Without a value MQTT.js would take a proxy from the environment.
    socksProxy: '',
  });
}

/** Switches Nagle's algorithm off: it holds a small packet back for 40 ms when the one before it isn't confirmed yet. */
export function sendAtOnce(client: MqttClient): void {
  const { stream } = client;
  if ('setNoDelay' in stream && typeof stream.setNoDelay === 'function') stream.setNoDelay(true);
}
