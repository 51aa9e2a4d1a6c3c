import { isAnimated, LAMP_CURVES } from '../../protocol/curves.ts';
import type { Cancel } from '../../runtime/clock.ts';
import { lookAt } from '../terminal/look.ts';
import { openScreen } from '../terminal/screen.ts';
import type { Following } from './following.ts';
import type { StatusFormat } from './format.ts';
import type { StatusView } from './status-view.ts';

/** Between two frames of a moving lamp [ms]: fine enough for the fastest flash, 500 ms. */
const FRAME = 80;
/** Between two frames that differ in the seconds alone [ms]. */
const SECOND = 1_000;

/**
 * Draws the signals in place, with the lamps' rhythm where there is colour to show it with.
 * @param onEnd called when the user ends it by a key; @returns stops it and gives the terminal back
 */
export function showOnScreen(
  { watch, board, clock, context }: Following,
  frame: NonNullable<StatusFormat['frame']>,
  onEnd: () => void,
): () => void {
  const screen = openScreen(context, { onEnd, onRedraw: () => draw() });
  let timer: Cancel | undefined;

  function draw(): void {
    timer?.();
    const now = clock.now();
    const look = lookAt(context, now);
    const view = board.view();
    screen.draw(frame(view, { ...look, rhythm: look.colour }));
    timer = clock.at(now + (look.colour && isMoving(view) ? FRAME : SECOND), draw);
  }

  screen.draw(['', '  Looking for the hub ...']);
  watch.onChange(draw);
  return () => {
    watch.onChange(() => undefined);
    timer?.();
    screen.close();
  };
}

function isMoving({ hub, lamp, providers }: StatusView): boolean {
  if (hub.state !== 'online') return isAnimated(LAMP_CURVES.stale);
  const lamps = [lamp ?? 'stale', ...providers.map(({ signal }) => signal.lamp)] as const;
  return lamps.some((each) => isAnimated(LAMP_CURVES[each]));
}
