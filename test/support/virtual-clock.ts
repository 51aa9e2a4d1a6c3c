import type { Clock } from '../../runtime/clock.ts';

/** A clock that stands still until a test moves it. */
export interface VirtualClock extends Clock {
  /** Lets time pass: every deadline runs at its own moment, in order, also those set on the way. */
  advance(ms: number): void;
  /** Sets the wall clock, or wakes from a suspend: tells the jump first, then runs what it made due, all at the new time. */
  jump(ms: number): void;
  /** How many deadlines are pending. */
  pending(): number;
}

interface Deadline {
  readonly when: number;
  readonly run: () => void;
}

/** @param start unix ms; by default a round moment in the past, so that nobody mistakes it for the real time */
export function virtualClock(start = Date.UTC(2026, 0, 1)): VirtualClock {
  let now = start;
  const deadlines = new Set<Deadline>();
  const jumpCallbacks = new Set<(jumpMs: number) => void>();

  function next(untilMs: number): Deadline | undefined {
    let first: Deadline | undefined;
    for (const deadline of deadlines) {
      if (deadline.when <= untilMs && (first === undefined || deadline.when < first.when)) first = deadline;
    }
    return first;
  }

  function run(untilMs: number): void {
    for (let deadline = next(untilMs); deadline !== undefined; deadline = next(untilMs)) {
      now = Math.max(now, deadline.when);
      deadlines.delete(deadline);
      deadline.run();
    }
  }

  return {
    now: () => now,
    at(when, runAt) {
      const deadline = { when, run: runAt };
      deadlines.add(deadline);
      return () => void deadlines.delete(deadline);
    },
    onJump(callback) {
      jumpCallbacks.add(callback);
      return () => void jumpCallbacks.delete(callback);
    },
    advance(ms) {
      const until = now + ms;
      run(until);
      now = until;
    },
    jump(ms) {
      now += ms;
      for (const callback of [...jumpCallbacks]) callback(ms);
      run(now);
    },
    pending: () => deadlines.size,
  };
}
