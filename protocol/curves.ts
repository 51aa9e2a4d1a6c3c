import type { LampState } from './states.ts';

/**
 * The lamp language as data (spec: state, section 8): web page, terminal and firmware draw every lamp from this table, whatever its look. Integers only, so that a
 * microcontroller computes the same frame.
 */
export type LampColour = 'green' | 'yellow' | 'red' | 'grey' | 'grey-yellow';

/** 24-bit RGB of a lamp that is fully on, for surfaces with a screen of their own. A terminal uses its theme's colours. */
export const LAMP_RGB: Readonly<Record<LampColour, number>> = {
  green: 0x2fb457,
  yellow: 0xf2b705,
  red: 0xe5484d,
  grey: 0x8b8f96,
  'grey-yellow': 0xa89a5b,
};

/** One point of a curve. Between two points a lamp changes evenly. */
export interface CurvePoint {
  /** Milliseconds from the start of the period. */
  readonly at: number;
  /** 0 (dark) to 255 (fully on). */
  readonly brightness: number;
  /** Size in percent of the lamp's own; the place it takes in a layout never changes. */
  readonly scale: number;
}

export interface LampCurve {
  readonly colour: LampColour;
  /** Tells the state apart without colour; one cell wide in every terminal (East Asian Width neutral or narrow). */
  readonly glyph: string;
  /** Milliseconds after which it begins again. It goes on for as long as the state lasts. */
  readonly period: number;
  /** Ascending in `at`, the first at 0; after the last it goes back to the first. One point alone: the lamp is still. */
  readonly points: readonly CurvePoint[];
}

/** What a lamp looks like at a moment. */
export type LampFrame = Omit<CurvePoint, 'at'>;

const still = (brightness: number): readonly CurvePoint[] => [{ at: 0, brightness, scale: 100 }];

/** On for half the period, then low; the edges take `edge` ms. */
function flash(period: number, edge: number, low: number, scale: number): readonly CurvePoint[] {
  const half = period / 2;
  return [
    { at: 0, brightness: low, scale: 100 },
    { at: edge, brightness: 255, scale },
    { at: half, brightness: 255, scale },
    { at: half + edge, brightness: low, scale: 100 },
  ];
}

/** Half a wave up and half down, as a cosine would do it in eight steps: brightness and size together. */
const BREATH: readonly CurvePoint[] = [
  { at: 0, brightness: 90, scale: 88 },
  { at: 375, brightness: 114, scale: 90 },
  { at: 750, brightness: 172, scale: 94 },
  { at: 1125, brightness: 231, scale: 98 },
  { at: 1500, brightness: 255, scale: 100 },
  { at: 1875, brightness: 231, scale: 98 },
  { at: 2250, brightness: 172, scale: 94 },
  { at: 2625, brightness: 114, scale: 90 },
];

/** A short flash from a steady light. */
const GLINT: readonly CurvePoint[] = [
  { at: 0, brightness: 160, scale: 100 },
  { at: 60, brightness: 255, scale: 106 },
  { at: 240, brightness: 255, scale: 106 },
  { at: 400, brightness: 160, scale: 100 },
];

/** Two flashes a second at most: more than three are a hazard (WCAG 2.3.1). */
export const LAMP_CURVES: Readonly<Record<LampState, LampCurve>> = {
  ready: { colour: 'green', glyph: '∙', period: 1000, points: still(255) },
  active: { colour: 'green', glyph: '▸', period: 3000, points: BREATH },
  completed: { colour: 'green', glyph: '✓', period: 2000, points: GLINT },
  needs_review: { colour: 'yellow', glyph: '?', period: 1600, points: flash(1600, 80, 70, 106) },
  permission: { colour: 'red', glyph: '!', period: 1600, points: flash(1600, 80, 70, 106) },
  blocked: { colour: 'red', glyph: '✗', period: 500, points: flash(500, 20, 50, 100) },
  stale: { colour: 'grey-yellow', glyph: '~', period: 1600, points: flash(1600, 80, 110, 100) },
  paused: { colour: 'grey', glyph: '=', period: 1000, points: still(140) },
};

/** True for a lamp that changes while its state lasts. */
export function isAnimated({ points }: LampCurve): boolean {
  return points.length > 1;
}

/**
 * The lamp `elapsed` ms after any fixed moment; surfaces that count from the same moment flash together. Whole numbers, rounded towards the earlier point.
 */
export function frameAt({ period, points }: LampCurve, elapsed: number): LampFrame {
  const time = ((Math.trunc(elapsed) % period) + period) % period;
  const next = points.findIndex(({ at }) => at > time);
  const to = points[next] ?? points[0];
  const from = points[next === -1 ? points.length - 1 : next - 1];
  if (from === undefined || to === undefined) return { brightness: 255, scale: 100 };
  const span = (next === -1 ? period : to.at) - from.at;
  const part = time - from.at;
  return {
    brightness: from.brightness + Math.trunc(((to.brightness - from.brightness) * part) / span),
    scale: from.scale + Math.trunc(((to.scale - from.scale) * part) / span),
  };
}
