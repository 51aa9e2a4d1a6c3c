import type { Cancel, Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { Store } from './store/hub-store.ts';

const DAY = 24 * 60 * 60 * 1000;
/** Between two looks at the log's age [ms]. */
const EVERY = 60 * 60 * 1000;
/** Between two slices [ms]: events go first. */
const PAUSE = 50;
/** Rows of one slice: a few milliseconds. */
const SLICE = 500;

export interface RetentionOptions {
  readonly clock: Clock;
  readonly store: Store;
  /** How long the event log is kept. */
  readonly days: number;
  readonly log: Log;
}

/** Keeps the event log to its age, in small slices, so that no event waits for it (`history.days`). */
export class Retention {
  readonly #options: RetentionOptions;
  #timer: Cancel | undefined;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** Begins soon and goes on. @returns ends it */
  start(): Cancel {
    this.#again(PAUSE);
    return () => this.#timer?.();
  }

  #again(afterMs: number): void {
    const { clock } = this.#options;
    this.#timer = clock.at(clock.now() + afterMs, () => this.#slice());
  }

  #slice(): void {
    const { clock, store, days, log } = this.#options;
    let deleted = 0;
    try {
      deleted = store.prune(clock.now() - days * DAY, SLICE);
      if (deleted < SLICE) store.checkpoint();
    } catch (error) {
      log.warn('the event log could not be cut to its age', { error });
    }
    this.#again(deleted < SLICE ? EVERY : PAUSE);
  }
}
