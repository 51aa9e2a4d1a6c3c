import type { Cancel, Clock } from '../../runtime/clock.ts';

/**
 * Runs something again and again, each time so long after the one before has ended; a wall clock that is set back delays nothing.
 * @param period ms, asked for anew each time; `undefined` pauses until `poke`
 */
export class Repeat {
  readonly #clock: Clock;
  readonly #period: () => number | undefined;
  readonly #run: () => void | Promise<void>;
  #timer: Cancel | undefined;
  #jumps: Cancel | undefined;
  #running: Promise<void> | undefined;
  #again = false;

  constructor(clock: Clock, period: () => number | undefined, run: () => void | Promise<void>) {
    this.#clock = clock;
    this.#period = period;
    this.#run = run;
  }

  start(): void {
    this.#jumps ??= this.#clock.onJump(() => this.#arm());
    this.#arm();
  }

  /** Runs now; while it runs, once more after it. */
  now(): void {
    if (this.#jumps === undefined) return;
    this.#again = true;
    this.#running ??= this.#rounds().finally(() => {
      this.#running = undefined;
      this.#arm();
    });
  }

  /** The period may be another one: what was paused goes on. */
  poke(): void {
    if (this.#timer === undefined && this.#running === undefined) this.#arm();
  }

  /** The period is a shorter one from now on. */
  again(): void {
    this.#arm();
  }

  /** Resolves when the run that is under way has ended. */
  async stop(): Promise<void> {
    this.#jumps?.();
    this.#jumps = undefined;
    this.#timer?.();
    this.#timer = undefined;
    await this.#running;
  }

  async #rounds(): Promise<void> {
    while (this.#again && this.#jumps !== undefined) {
      this.#again = false;
      await this.#run();
    }
  }

  #arm(): void {
    this.#timer?.();
    this.#timer = undefined;
    if (this.#jumps === undefined || this.#running !== undefined) return;
    const period = this.#period();
    if (period === undefined) return;
    this.#timer = this.#clock.at(this.#clock.now() + period, () => {
      this.#timer = undefined;
      this.now();
    });
  }
}
