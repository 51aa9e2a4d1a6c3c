import { describe, expect, it } from 'vitest';
import { OPENCODE, SEEDS } from '../../truth/clients.ts';
import { measure } from '../../truth/measure.ts';

// Floors lie just below what is reached: `npm run truth` prints the figures. Who raises a figure raises its floor.

/** A wait of 0.65 s: an alert for it is right, and none is missed. */
const SHORT_WAITS = 1;

describe('OpenCode, whose plugin tells all', () => {
  const clean = measure(OPENCODE, { sources: false });
  const noisy = SEEDS.map((seed) => measure(OPENCODE, { sources: false, seed }));

  it('is true all the time', () => {
    expect(clean.scenarios).toHaveLength(18);
    expect(clean.right).toBe(100);
    for (const { macro } of noisy) expect(macro).toBeGreaterThanOrEqual(99.9);
  });

  it('never looks done for longer than an event is late', () => {
    for (const { total } of [clean, ...noisy]) expect(total.false_calm).toBeLessThanOrEqual(40);
  });

  it('alerts once for every wait of 0.7 s or more, and for nothing else', () => {
    expect(clean.alerts).toEqual({ right: 7, wrong: [] });
    for (const { alerts } of noisy) {
      expect(alerts.wrong).toEqual([]);
      expect(alerts.right).toBeGreaterThanOrEqual(7 - SHORT_WAITS);
    }
  });

  it('tells how turns ended: an idle after an error turns nothing green', () => {
    for (const { ends } of [clean, ...noisy]) expect(ends.wrong).toEqual([]);
    expect(clean.ends.right).toBe(26);
  });

  it('needs no second source', () => {
    expect(measure(OPENCODE, { sources: true })).toEqual(clean);
  });
});
