import { describe, expect, it } from 'vitest';
import { QWEN, SEEDS } from '../../truth/clients.ts';
import { measure } from '../../truth/measure.ts';

// Floors lie just below what is reached: `npm run truth` prints the figures. Who raises a figure raises its floor.

describe('Qwen', () => {
  const clean = measure(QWEN, { sources: false });
  const noisy = SEEDS.map((seed) => measure(QWEN, { sources: false, seed }));

  it('is true nearly all the time, and green on a guess never', () => {
    expect(clean.macro).toBeGreaterThanOrEqual(99.7);
    expect(clean.clean).toBe(19);
    expect(clean.scenarios).toHaveLength(19);
    expect(clean.total.false_calm).toBe(0);
    expect(clean.total.missed_wait).toBe(0);
  });

  it('stays so when hooks are late, pass one another or get lost', () => {
    const macros = noisy.map(({ macro }) => macro);
    expect(Math.min(...macros)).toBeGreaterThanOrEqual(97.8);
    expect(macros.reduce((sum, macro) => sum + macro, 0) / macros.length).toBeGreaterThanOrEqual(99.1);
    for (const { total } of noisy) expect(total.false_calm).toBeLessThanOrEqual(850);
  });

  it('alerts once for every wait of 0.7 s or more, and for nothing else', () => {
    for (const { alerts } of [clean, ...noisy]) expect(alerts).toEqual({ right: 7, wrong: [] });
  });

  it('tells how turns ended', () => {
    for (const { ends } of [clean, ...noisy]) expect(ends.wrong).toEqual([]);
    expect(clean.ends.right).toBe(29);
  });
});
