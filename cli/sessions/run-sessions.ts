import { SignalboxError } from '../../protocol/errors.ts';
import { decodePayload } from '../../protocol/messages/codec.ts';
import type { SessionPayload } from '../../protocol/messages/session.ts';
import { ATTENTION_PRIORITY } from '../../protocol/states.ts';
import { systemClock } from '../../runtime/clock.ts';
import { type Bus, openBus } from '../bus.ts';
import type { CommandContext } from '../context.ts';
import type { SettingOptions } from '../options.ts';
import { loadSettings } from '../settings.ts';
import { Board } from '../status/board.ts';
import { watchStatus } from '../status/watch.ts';
import { lookAt } from '../terminal/look.ts';
import { sessionTable } from './session-table.ts';

export interface SessionsOptions extends SettingOptions {
  readonly all?: true;
  readonly json?: true;
}

/** `signalbox sessions`. @throws SignalboxError `no_hub`, `subscription_refused`, those of the settings */
export async function runSessions(options: SessionsOptions, context: CommandContext): Promise<void> {
  const settings = loadSettings(context, options);
  const { registry } = settings;
  const clock = systemClock();
  const bus = await openBus(settings, context);
  try {
    const found = await readSessions(bus, new Board(registry), clock);
    const shown = found.filter(({ state }) => options.all || state !== 'idle').sort(byUrgency);
    const nameOf = (slug: string): string => registry.find(slug)?.name ?? slug;
    const hidden = found.length - shown.length;
    context.stdout.write(
      options.json
        ? `${JSON.stringify({ sessions: shown }, undefined, 2)}\n`
        : sessionTable({ shown, all: found, hidden, nameOf, look: lookAt(context, clock.now()) }),
    );
  } finally {
    await bus.link.close();
  }
}

/** Reads the retained sessions, with what the hub says of itself: a hub that is gone has left a table behind that nobody keeps. */
async function readSessions(
  bus: Bus,
  board: Board,
  clock: ReturnType<typeof systemClock>,
): Promise<SessionPayload[]> {
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

function byUrgency(a: SessionPayload, b: SessionPayload): number {
  return (
    ATTENTION_PRIORITY[a.state] - ATTENTION_PRIORITY[b.state] || b.since - a.since || (a.key < b.key ? -1 : 1)
  );
}
