import { composeSignal, overallLamp, providerLamp } from './aggregate.ts';
import { composeLine, type LineParts } from './line.ts';
import type { SignalPayload } from './messages/signal.ts';
import type { ProviderRecords } from './provider-records.ts';
import { ALWAYS_SHOWN } from './providers.ts';
import type { SessionBook } from './session-book.ts';
import type { LampState } from './states.ts';
import type { TableOptions } from './table-changes.ts';

/** What is shown of the sessions: signals, lamps, the line. `now` is unix ms. */
export class Shown {
  readonly #options: Pick<TableOptions, 'registry' | 'timeouts' | 'shown'>;
  readonly #sessions: SessionBook;
  readonly #records: ProviderRecords;

  constructor(
    options: Pick<TableOptions, 'registry' | 'timeouts' | 'shown'>,
    sessions: SessionBook,
    records: ProviderRecords,
  ) {
    this.#options = options;
    this.#sessions = sessions;
    this.#records = records;
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

  lamp(slug: string, now: number): LampState {
    const lamp = this.#sessions.index(slug)?.lamp();
    return providerLamp(lamp, this.#records.get(slug), now, this.#options.timeouts.completed);
  }

  lampAll(now: number): LampState {
    return overallLamp(this.providers().map((slug) => this.lamp(slug, now)));
  }

  line(now: number): LineParts {
    const signals = this.providers().map((slug) => this.signal(slug, now));
    return composeLine(signals, this.lampAll(now));
  }
}
