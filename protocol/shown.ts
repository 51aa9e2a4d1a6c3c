import { composeSignal, overallLamp, providerLamp } from './aggregate.ts';
import { composeLine, type LineParts } from './line.ts';
import type { SignalPayload } from './messages/signal.ts';
import type { Pauses } from './pauses.ts';
import type { ProviderRecords } from './provider-records.ts';
import { ALWAYS_SHOWN } from './providers.ts';
import type { Session } from './session.ts';
import type { SessionBook } from './session-book.ts';
import { sessionId } from './session-key.ts';
import type { LampState } from './states.ts';
import type { TableOptions } from './table-changes.ts';

/** What is shown of the sessions: signals, lamps, the line. `now` is unix ms. */
export class Shown {
  readonly #options: Pick<TableOptions, 'registry' | 'timeouts' | 'shown'>;
  readonly #sessions: SessionBook;
  readonly #records: ProviderRecords;
  readonly #pauses: Pauses;

  constructor(
    options: Pick<TableOptions, 'registry' | 'timeouts' | 'shown'>,
    sessions: SessionBook,
    records: ProviderRecords,
    pauses: Pauses,
  ) {
    this.#options = options;
    this.#sessions = sessions;
    this.#records = records;
    this.#pauses = pauses;
  }

  /** Slugs of the providers that have a signal, in registry order. */
  providers(): string[] {
    const { registry, shown = [] } = this.#options;
    const slugs = new Set([...ALWAYS_SHOWN, ...shown, ...this.#records.all().keys()]);
    return [...slugs].toSorted((a, b) => registry.order(a) - registry.order(b));
  }

  signal(slug: string, now: number): SignalPayload {
    const leading = this.#sessions.index(slug)?.leading((session) => this.#sessions.projectOf(session));
    const name = this.#options.registry.find(slug)?.name ?? slug;
    return composeSignal(name, this.#records.get(slug), this.lamp(slug, now), leading);
  }

  /** Paused with its provider, with everything, or because one of its sessions is: that is the strongest lamp (spec: state, section 6). */
  lamp(slug: string, now: number): LampState {
    const isLive = (id: string): boolean => this.#sessions.get(id) !== undefined;
    if (this.#pauses.of(slug) !== undefined || this.#pauses.sessionsOf(slug).some(isLive)) return 'paused';
    const lamp = this.#sessions.index(slug)?.lamp();
    return providerLamp(lamp, this.#records.get(slug), now, this.#options.timeouts.completed);
  }

  /** A session's lamp as it is to be shown. */
  lampOf({ provider, key, lamp }: Pick<Session, 'provider' | 'key' | 'lamp'>): LampState {
    return this.#pauses.of(provider, sessionId(provider, key)) === undefined ? lamp : 'paused';
  }

  lampAll(now: number): LampState {
    return overallLamp(this.providers().map((slug) => this.lamp(slug, now)));
  }

  line(now: number): LineParts {
    const signals = this.providers().map((slug) => this.signal(slug, now));
    return composeLine(signals, this.lampAll(now));
  }
}
