import { type Duplex, duplexPair } from 'node:stream';

/**
 * Two ends of an in-process connection: one for `Broker.connectStream`, one for the client. Each end takes the other with it when it closes, since a
 * pair of Node's own never tells, and MQTT.js would wait for ever.
 */
export function inProcessPair(): [Duplex, Duplex] {
  const [one, other] = duplexPair();
  one.once('close', () => other.destroy());
  other.once('close', () => one.destroy());
  return [one, other];
}
