import { isRaised, liveLamp } from './derive.ts';
import { endsLatch, requestLamp, strongerLamp } from './lamp.ts';
import type { EventInput, SessionFacts } from './session.ts';
import type { LampState } from './states.ts';

/**
 * The alert that nobody has seen (spec: state, section 6): what only a Stop or SessionEnd closes stays on the lamp through Stop and SessionEnd. What ends
 * a latch otherwise is `settledLatch`.
 */
export function latchAfter(
  before: SessionFacts,
  attentions: SessionFacts['attentions'],
  input: EventInput,
): LampState | undefined {
  const { event } = input.event;
  if (event === 'Interrupt') return undefined;
  if (event !== 'Stop' && event !== 'SessionEnd') return before.latch;
  const unseen = before.attentions.filter(
    (open) => !attentions.includes(open) && isRaised(open, before, input.arrival),
  );
  const closed = requestLamp(unseen);
  const failed =
    event === 'SessionEnd' && !before.turn.running && before.turn.end === 'failed' ? 'blocked' : undefined;
  const shown = failed ?? closed;
  return shown === undefined ? before.latch : strongerLamp(shown, before.latch);
}

/** A latch lasts until something as strong as `active` shows (a raw `stale` or `paused`: until anything does), Stop and SessionEnd apart. */
export function settledLatch(next: SessionFacts, { event, arrival }: EventInput): LampState | undefined {
  if (next.latch === undefined || event.event === 'Stop' || event.event === 'SessionEnd') return next.latch;
  return endsLatch(next.latch, liveLamp(next, arrival)) ? undefined : next.latch;
}
