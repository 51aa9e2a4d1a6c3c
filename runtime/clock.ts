/** Takes something back that was asked for: a deadline, a callback. Calling it twice does nothing more. */
export type Cancel = () => void;

/** Time as a parameter: services take a clock and never ask the platform. */
export interface Clock {
  /** Wall time, unix ms. */
  now(): number;
  /**
   * Runs `run` once, when wall time reaches `whenMs` (unix ms), also when the wall clock was set forward or the machine slept in between.
   * Never from within this call: a moment that has passed already comes as soon as possible.
   */
  at(whenMs: number, run: () => void): Cancel;
  /**
   * Tells a jump of the wall clock or a suspend, in ms (negative: set back), before the deadlines that it made due (spec: state, section 5).
   * Noticed only while a deadline is pending: with nothing to wait for, a jump changes nothing.
   */
  onJump(callback: (jumpMs: number) => void): Cancel;
}

/** Where a system clock takes its time from; tests hand in their own. */
export interface ClockSources {
  /** Unix ms, as set by people and NTP. */
  wall(): number;
  /** Milliseconds since some moment; never set back. */
  monotonic(): number;
  /** Calls back once after `ms` of the platform's timer time. */
  timer(ms: number, run: () => void): Cancel;
}

/**
 * Longest wait of one timer. Node's timers run on monotonic time, so a deadline in wall time has to be looked at again now and then; it also
 * keeps every wait below the 2^31 ms at which `setTimeout` fires at once.
 */
const LOOK_AGAIN_MS = 2000;
/** From this difference between wall and monotonic time on it is a jump, not drift. */
const JUMP_MS = 2000;
/** Drift that NTP may correct without a jump: 1 in 1000, twice what `adjtimex` allows. */
const DRIFT = 0.001;
/** Where the monotonic clock counts sleep too (macOS, Windows), a suspend shows as a timer that is this late. */
const LATE_MS = 10_000;

const platform: ClockSources = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  timer(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

interface Deadline {
  readonly when: number;
  readonly order: number;
  readonly run: () => void;
}

/** The clock of a running program. One timer serves all deadlines, and none runs while there are none. */
export function systemClock(sources: ClockSources = platform): Clock {
  const deadlines = new Set<Deadline>();
  const jumpCallbacks = new Set<(jumpMs: number) => void>();
  let seen = { wall: sources.wall(), monotonic: sources.monotonic() };
  let armed: { readonly due: number; readonly cancel: Cancel } | undefined;
  let order = 0;

  function arm(whenMs: number): void {
    const wait = Math.min(Math.max(Math.ceil(whenMs - sources.wall()), 0), LOOK_AGAIN_MS);
    const due = sources.monotonic() + wait;
    if (armed !== undefined && armed.due <= due) return;
    armed?.cancel();
    armed = { due, cancel: sources.timer(wait, () => tick(due)) };
  }

  function disarm(): void {
    armed?.cancel();
    armed = undefined;
  }

  function jumpSince(due: number): number {
    const current = { wall: sources.wall(), monotonic: sources.monotonic() };
    const passed = current.monotonic - seen.monotonic;
    const jump = current.wall - seen.wall - passed;
    seen = current;
    if (Math.abs(jump) > JUMP_MS + passed * DRIFT) return jump;
    const late = current.monotonic - due;
    return late > LATE_MS ? late : 0;
  }

  function tick(due: number): void {
    armed = undefined;
    try {
      const jump = jumpSince(due);
      if (jump !== 0) for (const callback of [...jumpCallbacks]) callback(jump);
      for (const deadline of dueAt(sources.wall())) {
        // One that ran before may have taken this one back.
        if (deadlines.delete(deadline)) deadline.run();
      }
    } finally {
      const next = earliest(deadlines);
      if (next !== undefined) arm(next);
    }
  }

  function dueAt(now: number): Deadline[] {
    return [...deadlines]
      .filter(({ when }) => when <= now)
      .sort((a, b) => a.when - b.when || a.order - b.order);
  }

  return {
    now: () => sources.wall(),
    at(whenMs, run) {
      const deadline: Deadline = { when: whenMs, order, run };
      order += 1;
      deadlines.add(deadline);
      arm(whenMs);
      return () => {
        if (deadlines.delete(deadline) && deadlines.size === 0) disarm();
      };
    },
    onJump(callback) {
      jumpCallbacks.add(callback);
      return () => void jumpCallbacks.delete(callback);
    },
  };
}

function earliest(deadlines: Iterable<Deadline>): number | undefined {
  let first: number | undefined;
  for (const { when } of deadlines) if (first === undefined || when < first) first = when;
  return first;
}
