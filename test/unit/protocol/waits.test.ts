import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { statsData } from '../../../protocol/messages/stats.ts';
import { type Day, type WaitSpan, waitFigures } from '../../../protocol/waits.ts';

const S = 1_000;
const DAY = 1_000 * S;
const DAYS: readonly Day[] = [0, 1, 2].map((index) => ({
  day: `day ${index}`,
  from: index * DAY,
  to: (index + 1) * DAY,
}));

function wait(from: number, to: number, more: Partial<WaitSpan> = {}): WaitSpan {
  return {
    provider: 'claude',
    key: 'a',
    project: 'shop',
    reason: 'permission_request',
    by_user: false,
    started_at: from * S,
    ended_at: to * S,
    ended_by: 'tool_use',
    ...more,
  };
}

const figures = (...spans: readonly WaitSpan[]): ReturnType<typeof waitFigures> => waitFigures(spans, DAYS);

it('nothing is all zeros', () => {
  const none = { waits: 0, waited_s: 0, any_s: 0, longest_s: 0, median_s: 0, expired: 0 };
  expect(figures()).toEqual({
    total: none,
    by_day: DAYS.map(({ day }) => ({ day, ...none })),
    by_project: [],
    by_reason: [],
    left_out: 0,
  });
  expect(waitFigures([wait(0, 5)], []).total).toEqual(none);
});

describe('one session', () => {
  it('counts several requests at once as one wait', () => {
    const found = figures(wait(10, 20), wait(20, 30, { reason: 'question' }), wait(30, 40));
    expect(found.total).toMatchObject({ waits: 1, waited_s: 30, any_s: 30, longest_s: 30, median_s: 30 });
    expect(found.by_reason).toMatchObject([
      { reason: 'permission_request', waits: 1, waited_s: 20, any_s: 20 },
      { reason: 'question', waits: 1, waited_s: 10 },
    ]);
  });

  it('counts no time twice where a clock was set back', () => {
    const found = figures(wait(10, 40), wait(20, 30), wait(35, 50, { project: 'renamed' }));
    expect(found.total).toMatchObject({ waits: 1, waited_s: 40, any_s: 40 });
    expect(found.by_project.map(({ project }) => project)).toEqual(['shop']);
    expect(found.by_reason).toMatchObject([{ waits: 1, waited_s: 40 }]);
  });

  it.each([
    ['what an agent has answered itself', wait(10, 10.49)],
    ['a dialog that the user has opened', wait(10, 500, { by_user: true })],
    ['what was before the time', wait(-50, 0)],
    ['what is behind it: a clock was set back', wait(3_000, 3_500)],
  ])('counts as no wait: %s', (_, span) => {
    expect(figures(span).total.waits).toBe(0);
  });

  it('counts a wait that lasts', () => {
    const { ended_by: _, ...open } = wait(2_990, 3_000);
    expect(figures(open).total).toMatchObject({ waits: 1, waited_s: 10, expired: 0 });
  });
});

describe('several sessions', () => {
  it('add up, and the time in which any waited is counted once', () => {
    const found = figures(
      wait(10, 30),
      wait(20, 50, { key: 'b', project: 'api' }),
      wait(25, 28, { key: 'c', provider: 'codex' }),
      wait(90, 100, { key: 'd' }),
    );
    expect(found.total).toMatchObject({ waits: 4, waited_s: 63, any_s: 50, longest_s: 30, median_s: 15 });
    expect(found.by_project).toMatchObject([
      { project: 'shop', waits: 3, waited_s: 33, any_s: 30 },
      { project: 'api', waits: 1, waited_s: 30 },
    ]);
  });

  it('of one key are two where the provider is another', () => {
    expect(figures(wait(10, 20), wait(12, 20, { provider: 'codex' })).total.waits).toBe(2);
  });

  it('of as much time stand by name', () => {
    const found = figures(wait(10, 20, { project: 'b' }), wait(30, 40, { project: 'a' }));
    expect(found.by_project.map(({ project }) => project)).toEqual(['a', 'b']);
  });

  it('more projects than fit are counted', () => {
    const many = Array.from({ length: 45 }, (_, index) =>
      wait(index * 10, index * 10 + 5, { key: `k${index}`, project: `p${index}` }),
    );
    const found = figures(...many);
    expect([found.by_project.length, found.left_out, found.total.waits]).toEqual([40, 5, 45]);
  });
});

