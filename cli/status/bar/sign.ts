import { LAMP_CURVES, LAMP_RGB, type LampColour, type LampCurve } from '../../../protocol/curves.ts';
import type { LampState } from '../../../protocol/states.ts';
import { LAMP_WORDS } from '../../words.ts';

/** What a status bar can be in: a display state, or no hub that could say one. */
export type BarState = LampState | 'offline';

/** How a state looks on every bar: one table for all hosts. */
export interface Sign {
  readonly glyph: string;
  readonly colour: LampColour;
  /** `#rrggbb`. */
  readonly rgb: string;
  readonly word: string;
  /** It asks for the user. */
  readonly loud: boolean;
}

const LOUD: ReadonlySet<BarState> = new Set<BarState>(['blocked', 'permission', 'needs_review']);

/** How the lamp of a state moves. No hub looks like `stale`: what it showed last is not to be trusted. */
export function curveOf(state: BarState): LampCurve {
  return LAMP_CURVES[state === 'offline' ? 'stale' : state];
}

/** The look of a state. */
export function signOf(state: BarState): Sign {
  const { glyph, colour } = curveOf(state);
  const word = state === 'offline' ? 'offline' : LAMP_WORDS[state];
  return { glyph, colour, rgb: hex(LAMP_RGB[colour]), word, loud: LOUD.has(state) };
}

/** `#rrggbb` of a 24-bit colour. */
export function hex(rgb: number): string {
  return `#${rgb.toString(16).padStart(6, '0')}`;
}
