import { newProviderRecord, type ProviderRecord } from './aggregate.ts';
import type { Deadlines } from './deadlines.ts';
import type { CanonicalEvent } from './events.ts';
import { recordNotAhead, shiftRecord } from './shift.ts';
import type { LampState } from './states.ts';

/** How often it is written down that a provider has been heard of [ms]. */
const HEARD_EVERY = 60_000;

/** What is kept of each provider beside its sessions, and which have changed since they were last taken. */
export class ProviderRecords {
  readonly #records = new Map<string, ProviderRecord>();
  readonly #completed: number;
  readonly #deadlines: Deadlines;
  #changed = new Set<string>();

  /** @param completed ms that a fallback `completed` lasts; @param deadlines where its end is noted, under the slug: no session's id, those have a blank */
  constructor(completed: number, deadlines: Deadlines) {
    this.#completed = completed;
    this.#deadlines = deadlines;
  }

  restore(records: readonly ProviderRecord[], now: number): void {
    for (const record of records) {
      this.#records.set(record.slug, recordNotAhead(record, now));
      this.#noteCompleted(record.slug);
    }
  }

  get(slug: string): ProviderRecord {
    return this.#records.get(slug) ?? newProviderRecord(slug);
  }

  all(): ReadonlyMap<string, ProviderRecord> {
    return new Map(this.#records);
  }

  change(slug: string, change: Partial<ProviderRecord>): void {
    this.#records.set(slug, { ...this.get(slug), ...change });
    this.#changed.add(slug);
  }

  /** What is shown of it has changed. */
  touch(slug: string): void {
    if (this.#records.has(slug)) this.#changed.add(slug);
    else this.change(slug, {});
  }

  setFallback(slug: string, fallback: LampState, now: number): void {
    this.change(slug, { fallback, fallback_at: now });
    this.#noteCompleted(slug);
  }

  /** An old fallback never locks: the next thing heard of a session that doesn't pause replaces it. */
  replaceFallback(slug: string, now: number): void {
    if (this.get(slug).fallback !== 'ready') this.setFallback(slug, 'ready', now);
  }

  /** Notes that a provider has been heard of; now and then, since it is stored. */
  hear({ provider, notify }: CanonicalEvent, now: number): void {
    const isNew = !this.#records.has(provider);
    if (notify === true) {
      if (isNew) this.change(provider, {});
    } else if (isNew || now - this.get(provider).hooks_at > HEARD_EVERY)
      this.change(provider, { hooks_at: now });
  }

  /** @param by ms */
  shift(by: number): void {
    for (const record of this.#records.values()) this.change(record.slug, shiftRecord(record, by));
  }

  takeChanged(): ReadonlyMap<string, ProviderRecord> {
    const changed = new Map([...this.#changed].map((slug) => [slug, this.get(slug)]));
    this.#changed = new Set();
    return changed;
  }

  #noteCompleted(slug: string): void {
    const { fallback, fallback_at } = this.get(slug);
    if (fallback === 'completed') this.#deadlines.set(slug, fallback_at + this.#completed);
    else this.#deadlines.delete(slug);
  }
}
