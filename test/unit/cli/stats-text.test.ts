import { describe, expect, it } from 'vitest';
import { statsText } from '../../../cli/stats/stats-text.ts';
import { exactDuration } from '../../../cli/terminal/duration.ts';
import { widthOf } from '../../../cli/terminal/cells.ts';
import type { StatsData, WaitFigures } from '../../../protocol/messages/stats.ts';

const LOOK = { colour: false, terminal: true, width: 80, now: 0, rhythm: false };

function figures(more: Partial<WaitFigures> = {}): WaitFigures {
  return { waits: 0, waited_s: 0, any_s: 0, longest_s: 0, median_s: 0, expired: 0, ...more };
}

const BUSY = figures({
  waits: 12,
  waited_s: 7_260,
  any_s: 7_000,
  longest_s: 3_600,
  median_s: 95,
  expired: 1,
});

function data(more: Partial<StatsData> = {}): StatsData {
  return {
    v: 1,
    from: 1_000_000,
    to: 1_172_800,
    days: 2,
    zone: 'UTC',
    kept_days: 30,
    since: 900_000,
    open: 0,
    total: BUSY,
    by_day: [
      { day: '2026-11-29', ...figures() },
      { day: '2026-11-30', ...BUSY },
    ],
    by_project: [{ project: 'web-shop', ...BUSY }],
    by_reason: [{ reason: 'permission_request', ...BUSY }],
    left_out: 0,
    ...more,
  };
}

const lines = (more: Partial<StatsData> = {}, by: 'day' | 'project' | 'reason' = 'day'): string[] =>
  statsText(data(more), by, LOOK).split('\n');

describe('the table', () => {
  it('tells the whole first, then each day', () => {
    expect(lines()).toEqual([
      'Agents waited for you 2 h 1 min in the last 2 days, 12 times.',
      'Some of it at once: for 1 h 56 min at least one of them waited.',
      '',
      'DAY             WAITS  WAITED     LONGEST  MEDIAN      UNANSWERED',
      'Sun 2026-11-29  -',
      'Mon 2026-11-30  12     2 h 1 min  1 h      1 min 35 s  1',
      '',
    ]);
  });

  it('leaves out days of which nothing is known', () => {
    expect(lines({ since: 1_100_000 }).filter((line) => line.includes('2026'))).toHaveLength(1);
  });

  it('puts reasons into plain words', () => {
    expect(lines({}, 'reason')[4]).toMatch(/^permission {2}12 /);
  });

  it.each([
    [0, undefined],
    [1, 'One waits right now.'],
    [3, '3 wait right now.'],
  ])('tells that %i wait', (open, said) => {
    expect(lines({ open })[2]).toBe(said ?? '');
  });

  it('tells what is missing', () => {
    expect(lines({ left_out: 2 }, 'project')).toContain('2 more projects are left out.');
    expect(lines({ left_out: 1 }, 'project')).toContain('1 more project is left out.');
    expect(lines({ days: 90 })).toContain('The history goes back 30 days ("history.days").');
    expect(lines({ days: 2, kept_days: 1 })).toContain('The history goes back one day ("history.days").');
  });
});

it.each([
  ['nothing yet', { since: undefined }, 'Nothing has been recorded yet.'],
  ['nobody has waited', {}, 'No agent has waited for you in the last 2 days.'],
  ['nor today', { days: 1 }, 'No agent has waited for you today.'],
])('says so where there is nothing to show: %s', (_, more, said) => {
  const { since: _since, ...rest } = data({ total: figures(), by_project: [], by_reason: [] });
  const shown = { ...rest, ...('since' in more ? {} : { since: 1, ...more }) };
  expect(statsText(shown, 'day', LOOK).split('\n')[0]).toBe(said);
});

describe('a project’s name is hostile', () => {
  it.each([
    ['an escape sequence', '\u001b]0;owned\u0007\u001b[2Jshop'],
    ['a line of its own', 'shop\n\rAgents waited for you 0 s'],
    ['turned round', '\u202eshop\u2066'],
    ['wide and long', '漢字🦀'.repeat(30)],
  ])('%s', (_, project) => {
    const shown = lines({ by_project: [{ project, ...BUSY }] }, 'project');
    expect(shown).toHaveLength(6);
    for (const line of shown) {
      // What is not ASCII is followed by a column number of ours.
      const plain = line.replaceAll(/\u001b\[\d+G/g, '');
      expect(plain).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      expect(widthOf(plain)).toBeLessThanOrEqual(80);
    }
  });
});

it.each([
  [0, '0 s'],
  [59.9, '59 s'],
  [60, '1 min'],
  [125, '2 min 5 s'],
  [3_600, '1 h'],
  [3_659, '1 h'],
  [86_399, '23 h 59 min'],
  [90_000, '1 d 1 h'],
  [-5, '0 s'],
])('%d s is %s', (seconds, words) => {
  expect(exactDuration(seconds)).toBe(words);
});
