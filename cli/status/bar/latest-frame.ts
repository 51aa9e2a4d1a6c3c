import type { Writable } from 'node:stream';
import type { Clock } from '../../../runtime/clock.ts';

/**
 * Between two frames [ms]: a host that finds several lines in one read may show the first of them (polybar before 3.7.2), or take them apart where a frame is
 * not over (SwiftBar). The first one after a silence goes out at once.
 */
const SPACING = 100;

/** Where frames are shown. */
export interface LatestFrame {
  /** Shows a frame as soon as its host reads; of those that come meanwhile only the last. One that stands there already is not written again. */
  show(frame: string): void;
}

/** Writes frames to a host. One that does not read costs no memory: at most one frame is on its way and one waits. */
export function latestFrame(stream: Pick<Writable, 'write'>, clock: Clock): LatestFrame {
  let written: string | undefined;
  let waiting: string | undefined;
  let step: 'free' | 'writing' | 'resting' = 'free';

  function pump(): void {
    if (step !== 'free' || waiting === undefined) return;
    const frame = waiting;
    waiting = undefined;
    if (frame === written) return;
    written = frame;
    step = 'writing';
    stream.write(frame, () => {
      step = 'resting';
      clock.at(clock.now() + SPACING, rested);
    });
  }

  function rested(): void {
    if (step !== 'resting') return;
    step = 'free';
    pump();
  }

  // A clock that was set back by an hour must not hold the news back by an hour.
  clock.onJump(rested);
  return {
    show(frame) {
      waiting = frame;
      pump();
    },
  };
}
