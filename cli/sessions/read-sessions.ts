import { SignalboxError } from '../../protocol/errors.ts';
import type { SessionPayload } from '../../protocol/messages/session.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Bus } from '../bus.ts';
import type { Board } from '../status/board.ts';
import { watchStatus } from '../status/watch.ts';
import { SessionList } from './session-list.ts';

/**
 * Reads the retained sessions, with what the hub says of itself: a hub that is gone has left a table behind that nobody keeps.
 * @throws SignalboxError `no_hub`, `subscription_refused`
 */
export async function readSessions(bus: Bus, board: Board, clock: Clock): Promise<SessionPayload[]> {
  const sessions = new SessionList();
  const watch = watchStatus(bus, board, clock, {
    name: 'session',
    take: (message) => sessions.take(message),
  });
  await watch.settled();
  const { hub } = board.view();
  if (hub.state === 'online') return sessions.all();
  throw new SignalboxError('no_hub', {
    detail: `${bus.where()} answers, but no hub is there: ${hub.reason}`,
  });
}
