import { decodePayload } from '../../protocol/messages/codec.ts';
import type { SessionPayload } from '../../protocol/messages/session.ts';
import type { LinkMessage } from '../../runtime/link.ts';

/** Gathers the retained sessions of the bus. Pure: no clock, no connection. */
export class SessionList {
  readonly #sessions = new Map<string, SessionPayload>();

  /** Takes a message in. What can't be read is passed over. */
  take({ topic, payload }: Pick<LinkMessage, 'topic' | 'payload'>): void {
    const decoded = decodePayload('session', Buffer.from(payload).toString('utf8'));
    if (decoded.kind === 'payload') this.#sessions.set(topic, decoded.payload);
    else if (decoded.kind === 'cleared') this.#sessions.delete(topic);
  }

  /** What a broker holds after a new connection may be less than before. */
  forget(): void {
    this.#sessions.clear();
  }

  all(): SessionPayload[] {
    return [...this.#sessions.values()];
  }
}
