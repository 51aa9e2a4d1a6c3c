import { afterEach, describe, expect, it, vi } from 'vitest';
import { localDays } from '../../../../services/aggregator/local-days.ts';

const HOUR = 3_600_000;

afterEach(() => vi.unstubAllEnvs());

/** The days with their length in hours. */
function days(zone: string, now: string, count: number): [string, number][] {
  vi.stubEnv('TZ', zone);
  return localDays(count, Date.parse(now)).map(({ day, from, to }) => [day, (to - from) / HOUR]);
}

describe('days by the clock on the wall', () => {
  it.each<[string, string, string, [string, number][]]>([
    [
      'UTC',
      'UTC',
      '2026-03-01T06:00:00Z',
      [
        ['2026-02-27', 24],
        ['2026-02-28', 24],
        ['2026-03-01', 6],
      ],
    ],
    [
      'east of it, tomorrow already',
      'Asia/Tokyo',
      '2026-12-31T16:30:00Z',
      [
        ['2026-12-30', 24],
        ['2026-12-31', 24],
        ['2027-01-01', 1.5],
      ],
    ],
    [
      'clocks put forward',
      'Europe/Berlin',
      '2026-03-30T10:00:00Z',
      [
        ['2026-03-28', 24],
        ['2026-03-29', 23],
        ['2026-03-30', 12],
      ],
    ],
    [
      'clocks put back',
      'Europe/Berlin',
      '2026-10-26T11:00:00Z',
      [
        ['2026-10-24', 24],
        ['2026-10-25', 25],
        ['2026-10-26', 12],
      ],
    ],
    [
      'clocks put forward at midnight: that day begins at one',
      'Africa/Cairo',
      '2026-04-25T09:00:00Z',
      [
        ['2026-04-23', 24],
        ['2026-04-24', 23],
        ['2026-04-25', 12],
      ],
    ],
  ])('%s', (_, zone, now, expected) => {
    expect(days(zone, now, 3)).toEqual(expected);
  });

  it('follow on one another without a gap, over a whole year', () => {
    vi.stubEnv('TZ', 'America/Santiago');
    const found = localDays(366, Date.parse('2026-11-30T12:00:00Z'));
    expect(found.slice(1).map(({ from }) => from)).toEqual(found.slice(0, -1).map(({ to }) => to));
    expect(new Set(found.map(({ day }) => day)).size).toBe(366);
  });
});
