import type { ProviderRecord } from '../../protocol/aggregate.ts';
import type { Session } from '../../protocol/session.ts';

/** The part of a group's changes that is stored. */
export interface Changes {
  readonly sessions: ReadonlyMap<string, Session | undefined>;
  readonly providers: ReadonlyMap<string, ProviderRecord>;
}

/** What the disk would not take: kept, newest value first, until a commit works. */
export class Unsaved {
  #sessions = new Map<string, Session | undefined>();
  #providers = new Map<string, ProviderRecord>();

  /** These changes and what is still to be written. */
  with(changes: Changes): Changes {
    if (this.#sessions.size + this.#providers.size === 0) return changes;
    return {
      sessions: new Map([...this.#sessions, ...changes.sessions]),
      providers: new Map([...this.#providers, ...changes.providers]),
    };
  }

  keep(changes: Changes): void {
    for (const [id, session] of changes.sessions) this.#sessions.set(id, session);
    for (const [slug, record] of changes.providers) this.#providers.set(slug, record);
  }

  clear(): void {
    this.#sessions.clear();
    this.#providers.clear();
  }
}
