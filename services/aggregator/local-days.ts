import type { Day } from '../../protocol/waits.ts';

/**
 * The days of this machine's own time zone, today the last of them: from midnight to midnight, which is 23 or 25 hours where the clocks change, and today up to now.
 * @param now unix ms
 */
export function localDays(count: number, now: number): Day[] {
  const today = new Date(now);
  const midnight = (offset: number): Date =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() + offset);
  return Array.from({ length: count }, (_, index) => {
    const offset = index + 1 - count;
    const begins = midnight(offset);
    return {
      day: [begins.getFullYear(), begins.getMonth() + 1, begins.getDate()]
        .map((part) => String(part).padStart(2, '0'))
        .join('-'),
      from: begins.getTime(),
      to: offset === 0 ? now : midnight(offset + 1).getTime(),
    };
  });
}
