import type { ErrorCode } from '../../protocol/errors.ts';
import type { CanonicalEvent } from '../../protocol/events.ts';
import type { HubHealthPayload } from '../../protocol/messages/hub.ts';
import { UnknownEvents } from './unknown-events.ts';

/** What happened to an event at the door; `late`: kept in the log, and too old to change anything (spec: state, section 4 rule 6). */
export type Fate = 'accepted' | 'refused' | 'duplicate' | 'late';

/** Counts since the start, for `signalbox/health`. */
export class Counters {
  readonly #events = { accepted: 0, refused: 0, duplicate: 0, late: 0 };
  /** Empty: of none that we know. */
  readonly #providers = new Map<string, Record<Fate, number>>();
  readonly #refused = new Map<ErrorCode, number>();
  readonly #unknown = new UnknownEvents();
  readonly #commits = { count: 0, failed: 0, largest: 0, slowest_ms: 0 };

  /** @returns whether health has something new to tell: an event of a name that nobody knows */
  event(event: CanonicalEvent, fate: Exclude<Fate, 'refused'>): boolean {
    this.#events[fate] += 1;
    this.#of(event.provider)[fate] += 1;
    return fate !== 'duplicate' && this.#unknown.note(event);
  }

  /** @param provider a known slug; left out when the event named none */
  refusal(provider = '', code: ErrorCode): void {
    this.#events.refused += 1;
    this.#of(provider).refused += 1;
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
      providers: Object.fromEntries(this.#byProvider()),
      refused: Object.fromEntries(this.#refused),
      ...(unknown.length > 0 && { unknown }),
      commits: { ...this.#commits },
    };
  }

  /** All of it by provider and outcome, and the refusals by code. */
  counts(): {
    events: { provider: string; outcome: Fate; count: number }[];
    rejects: Map<ErrorCode, number>;
  } {
    const events = [...this.#providers].flatMap(([provider, fates]) =>
      Object.entries(fates).map(([outcome, count]) => ({ provider, outcome: outcome as Fate, count })),
    );
    return { events, rejects: new Map(this.#refused) };
  }

  /** As health tells it: what came late was accepted. */
  *#byProvider(): Iterable<[string, { accepted: number; refused: number }]> {
    for (const [provider, { accepted, late, refused }] of this.#providers)
      if (provider !== '' && accepted + late + refused > 0)
        yield [provider, { accepted: accepted + late, refused }];
  }

  #of(provider: string): Record<Fate, number> {
    const known = this.#providers.get(provider) ?? { accepted: 0, refused: 0, duplicate: 0, late: 0 };
    this.#providers.set(provider, known);
    return known;
  }
}
