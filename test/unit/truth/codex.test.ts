import { describe, expect, it } from 'vitest';
import { CODEX, SEEDS } from '../../truth/clients.ts';
import { measure } from '../../truth/measure.ts';

// Floors lie just below what is reached: `npm run truth` prints the figures. Who raises a figure raises its floor.

/** Reviewed by a model of Codex' own, of which no hook tells. */
const REVIEWED = 'perm_auto_review';
/** A plan's approval, of which no hook tells. */
const PLAN = 'plan_ask';

describe('Codex by hooks alone', () => {
  const clean = measure(CODEX, { sources: false });
  const noisy = SEEDS.map((seed) => measure(CODEX, { sources: false, seed }));

  it('is true most of the time', () => {
    expect(clean.scenarios).toHaveLength(34);
    expect(clean.macro).toBeGreaterThanOrEqual(85.9);
    expect(clean.clean).toBeGreaterThanOrEqual(27);
    const macros = noisy.map(({ macro }) => macro);
    expect(Math.min(...macros)).toBeGreaterThanOrEqual(84.1);
    expect(macros.reduce((sum, macro) => sum + macro, 0) / macros.length).toBeGreaterThanOrEqual(85.9);
  });

  it('alerts wrongly only for what no hook can tell', () => {
    for (const { alerts } of [clean, ...noisy]) {
      const known = { false: REVIEWED, missed: PLAN, doubled: '' };
      expect(alerts.wrong.filter(({ what, scenario }) => known[what] !== scenario)).toEqual([]);
    }
  });

  it('tells how turns ended, as far as it was told', () => {
    for (const { ends } of [clean, ...noisy]) expect(ends.wrong).toEqual([]);
    expect(clean.ends.right).toBe(52);
  });
});

describe('Codex with its rollout', () => {
  const clean = measure(CODEX, { sources: true });
  const noisy = SEEDS.map((seed) => measure(CODEX, { sources: true, seed }));

  it('is true nearly all the time', () => {
    expect(clean.right).toBeGreaterThanOrEqual(99.97);
    expect(clean.clean).toBe(34);
    for (const { right } of noisy) expect(right).toBeGreaterThanOrEqual(99.87);
  });

  it('alerts once for every wait of 0.7 s or more, and for nothing else', () => {
    for (const { alerts } of [clean, ...noisy]) expect(alerts).toEqual({ right: 9, wrong: [] });
  });

  it('tells how turns ended', () => {
    for (const { ends } of [clean, ...noisy]) expect(ends.wrong).toEqual([]);
    expect(clean.ends.right).toBe(52);
  });
});
