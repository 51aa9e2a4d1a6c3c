import type { Log } from '../../runtime/log.ts';

/** What has been opened, closed again in the opposite order. A part that fails to close stops no other. */
export class Closers {
  readonly #parts: { readonly name: string; readonly close: () => void | Promise<void> }[] = [];
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /** @param name for the log, should it fail */
  add(name: string, close: () => void | Promise<void>): void {
    this.#parts.push({ name, close });
  }

  async closeAll(): Promise<void> {
    for (let part = this.#parts.pop(); part !== undefined; part = this.#parts.pop()) {
      try {
        await part.close();
      } catch (error) {
        this.#log.error('a part of the hub did not close', { component: part.name, error });
      }
    }
  }
}
