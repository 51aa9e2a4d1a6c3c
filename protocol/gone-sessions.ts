import type { GoneSession, ProviderRecord } from './aggregate.ts';
import type { Deadlines } from './deadlines.ts';
import { GONE_MEMORY } from './expiry.ts';
import { OUTSIDE_TURN } from './first-seen.ts';
import type { ProviderRecords } from './provider-records.ts';
import { newFacts, type SessionFacts } from './session.ts';
import { shiftSession } from './shift.ts';

/** Remembered of one provider; more would be a flood. */
const MOST = 64;

/** What clients have removed (rule 7): remembered for a while and not shown, so that late hooks don't bring it back, not after a restart either. */
export class GoneSessions {
  readonly #facts = new Map<string, SessionFacts>();
  readonly #providers: ProviderRecords;
  readonly #deadlines: Deadlines;

  /** @param providers where they are stored; @param deadlines where the end of each is noted */
  constructor(providers: ProviderRecords, deadlines: Deadlines) {
    this.#providers = providers;
    this.#deadlines = deadlines;
  }

  /** @returns what is remembered, by table id */
  restore(records: readonly ProviderRecord[], now: number): ReadonlyMap<string, SessionFacts> {
    for (const { gone = [] } of records) {
      for (const { id, facts, until } of gone) {
        // A clock that was set back meanwhile must not make it last.
        this.#deadlines.set(id, Math.min(until, now + GONE_MEMORY));
        this.#facts.set(id, facts);
      }
    }
    return this.#facts;
  }

  get(id: string): SessionFacts | undefined {
    return this.#facts.get(id);
  }

  /** @param now unix ms */
  add(id: string, facts: SessionFacts, now: number): void {
    const until = now + GONE_MEMORY;
    this.#facts.set(id, facts);
    this.#deadlines.set(id, until);
    this.#store(facts.provider, (gone) => [
      ...gone.filter((one) => one.id !== id).slice(1 - MOST),
      { id, facts: essence(facts), until },
    ]);
  }

  delete(id: string): void {
    const facts = this.#facts.get(id);
    if (facts === undefined) return;
    this.#facts.delete(id);
    this.#store(facts.provider, (gone) => gone.filter((one) => one.id !== id));
  }

  /** @param by ms */
  shift(by: number): void {
    const slugs = new Set([...this.#facts.values()].map((facts) => facts.provider));
    for (const [id, facts] of this.#facts) this.#facts.set(id, shiftSession(facts, by));
    const shifted = ({ id, facts, until }: GoneSession) => ({
      id,
      facts: shiftSession(facts, by),
      until: until + by,
    });
    for (const slug of slugs) this.#store(slug, (gone) => gone.map(shifted));
  }

  #store(slug: string, change: (gone: readonly GoneSession[]) => readonly GoneSession[]): void {
    const { gone = [] } = this.#providers.get(slug);
    this.#providers.change(slug, { gone: change(gone) });
  }
}

/** All that is looked at of a session that is gone: who it was, and which status was its last. */
function essence(facts: SessionFacts): SessionFacts {
  const { status, updated_at } = facts;
  return {
    ...newFacts(facts, updated_at, OUTSIDE_TURN),
    gone: true,
    ...(status !== undefined && { status }),
  };
}
