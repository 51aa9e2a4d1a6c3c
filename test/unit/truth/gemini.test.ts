import { describe, expect, it } from 'vitest';
import { GEMINI, SEEDS } from '../../truth/clients.ts';
import { measure } from '../../truth/measure.ts';

// Floors lie just below what is reached: `npm run truth` prints the figures. Who raises a figure raises its floor.

/** "No" and Esc in a dialog, of which nothing tells: it goes on waiting until the next prompt. */
const UNTOLD = ['perm_deny', 'perm_esc'];

describe('Gemini', () => {
  const clean = measure(GEMINI, { sources: false });
  const noisy = SEEDS.map((seed) => measure(GEMINI, { sources: false, seed }));

  it('is true nearly all the time, and green on a guess never', () => {
    expect(clean.scenarios).toHaveLength(15);
    expect(clean.macro).toBeGreaterThanOrEqual(95.6);
    expect(clean.total.false_calm).toBe(0);
    expect(clean.total.missed_wait).toBe(0);
  });

  it('is wrong only where nothing tells how a dialog ended', () => {
    const wrong = clean.scenarios.filter((one) => one.wrong > 500);
    expect(wrong.map(({ scenario }) => scenario)).toEqual(UNTOLD);
    for (const one of wrong) expect(one.false_wait).toBe(one.wrong);
  });

  it('stays so when hooks are late, pass one another or get lost', () => {
    const macros = noisy.map(({ macro }) => macro);
    expect(Math.min(...macros)).toBeGreaterThanOrEqual(92.7);
    expect(macros.reduce((sum, macro) => sum + macro, 0) / macros.length).toBeGreaterThanOrEqual(94.5);
    for (const { total } of noisy) expect(total.false_calm).toBeLessThanOrEqual(50);
  });

  it('alerts once for every wait of 0.7 s or more, and for nothing else', () => {
    for (const { alerts } of [clean, ...noisy]) expect(alerts).toEqual({ right: 5, wrong: [] });
  });

  it('tells how turns ended', () => {
    for (const { ends } of [clean, ...noisy]) expect(ends.wrong).toEqual([]);
    expect(clean.ends.right).toBe(24);
  });
});
