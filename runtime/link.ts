import type { Link, LinkOptions } from './link/contract.ts';
import { MqttLink } from './link/mqtt-link.ts';

export type { Link, LinkOptions, Unsubscribe } from './link/contract.ts';
export type { LinkMessage } from './link/message.ts';

/**
 * Connects to a broker; returns at once and connects in the background. The one wrapper round MQTT.js.
 * @throws SignalboxError `password_in_url`, `bad_broker_url`
 */
export function connectLink(options: LinkOptions): Link {
  const link = new MqttLink(options);
  link.start();
  return link;
}
