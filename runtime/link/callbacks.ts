import type { Cancel } from '../clock.ts';
import type { Log } from '../log.ts';

/** Callbacks of one kind. What one throws is logged and stops no other. */
export class Callbacks<Value> {
  readonly #all = new Set<(value: Value) => void | Promise<void>>();
  readonly #log: Log;
  readonly #what: string;

  /** @param what completes "... failed" in the log */
  constructor(what: string, log: Log) {
    this.#what = what;
    this.#log = log;
  }

  add(callback: (value: Value) => void | Promise<void>): Cancel {
    // A wrapper each, so that adding a function twice calls it twice, and taking one back leaves the other.
    const own = (value: Value): void | Promise<void> => callback(value);
    this.#all.add(own);
    return () => void this.#all.delete(own);
  }

  call(value: Value): void {
    for (const callback of [...this.#all]) void this.run(callback, value);
  }

  async run(callback: (value: Value) => void | Promise<void>, value: Value): Promise<void> {
    try {
      await callback(value);
    } catch (error) {
      this.#log.error(`${this.#what} failed`, { error });
    }
  }
}
