import { text } from '../protocol/clean-text.ts';
import type { Identity } from '../protocol/roles.ts';
import type { Topics } from '../protocol/topics.ts';
import type { Log } from '../runtime/log.ts';
import type { Connection } from './connections.ts';
import type { OnReject, RejectCode } from './options.ts';

const LONGEST_TOPIC = 128;

/** Tells what the broker turned away: MQTT 3.1.1 has no reason code for it, so the client only sees its connection close. */
export interface Refusals {
  /** A publish or a will on a topic that the client's roles don't reach. */
  notAllowed(connection: Connection, clientId: string, identity: Identity | undefined, topic: string): void;
  /** A packet above the limit; the topic is known for publishes only. */
  tooLarge(connection: Connection, limit: number, topic: string | undefined): void;
}

export function createRefusals(topics: Topics, onReject: OnReject, log: Log): Refusals {
  function tell(
    code: RejectCode,
    connection: Connection,
    clientId: string,
    topic: string | undefined,
    params: Record<string, string | number>,
  ): void {
    const parsed = topic === undefined ? undefined : topics.parse(topic);
    const provider = parsed?.name === 'hook' ? text(parsed.params.provider, LONGEST_TOPIC) : undefined;
    try {
      onReject(code, {
        clientId,
        listener: connection.listener,
        ...(provider === undefined ? {} : { provider }),
        params,
      });
    } catch (error) {
      log.error('A refusal could not be told.', { code, error });
    }
  }

  return {
    notAllowed(connection, clientId, identity, topic) {
      const role = identity?.roles.join(', ') ?? '';
      const shown = text(topic, LONGEST_TOPIC) ?? '';
      log.warn('A client published where it may not.', { client: clientId, role, topic: shown });
      tell('not_allowed', connection, clientId, topic, { role, topic: shown });
    },
    tooLarge(connection, limit, topic) {
      const clientId = connection.client?.id ?? '';
      log.warn('A client sent a packet that is too large.', { client: clientId, bytes: limit });
      tell('too_large', connection, clientId, topic, { limit });
    },
  };
}
