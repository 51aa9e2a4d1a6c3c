import { SignalboxError } from '../../protocol/errors.ts';
import { decodePayload } from '../../protocol/messages/codec.ts';
import type { SessionPayload } from '../../protocol/messages/session.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Bus } from '../bus.ts';
import type { Board } from '../status/board.ts';
import { watchStatus } from '../status/watch.ts';

/**
 * Reads the retained sessions, with what the hub says of itself: a hub that is gone has left a table behind that nobody keeps.
 * @throws SignalboxError `no_hub`, `subscription_refused`
 */
export async function readSessions(bus: Bus, board: Board, clock: Clock): Promise<SessionPayload[]> {
  const sessions = new Map<string, SessionPayload>();
  const watch = watchStatus(bus, board, clock, {
    name: 'session',
    take({ topic, payload }) {
      const decoded = decodePayload('session', Buffer.from(payload).toString('utf8'));
      if (decoded.kind === 'payload') sessions.set(topic, decoded.payload);
      else if (decoded.kind === 'cleared') sessions.delete(topic);
    },
  });
  await watch.settled();
  const { hub } = board.view();
  if (hub.state === 'online') return [...sessions.values()];
  throw new SignalboxError('no_hub', {
    detail: `${bus.where()} answers, but no hub is there: ${hub.reason}`,
  });
}
