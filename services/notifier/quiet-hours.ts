import type { NotifySettings } from './rules.ts';

/**
 * Until when a message of this priority is held back; undefined: it may go. By this machine's own clock, so that a change to summer time moves nothing for people.
 * @param now unix ms @returns unix ms
 */
export function quietUntil(
  { from, to, let_through }: NotifySettings['quiet_hours'],
  priority: number,
  now: number,
): number | undefined {
  if (from === '' || from === to) return undefined;
  if (let_through > 0 && priority >= let_through) return undefined;
  const local = new Date(now);
  const minute = local.getHours() * 60 + local.getMinutes();
  const [begin, end] = [minutesOf(from), minutesOf(to)];
  const isQuiet = begin < end ? minute >= begin && minute < end : minute >= begin || minute < end;
  if (!isQuiet) return undefined;
  local.setHours(Math.floor(end / 60), end % 60, 0, 0);
  // Over midnight; by the calendar, since a day need not have 24 hours.
  if (local.getTime() <= now) local.setDate(local.getDate() + 1);
  return local.getTime();
}

/** @param time `HH:MM` */
function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