describe('a day', () => {
  it('has its part of a wait over midnight', () => {
    const found = figures(wait(900, 2_100, { ended_by: 'expiry' }));
    expect(found.by_day).toMatchObject([
      { waits: 1, waited_s: 100, longest_s: 100, expired: 0 },
      { waits: 1, waited_s: 1_000, expired: 0 },
      { waits: 1, waited_s: 100, expired: 1 },
    ]);
    expect(found.total).toMatchObject({ waits: 1, waited_s: 1_200, expired: 1 });
    expect(found.by_reason).toMatchObject([{ expired: 1 }]);
  });

  it('of another length counts what was waited in it', () => {
    const days = [
      { day: 'short', from: 0, to: 23 * S },
      { day: 'long', from: 23 * S, to: 48 * S },
    ];
    const found = waitFigures([wait(0, 48)], days);
    expect(found.by_day.map(({ waited_s }) => waited_s)).toEqual([23, 25]);
  });

  it('holds what began before the time only as far as it lies in it', () => {
    const found = figures(wait(-500, -100, { reason: 'question' }), wait(-100, 100));
    expect(found.total).toMatchObject({ waits: 1, waited_s: 100 });
    expect(found.by_reason.map(({ reason }) => reason)).toEqual(['permission_request']);
    expect(figures(wait(2_900, 3_900, { ended_by: 'expiry' })).total).toMatchObject({
      waited_s: 100,
      expired: 0,
    });
  });
});

describe('whatever was recorded', () => {
  const span = fc
    .record({
      key: fc.constantFrom('a', 'b', 'c'),
      project: fc.constantFrom('shop', 'api'),
      reason: fc.constantFrom('question', 'permission_request'),
      by_user: fc.boolean(),
      from: fc.integer({ min: -1_500, max: 3_500 }),
      length: fc.integer({ min: 0, max: 1_500 }),
      ended_by: fc.constantFrom('expiry', 'ack'),
    })
    .map(({ from, length, ...more }) => wait(from, from + length, more));

  it('the parts make the whole', () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 12 }), (spans) => {
        const found = waitFigures(spans, DAYS);
        const { total, by_day, by_reason } = found;
        const sum = (of: readonly { waited_s: number }[]): number =>
          of.reduce((all, { waited_s }) => all + waited_s, 0);
        expect(sum(by_day)).toBe(total.waited_s);
        expect(sum(by_reason)).toBe(total.waited_s);
        expect(sum(found.by_project)).toBe(total.waited_s);
        expect(by_day.reduce((all, { any_s }) => all + any_s, 0)).toBe(total.any_s);
        expect(total.any_s).toBeLessThanOrEqual(Math.min(total.waited_s, 3_000));
        expect(total.median_s).toBeLessThanOrEqual(total.longest_s);
        expect(waitFigures(spans.toReversed(), DAYS).total.waited_s).toBe(total.waited_s);
        for (const entry of [total, ...by_day, ...by_reason, ...found.by_project]) {
          expect(entry.longest_s).toBeLessThanOrEqual(entry.any_s);
          expect(entry.expired).toBeLessThanOrEqual(entry.waits);
        }
        const rest = { v: 1, from: 0, to: 3_000, days: 3, zone: 'UTC', kept_days: 30, open: 0 };
        expect(statsData.safeParse({ ...rest, ...found }).success).toBe(true);
      }),
    );
  });
});
