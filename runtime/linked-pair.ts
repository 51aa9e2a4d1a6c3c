import { type Duplex, duplexPair } from 'node:stream';

/**
 * Two ends of a connection inside one process. Each end destroys the other when it closes: `duplexPair` alone leaves the other end open for ever,
 * and MQTT.js then never ends.
 */
export function linkedPair(): [Duplex, Duplex] {
  const [left, right] = duplexPair();
  left.once('close', () => right.destroy());
  right.once('close', () => left.destroy());
  return [left, right];
}
