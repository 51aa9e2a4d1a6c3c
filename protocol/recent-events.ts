import type { CanonicalEvent } from './events.ts';
import type { Received } from './session.ts';

/** More ids than any sender has under way at once. */
const MOST_IDS = 10_000;

/** Recognises an event that comes twice: by its id, or by the same bytes for the same provider within a window (spec: state, section 2). */
export class RecentEvents {
  readonly #window: number;
  readonly #ids = new Set<string>();
  readonly #prints = new Map<string, number>();

  /** @param window ms in which the same bytes are the same event */
  constructor(window: number) {
    this.#window = window;
  }

  /** True for an event that has been here; remembers it otherwise. */
  seen(event: CanonicalEvent, { now, fingerprint }: Received): boolean {
    const id = event.id === undefined ? undefined : `${event.provider} ${event.id}`;
    if (id !== undefined && this.#ids.has(id)) return true;
    const print = fingerprint === undefined ? undefined : `${event.provider} ${fingerprint}`;
    this.#forget(now);
    if (print !== undefined && this.#prints.has(print)) return true;
    if (id !== undefined) {
      this.#ids.add(id);
      if (this.#ids.size > MOST_IDS) this.#ids.delete(this.#ids.values().next().value as string);
    }
    if (print !== undefined) this.#prints.set(print, now);
    return false;
  }

  /** The event was not kept after all. */
  forget(event: CanonicalEvent, fingerprint: string): void {
    this.#ids.delete(`${event.provider} ${event.id}`);
    this.#prints.delete(`${event.provider} ${fingerprint}`);
  }

  /** Prints are in order of arrival: the first that is still young ends it. One from the future (the clock was set back) goes too. */
  #forget(now: number): void {
    for (const [print, at] of this.#prints) {
      if (at <= now && now - at < this.#window) return;
      this.#prints.delete(print);
    }
  }
}
