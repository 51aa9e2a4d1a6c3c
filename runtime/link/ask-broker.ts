import type { MqttClient } from 'mqtt';
import type { Subscription, Verdict } from './subscriptions.ts';

/** From here on a SUBACK's code is a refusal, below it the granted QoS (MQTT 3.1.1, section 3.9.3). */
const REFUSED = 0x80;

/** Sends one SUBSCRIBE for all of them and tells the broker's word on each. Never rejects. */
export function askBroker(
  client: MqttClient,
  subscriptions: readonly Subscription[],
): Promise<ReadonlyMap<Subscription, Verdict>> {
  // Two rows of the topic table may share a filter; the broker is asked once.
  const wanted = Object.fromEntries(subscriptions.map(({ filter, qos }) => [filter, { qos }]));
  const filters = Object.keys(wanted);
  return new Promise((resolve) => {
    client.subscribe(wanted, (_error, _granted, packet) => {
      const verdictOn = ({ filter }: Subscription): Verdict => {
        const code = packet?.granted[filters.indexOf(filter)];
        if (code === undefined) return 'lost';
        return Number(code) >= REFUSED ? 'refused' : 'granted';
      };
      resolve(new Map(subscriptions.map((subscription) => [subscription, verdictOn(subscription)])));
    });
  });
}
