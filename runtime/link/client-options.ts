import type { IClientOptions } from 'mqtt';
import { TOPICS } from '../../protocol/topics.ts';
import type { LinkOptions } from './contract.ts';
import { encode } from './message.ts';

export const CONNECT_TIMEOUT_MS = 10_000;
const KEEPALIVE_SECONDS = 30;

/** What MQTT.js is told of a link's options. @param reconnectPeriod wait before the second attempt, ms */
export function clientOptions(
  options: LinkOptions,
  clientId: string,
  reconnectPeriod: number,
): IClientOptions {
  const { clean = true, username, password, will, topics } = options;
  return {
    protocolVersion: 4,
    clientId,
    clean,
    keepalive: options.keepaliveSeconds ?? KEEPALIVE_SECONDS,
    connectTimeout: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    reconnectPeriod,
    // A refusal may end: an account is made, a broker that is starting gets ready.
    reconnectOnConnackError: true,
    // Done by the link, where a refusal is noticed.
    resubscribe: false,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(will === undefined
      ? {}
      : {
          will: {
            topic: topics.build(will.name, will.params),
            payload: Buffer.from(encode(will.payload)),
            qos: TOPICS[will.name].qos,
            retain: TOPICS[will.name].retained,
          },
        }),
  };
}
