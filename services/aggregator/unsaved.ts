import type { ProviderRecord } from '../../protocol/aggregate.ts';
import type { Pause } from '../../protocol/pauses.ts';
import type { Session } from '../../protocol/session.ts';
import type { Span } from '../../protocol/spans.ts';
import type { EventRow } from './store/rows.ts';

/** The part of a group's changes that is stored. */
export interface Changes {
  readonly sessions: ReadonlyMap<string, Session | undefined>;
  readonly providers: ReadonlyMap<string, ProviderRecord>;
  readonly pauses: ReadonlyMap<string, Pause | undefined>;
  /** Left out: nothing is over. */
  readonly spans?: readonly Span[];
}

/** Most that is kept of the history while the disk takes nothing: some 3 MB; the oldest goes first. */
const MOST_SPANS = 10_000;

/** What the disk would not take: kept, newest value first, until a commit works. */
export class Unsaved {
  #sessions = new Map<string, Session | undefined>();
  #providers = new Map<string, ProviderRecord>();
  #pauses = new Map<string, Pause | undefined>();
  #words: readonly EventRow[] = [];
  #spans: readonly Span[] = [];

  /** These changes and events, and what is still to be written. */
  with(changes: Changes, events: readonly EventRow[]): Changes & { readonly events: readonly EventRow[] } {
    const all = this.#words.length === 0 ? events : [...this.#words, ...events];
    const { sessions, providers, pauses } = changes;
    const spans = [...this.#spans, ...(changes.spans ?? [])];
    if (this.#sessions.size + this.#providers.size + this.#pauses.size === 0)
      return { sessions, providers, pauses, spans, events: all };
    return {
      events: all,
      spans,
      sessions: new Map([...this.#sessions, ...changes.sessions]),
      providers: new Map([...this.#providers, ...changes.providers]),
      pauses: new Map([...this.#pauses, ...changes.pauses]),
    };
  }

  keep(changes: Changes): void {
    for (const [id, session] of changes.sessions) this.#sessions.set(id, session);
    for (const [slug, record] of changes.providers) this.#providers.set(slug, record);
    for (const [scope, pause] of changes.pauses) this.#pauses.set(scope, pause);
    this.#spans = [...this.#spans, ...(changes.spans ?? [])].slice(-MOST_SPANS);
  }

  /** What a user says is not said again when the disk would not take it: it has been done. */
  keepWords(rows: readonly EventRow[]): void {
    this.#words = [...this.#words, ...rows];
  }

  clear(): void {
    this.#words = [];
    this.#spans = [];
    this.#sessions.clear();
    this.#providers.clear();
    this.#pauses.clear();
  }
}
