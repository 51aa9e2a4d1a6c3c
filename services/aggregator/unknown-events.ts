import { isKnownEvent } from '../../protocol/adapters/native.ts';
import type { CanonicalEvent } from '../../protocol/events.ts';
import type { HubHealthPayload } from '../../protocol/messages/hub.ts';
import { SELF_TEST } from '../../protocol/self-test.ts';

/** Names that are kept of one provider; what comes under others is counted alone. */
const NAMES = 8;
const PROVIDERS = 64;

type Unknown = NonNullable<HubHealthPayload['unknown']>[number];

/** Counts the events that no adapter knows: they change nothing, and tell that an agent is newer than we are (spec: state, section 1). */
export class UnknownEvents {
  readonly #found = new Map<string, { count: number; readonly names: Set<string> }>();

  /** @returns whether it is of a name that was not told of before */
  note({ event, provider, native }: CanonicalEvent): boolean {
    if (event !== 'Other' || native === undefined || native === SELF_TEST) return false;
    if (isKnownEvent(provider, native)) return false;
    const found = this.#found.get(provider) ?? { count: 0, names: new Set() };
    if (!this.#found.has(provider) && this.#found.size >= PROVIDERS) return false;
    this.#found.set(provider, found);
    found.count += 1;
    if (found.names.has(native) || found.names.size >= NAMES) return false;
    found.names.add(native);
    return true;
  }

  snapshot(): Unknown[] {
    return [...this.#found].map(([provider, { count, names }]) => ({ provider, count, names: [...names] }));
  }
}
