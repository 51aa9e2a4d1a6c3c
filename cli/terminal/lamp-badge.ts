import { frameAt, isAnimated, LAMP_CURVES, type LampColour } from '../../protocol/curves.ts';
import type { LampState } from '../../protocol/states.ts';
import { type Paint, plain, sgr } from './paint.ts';

/** A lamp as a terminal shows it: three columns wide, whatever its state. */
export interface Badge {
  readonly text: string;
  readonly paint: Paint;
}

/** A terminal has three steps between dark and fully on; the curve's brightness decides. */
type Step = 'high' | 'middle' | 'low';

const HIGH = 200;
const MIDDLE = 110;

const CODES: Readonly<Record<LampColour, number>> = {
  green: 32,
  yellow: 33,
  red: 31,
  grey: 90,
  'grey-yellow': 33,
};

const LOUD: ReadonlySet<LampState> = new Set<LampState>(['blocked', 'permission', 'needs_review']);

/** What asks for the user stands in a lit field (SGR 7) that goes out in the dark half of its rhythm; everything else is a sign. */
const LOUD_STEPS: Readonly<Record<Step, readonly number[]>> = { high: [1, 7], middle: [7], low: [] };
const QUIET_STEPS: Readonly<Record<Step, readonly number[]>> = { high: [1], middle: [], low: [2] };

/** Grey-yellow is yellow, held back. */
const STALE_STEPS: Readonly<Record<Step, readonly number[]>> = { high: [], middle: [2], low: [2] };

/** The step of a lamp that does not move. */
const STILL: Readonly<Record<LampState, Step>> = {
  paused: 'middle',
  blocked: 'high',
  permission: 'high',
  needs_review: 'high',
  stale: 'middle',
  active: 'high',
  completed: 'high',
  ready: 'middle',
};

/**
 * A lamp's glyph in its colour. @param elapsed ms, for its rhythm at that moment; without it the lamp is still, fully on
 */
export function lampBadge(
  lamp: LampState,
  { colour, elapsed }: { colour: boolean; elapsed?: number },
): Badge {
  const curve = LAMP_CURVES[lamp];
  const text = ` ${curve.glyph} `;
  if (!colour) return { text, paint: plain };
  const step =
    elapsed === undefined || !isAnimated(curve) ? STILL[lamp] : stepOf(frameAt(curve, elapsed).brightness);
  return { text, paint: sgr(...stepsOf(lamp)[step], CODES[curve.colour]) };
}

function stepsOf(lamp: LampState): Readonly<Record<Step, readonly number[]>> {
  if (LOUD.has(lamp)) return LOUD_STEPS;
  return lamp === 'stale' ? STALE_STEPS : QUIET_STEPS;
}

function stepOf(brightness: number): Step {
  if (brightness >= HIGH) return 'high';
  return brightness >= MIDDLE ? 'middle' : 'low';
}
