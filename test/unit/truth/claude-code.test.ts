import { describe, expect, it } from 'vitest';
import { CLAUDE, SEEDS } from '../../truth/clients.ts';
import { type Figures, measure, measureStops } from '../../truth/measure.ts';

// Floors lie just below what is reached: `npm run truth` prints the figures. Who raises a figure raises its floor.

describe('Claude Code by hooks alone', () => {
  const clean = measure(CLAUDE, { sources: false });
  const noisy = SEEDS.map((seed) => measure(CLAUDE, { sources: false, seed }));

  it('is true most of the time, and green on a guess hardly ever', () => {
    expect(clean.scenarios).toHaveLength(74);
    expect(clean.macro).toBeGreaterThanOrEqual(92.1);
    expect(clean.clean).toBeGreaterThanOrEqual(61);
    expect(clean.total.false_calm).toBeLessThanOrEqual(1_310);
  });

  it('stays so when hooks are late, pass one another or get lost', () => {
    expect(Math.min(...noisy.map(({ macro }) => macro))).toBeGreaterThanOrEqual(87.3);
    expect(mean(noisy)).toBeGreaterThanOrEqual(89.9);
  });

  it('alerts once for every wait of 0.7 s or more, and for nothing else', () => {
    expect(clean.alerts).toEqual({ right: 31, wrong: [] });
  });

  it('with noise misses what was lost, and alerts for nothing', () => {
    const wrong = noisy.flatMap(({ alerts }) => alerts.wrong.filter(({ what }) => what !== 'missed'));
    // Its turn's Stop was lost: the user's own dialog seems to come in the middle of it.
    expect(wrong).toEqual([expect.objectContaining({ scenario: 'misc', what: 'false', reason: 'dialog' })]);
  });

  it('tells how turns ended, as far as it was told', () => {
    for (const { ends } of [clean, ...noisy]) expect(ends.wrong).toEqual([]);
    expect(clean.ends.right).toBe(70);
  });
});

describe('Claude Code with its status', () => {
  const clean = measure(CLAUDE, { sources: true });
  const noisy = SEEDS.map((seed) => measure(CLAUDE, { sources: true, seed }));

  it('is true nearly all the time', () => {
    expect(clean.right).toBeGreaterThanOrEqual(99.96);
    expect(clean.clean).toBe(81);
    expect(clean.scenarios).toHaveLength(81);
    for (const { right } of noisy) expect(right).toBeGreaterThanOrEqual(99.98);
  });

  it('alerts once for every wait of 0.7 s or more, and for nothing else', () => {
    for (const { alerts } of [clean, ...noisy]) expect(alerts).toEqual({ right: 31, wrong: [] });
  });

  it('tells how turns ended', () => {
    for (const { ends } of [clean, ...noisy]) expect(ends.wrong).toEqual([]);
    expect(clean.ends.right).toBe(70);
  });

  it('loses little when the status stops changing', () => {
    const { stops, hooks, stopped } = measureStops(CLAUDE);
    expect(stops).toBe(301);
    expect(hooks - stopped).toBeLessThanOrEqual(1);
  });
});

function mean(figures: readonly Figures[]): number {
  return figures.reduce((sum, { macro }) => sum + macro, 0) / figures.length;
}
