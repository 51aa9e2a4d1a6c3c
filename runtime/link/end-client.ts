import type { MqttClient } from 'mqtt';

/** Resolves when `work` has settled, however it did, or after `limitMs`. */
export function withinLimit(work: Promise<unknown>, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limitMs);
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    work.then(done, done);
  });
}

/**
 * Ends an MQTT.js client: with a DISCONNECT when everything it sent is acknowledged, without one otherwise, and in `limitMs` at most. MQTT.js itself
 * waits for ever for a peer that acknowledges nothing, reads nothing or leaves its end of the connection open.
 */
export function endClient(client: MqttClient, limitMs: number): Promise<void> {
  const force = !client.connected || Object.keys(client.outgoing).length > 0;
  const ended = new Promise<void>((resolve) => client.end(force, {}, () => resolve()));
  return withinLimit(ended, limitMs).then(() => void client.stream.destroy());
}
