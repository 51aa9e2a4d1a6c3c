import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frameAt, isAnimated, LAMP_CURVES, LAMP_RGB, type LampCurve } from '../../../protocol/curves.ts';
import { LAMP_STATES, type LampState } from '../../../protocol/states.ts';

const frames = (lamp: LampState): { brightness: number; scale: number }[] => {
  const curve = LAMP_CURVES[lamp];
  return Array.from({ length: curve.period }, (_, elapsed) => frameAt(curve, elapsed));
};
const range = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);

/** How often in ten seconds a lamp goes from its dark to its lit half. */
function flashesIn10s(curve: LampCurve): number {
  const lit = Array.from({ length: 10_001 }, (_, ms) => frameAt(curve, ms).brightness > 127);
  return lit.filter((isLit, ms) => isLit && lit[ms - 1] === false).length;
}

describe('the lamp language', () => {
  it.each([
    ['ready', 'green', false],
    ['active', 'green', true],
    ['completed', 'green', true],
    ['needs_review', 'yellow', true],
    ['permission', 'red', true],
    ['blocked', 'red', true],
    ['stale', 'grey-yellow', true],
    ['paused', 'grey', false],
  ] as const)('%s is %s, and moves: %s', (lamp, colour, moves) => {
    expect(LAMP_CURVES[lamp].colour).toBe(colour);
    expect(LAMP_RGB[colour]).toBeGreaterThan(0);
    expect(isAnimated(LAMP_CURVES[lamp])).toBe(moves);
    expect(range(frames(lamp).map(({ brightness }) => brightness)) > 0).toBe(moves);
  });

  it('tells each state apart by its glyph alone', () => {
    const glyphs = LAMP_STATES.map((lamp) => LAMP_CURVES[lamp].glyph);
    expect(new Set(glyphs).size).toBe(LAMP_STATES.length);
    expect(glyphs.filter((glyph) => glyph.length !== 1)).toEqual([]);
  });

  it('breathes in brightness and size together', () => {
    const breath = frames('active');
    const brightest = breath.findIndex(({ brightness }) => brightness === 255);
    expect(breath[brightest]?.scale).toBe(100);
    expect(breath[0]).toEqual({ brightness: 90, scale: 88 });
    expect(range(breath.map(({ scale }) => scale))).toBe(12);
  });

  it.each(['completed', 'needs_review', 'permission'] as const)(
    'scales %s slightly with its flash',
    (lamp) => {
      const all = frames(lamp);
      const brightest = all.filter(({ brightness }) => brightness === 255);
      expect(brightest.every(({ scale }) => scale === 106)).toBe(true);
      expect(Math.min(...all.map(({ scale }) => scale))).toBe(100);
    },
  );

  it.each(['blocked', 'stale', 'paused', 'ready'] as const)('leaves the size of %s alone', (lamp) => {
    expect(new Set(frames(lamp).map(({ scale }) => scale))).toEqual(new Set([100]));
  });

  it('flashes blocked faster than what flashes slowly, and nothing three times a second', () => {
    expect(flashesIn10s(LAMP_CURVES.blocked)).toBeGreaterThan(2 * flashesIn10s(LAMP_CURVES.permission));
    expect(flashesIn10s(LAMP_CURVES.permission)).toBe(flashesIn10s(LAMP_CURVES.needs_review));
    for (const lamp of LAMP_STATES) expect(flashesIn10s(LAMP_CURVES[lamp])).toBeLessThan(30);
  });

  it('has curves that a microcontroller can follow', () => {
    for (const { period, points } of Object.values(LAMP_CURVES)) {
      const times = points.map(({ at }) => at);
      expect(times[0]).toBe(0);
      expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
      expect(Math.max(...times)).toBeLessThan(period);
      for (const value of [period, ...points.flatMap((point) => Object.values(point))])
        expect(Number.isInteger(value)).toBe(true);
    }
  });
});

describe('frameAt', () => {
  const curve: LampCurve = {
    colour: 'green',
    glyph: 'x',
    period: 100,
    points: [
      { at: 0, brightness: 0, scale: 100 },
      { at: 40, brightness: 200, scale: 120 },
    ],
  };

  it.each([
    [0, 0, 100],
    [20, 100, 110],
    [40, 200, 120],
    [70, 100, 110],
    [100, 0, 100],
    [120, 100, 110],
    [-80, 100, 110],
  ])('at %i ms: brightness %i, scale %i', (elapsed, brightness, scale) => {
    expect(frameAt(curve, elapsed)).toEqual({ brightness, scale });
  });

  it('shows a curve without points fully on', () => {
    expect(frameAt({ ...curve, points: [] }, 5)).toEqual({ brightness: 255, scale: 100 });
  });

  it('repeats for ever, with whole numbers in their ranges', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LAMP_STATES), fc.integer({ min: 0, max: 2 ** 45 }), (lamp, elapsed) => {
        const own = LAMP_CURVES[lamp];
        const frame = frameAt(own, elapsed);
        expect(frame).toEqual(frameAt(own, elapsed + own.period));
        expect(Number.isInteger(frame.brightness) && Number.isInteger(frame.scale)).toBe(true);
        expect(frame.brightness).toBeGreaterThanOrEqual(0);
        expect(frame.brightness).toBeLessThanOrEqual(255);
      }),
    );
  });
});
