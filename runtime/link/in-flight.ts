import type { MqttClient } from 'mqtt';
import { SignalboxError } from '../../protocol/errors.ts';
import { failureReason } from './failure.ts';
import type { Outgoing } from './outbox.ts';

interface Sent {
  readonly message: Outgoing;
  readonly settled: Promise<void>;
  giveUp(reason: string): void;
}

/** What has been handed to MQTT.js and is not acknowledged yet. MQTT.js itself sends QoS 1 again after a reconnect. */
export class InFlight {
  readonly #all = new Set<Sent>();

  /** Resolves with the PUBACK (QoS 0: when written). @throws SignalboxError `not_delivered` */
  send(client: MqttClient, message: Outgoing): Promise<void> {
    const { topic, payload, qos, retain } = message;
    let giveUp: Sent['giveUp'] = () => {};
    const settled = new Promise<void>((resolve, reject) => {
      giveUp = (reason) => reject(new SignalboxError('not_delivered', { topic, reason }));
      client.publish(topic, payload, { qos, retain }, (error) =>
        error ? giveUp(failureReason(error)) : resolve(),
      );
    });
    const sent = { message, settled, giveUp };
    this.#all.add(sent);
    const forget = (): void => void this.#all.delete(sent);
    settled.then(forget, forget);
    return settled;
  }

  /** Gives up what MQTT.js never speaks of again once its connection is gone: QoS 0 that waited for the socket. */
  connectionLost(): void {
    for (const { message, giveUp } of this.#all) if (message.qos === 0) giveUp('the connection was lost');
  }

  /** Resolves when nothing of what is under way now is left. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#all].map(({ settled }) => settled));
  }

  fail(reason: string): void {
    for (const { giveUp } of this.#all) giveUp(reason);
  }
}
