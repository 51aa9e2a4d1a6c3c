import { shortDuration } from '../terminal/duration.ts';
import { lampBadge } from '../terminal/lamp-badge.ts';
import type { Look } from '../terminal/look.ts';
import { type Paint, palette, plain } from '../terminal/paint.ts';
import type { Cell, Column } from '../terminal/table.ts';
import type { AttentionState } from '../../protocol/states.ts';
import { lampNote, reasonWords, stateWords } from '../words.ts';
import type { ProviderStatus } from './status-view.ts';

/** Lamp, name, state, projects, reason, since. @param least widths for lines that are printed one by one */
export function providerColumns(least: { readonly name?: number; readonly state?: number } = {}): Column[] {
  const { name = 0, state = 0 } = least;
  return [
    {},
    { min: name, shrinkTo: 6 },
    { min: state },
    { shrinkTo: 8 },
    { shrinkTo: 8, drop: 1 },
    { drop: 2 },
  ];
}

/** One provider as it is now. */
export function providerRow({ signal }: ProviderStatus, look: Look): readonly Cell[] {
  const { lamp, name, attention } = signal;
  const { state, count, projects, reason, since } = attention;
  const { dim } = palette(look.colour);
  const more = count - projects.length;
  const names = projects.join(', ') + (more > 0 && projects.length > 0 ? ` +${more}` : '');
  const notes = [state === 'idle' ? '' : reasonWords(reason), lampNote(lamp, state)];
  const isTimed = since > 0 && state !== 'idle';
  return [
    lampBadge(lamp, look.rhythm ? { colour: look.colour, elapsed: look.now } : { colour: look.colour }),
    { text: name },
    { text: stateWords(state, count), paint: statePaint(state, look.colour) },
    { text: names },
    { text: notes.filter((note) => note !== '').join(', '), paint: dim },
    { text: isTimed ? shortDuration(look.now / 1000 - since) : '', paint: dim },
  ];
}

/** One provider of which nothing is known at the moment. */
export function unknownRow({ signal }: ProviderStatus, { colour }: Look): readonly Cell[] {
  const { dim } = palette(colour);
  return [
    lampBadge('stale', { colour }),
    { text: signal.name, paint: dim },
    { text: stateWords('unknown'), paint: dim },
  ];
}

/** The state's colour: the lamp may say something else of the same moment (it lags behind, or is paused). */
export function statePaint(state: AttentionState, colour: boolean): Paint {
  const { red, green, dim } = palette(colour);
  switch (state) {
    case 'needs_user':
    case 'error':
      return red;
    case 'done':
      return green;
    case 'idle':
    case 'unknown':
      return dim;
    default:
      return plain;
  }
}
