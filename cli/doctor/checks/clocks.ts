import { type SenderClock, senderClocksOf } from '../../../services/aggregator/sender-clocks.ts';
import { ago, shortDuration } from '../../terminal/duration.ts';
import { broken, type Check, type Finding, ok, warning } from '../check.ts';
import type { Facts } from '../facts.ts';

/** Less is the rounding of times to seconds and the way of a message [ms]. */
const OFF = 60_000;
/** What was off longer ago is forgotten [ms]. */
const LATELY = 7 * 24 * 60 * 60 * 1000;
const SHOWN = 5;

/** Whether the clocks of senders and hub are right: rules go by the moments that senders tell. */
export const clocksCheck: Check = {
  name: 'clocks',
  run(facts) {
    const found = [...hubClock(facts), ...senders(facts)];
    if (found.length > 0) return found;
    return facts.database.kind === 'sound' ? [ok('hub and senders agree')] : [];
  },
};

/** What the hub has dated after now: of its start, and of its last health message. */
function hubClock({ hub, bus, now }: Facts): Finding[] {
  const started = hub.kind === 'running' || hub.kind === 'silent' ? hub.file.started_at : 0;
  const ahead = Math.max(started, (bus?.health?.at ?? 0) * 1000) - now;
  if (ahead < OFF) return [];
  const message = `The hub's clock was ${shortDuration(ahead / 1000)} ahead of this machine's now.`;
  return [broken('hub_clock', message, 'Set the clock right, then start the hub again: signalbox up')];
}

function senders({ database, settings, now }: Facts): Finding[] {
  if (database.kind !== 'sound') return [];
  return senderClocksOf(database.meta)
    .filter(({ at }) => Math.abs(now - at) < LATELY)
    .toSorted((a, b) => Math.abs(b.ahead_ms) - Math.abs(a.ahead_ms))
    .slice(0, SHOWN)
    .map((clock) => sender(clock, settings.registry.find(clock.provider)?.name ?? clock.provider, now));
}

function sender(clock: SenderClock, name: string, now: number): Finding {
  const { ahead_ms, host, at } = clock;
  const off = `${shortDuration(Math.abs(ahead_ms) / 1000)} ${ahead_ms > 0 ? 'ahead' : 'behind'}`;
  const message = `${name} on ${host}: dated ${off}, last seen ${ago((now - at) / 1000)}.`;
  const mend = `Set the clock of ${host}, best by NTP (timedatectl set-ntp true).`;
  return warning('sender_clock', message, mend, clock);
}
