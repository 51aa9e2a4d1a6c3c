import type { ErrorCode } from '../../protocol/errors.ts';
import type { CanonicalEvent } from '../../protocol/events.ts';
import type { HubHealthPayload } from '../../protocol/messages/hub.ts';
import { UnknownEvents } from './unknown-events.ts';

/** What happened to an event at the door; `late`: kept in the log, and too old to change anything (spec: state, section 4 rule 6). */
export type Fate = 'accepted' | 'refused' | 'duplicate' | 'late';

/** Counts since the start, for `signalbox/health`. */
export class Counters {
  readonly #events = { accepted: 0, refused: 0, duplicate: 0, late: 0 };
  readonly #providers = new Map<string, { accepted: number; refused: number }>();
  readonly #refused = new Map<string, number>();
  readonly #unknown = new UnknownEvents();
  readonly #commits = { count: 0, failed: 0, largest: 0, slowest_ms: 0 };

  /** @returns whether health has something new to tell: an event of a name that nobody knows */
  event(event: CanonicalEvent, fate: Exclude<Fate, 'refused'>): boolean {
    this.#events[fate] += 1;
    if (fate === 'duplicate') return false;
    this.#of(event.provider).accepted += 1;
    return this.#unknown.note(event);
  }

  /** @param provider a known slug; left out when the event named none */
  refusal(provider: string | undefined, code: ErrorCode): void {
    this.#events.refused += 1;
    if (provider !== undefined) this.#of(provider).refused += 1;
    this.#refused.set(code, (this.#refused.get(code) ?? 0) + 1);
  }

  /** @param ms how long the transaction took */
  commit(jobs: number, ms: number): void {
    this.#commits.count += 1;
    this.#commits.largest = Math.max(this.#commits.largest, jobs);
    this.#commits.slowest_ms = Math.max(this.#commits.slowest_ms, Math.round(ms * 10) / 10);
  }

  failedCommit(): void {
    this.#commits.failed += 1;
  }

  /** The counted part of the health message. */
  snapshot(): Pick<HubHealthPayload, 'events' | 'providers' | 'refused' | 'unknown' | 'commits'> {
    const unknown = this.#unknown.snapshot();
    return {
      events: { ...this.#events },
      providers: Object.fromEntries(this.#providers),
      refused: Object.fromEntries(this.#refused),
      ...(unknown.length > 0 && { unknown }),
      commits: { ...this.#commits },
    };
  }

  #of(provider: string): { accepted: number; refused: number } {
    const known = this.#providers.get(provider) ?? { accepted: 0, refused: 0 };
    this.#providers.set(provider, known);
    return known;
  }
}
