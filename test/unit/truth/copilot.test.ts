import { describe, expect, it } from 'vitest';
import { COPILOT, SEEDS } from '../../truth/clients.ts';
import { measure } from '../../truth/measure.ts';

// Floors lie just below what is reached: `npm run truth` prints the figures. Who raises a figure raises its floor.

describe('Copilot by hooks alone', () => {
  const clean = measure(COPILOT, { sources: false });
  const noisy = SEEDS.map((seed) => measure(COPILOT, { sources: false, seed }));

  it('is true most of the time', () => {
    expect(clean.scenarios).toHaveLength(19);
    expect(clean.macro).toBeGreaterThanOrEqual(84.5);
    expect(clean.clean).toBeGreaterThanOrEqual(12);
    const macros = noisy.map(({ macro }) => macro);
    expect(Math.min(...macros)).toBeGreaterThanOrEqual(82.5);
    expect(macros.reduce((sum, macro) => sum + macro, 0) / macros.length).toBeGreaterThanOrEqual(84);
  });

  it('never looks done while it works or waits, and misses no wait for long', () => {
    for (const { total } of [clean, ...noisy]) {
      expect(total.false_calm).toBe(0);
      expect(total.missed_wait).toBeLessThanOrEqual(40);
    }
  });

  it('alerts once for every wait, and for nothing else', () => {
    for (const { alerts } of [clean, ...noisy]) expect(alerts).toEqual({ right: 6, wrong: [] });
  });

  it('tells how turns ended, as far as it was told', () => {
    for (const { ends } of [clean, ...noisy]) expect(ends.wrong).toEqual([]);
    expect(clean.ends.right).toBe(29);
  });
});

describe('Copilot with its own log', () => {
  const clean = measure(COPILOT, { sources: true });
  const noisy = SEEDS.map((seed) => measure(COPILOT, { sources: true, seed }));

  it('is true all the time', () => {
    expect(clean.clean).toBe(19);
    for (const { right } of [clean, ...noisy]) expect(right).toBeGreaterThanOrEqual(99.99);
  });

  it('alerts once for every wait, and for nothing else', () => {
    for (const { alerts } of [clean, ...noisy]) expect(alerts).toEqual({ right: 6, wrong: [] });
  });

  it('tells how turns ended', () => {
    for (const { ends } of [clean, ...noisy]) expect(ends.wrong).toEqual([]);
    expect(clean.ends.right).toBe(29);
  });
});
