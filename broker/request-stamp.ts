import type { PublishPacket } from 'aedes';
import { REQUEST_BYTES, type Requester } from '../protocol/messages/request.ts';
import type { Role } from '../protocol/roles.ts';
import type { Connection } from './connections.ts';

/** Roles that may ask, the one that says most of who it is first. */
const ASKING: readonly Role[] = ['operator', 'homeassistant'];

/**
 * Puts into a request who makes it (its `by`), in place of what the sender may have written there: a subscriber can't tell, and the event log has to (spec: state, section 6). What is no
 * request by its shape is left as it is, and refused by whoever reads it. In-process clients are parts of the hub and speak for others.
 */
export function stampRequest({ listener, identity }: Connection, packet: PublishPacket): void {
  const payload = packet.payload as Buffer;
  if (listener === 'inprocess' || identity === undefined || payload.length > REQUEST_BYTES) return;
  const request = parsed(payload);
  if (request === undefined) return;
  const by: Requester = {
    role: ASKING.find((role) => identity.roles.includes(role)) ?? 'unknown',
    ...(identity.id !== undefined && { user: identity.id }),
    how: listener,
  };
  packet.payload = Buffer.from(JSON.stringify({ ...request, by }));
}

function parsed(payload: Buffer): object | undefined {
  try {
    const value: unknown = JSON.parse(payload.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
