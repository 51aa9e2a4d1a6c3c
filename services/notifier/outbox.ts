import type { NtfyMessage, NtfyOutcome } from './ntfy-client.ts';

/** One thing for the server to do. Times are unix ms. */
export interface Item {
  /** Grows: of two for one place the newer one counts. */
  readonly id: number;
  readonly what: 'message' | 'escalation' | 'clear';
  readonly topic: string;
  readonly sequence: string;
  /** Whom it is about, as `provider key`, the one that leads first; empty for none. */
  readonly sessions: readonly string[];
  /** What is told; left out for `clear`. */
  readonly message?: NtfyMessage;
  /** When the server is to deliver it. */
  readonly deliver_at?: number;
  /** A message for later may lie at the server: it is taken back as well. */
  readonly cancels?: boolean;
  /** Something of this sequence is on the phone, or may be. */
  readonly shows?: boolean;
  /** It was tried before, and no answer was heard. */
  readonly attempted?: true;
  readonly at: number;
  /** Then it is given up. */
  readonly expires: number;
}

type Wanted = Omit<Item, 'id' | 'expires'>;

/** Old news is no news: after this a message is given up [ms] (spec: consumers, section 2). */
const NEWS = 10 * 60_000;
/** As long as ntfy keeps a message by default (`cache-duration`): until then the phone may show it [ms]. */
const SHOWN = 12 * 60 * 60_000;

/** First and longest pause between attempts [ms]. A server that limits its visitors says not for how long (no Retry-After). */
const PAUSES = {
  fault: { first: 1_000, longest: 60_000 },
  limit: { first: 5_000, longest: 300_000 },
} as const;

/** The place on the phone that an item is about. */
export function placeOf({ topic, sequence }: Pick<Item, 'topic' | 'sequence'>): string {
  return `${topic} ${sequence}`;
}

/**
 * What the server is still to be told: one item a place, the newest; one attempt at a time, and after a failure a growing pause for all of them, since it is the server that is in
 * trouble. Does nothing by itself.
 */
export class Outbox {
  readonly #items = new Map<string, Item>();
  #changed = new Map<string, Item | undefined>();
  #failures = 0;
  #notBefore = 0;
  #nextId = 1;
  #current: Item | undefined;

  restore(items: readonly Item[]): void {
    for (const item of items) {
      this.#items.set(placeOf(item), item);
      this.#nextId = Math.max(this.#nextId, item.id + 1);
    }
  }

  get size(): number {
    return this.#items.size;
  }

  /** Puts an item in the place of what waited there. */
  put(wanted: Wanted): void {
    const place = placeOf(wanted);
    const before = this.#items.get(place);
    const lasts = wanted.what === 'clear' ? SHOWN : NEWS;
    this.#set(place, {
      ...wanted,
      id: this.#nextId,
      expires: (wanted.deliver_at ?? wanted.at) + lasts,
      ...(before?.shows === true && { shows: true }),
    });
    this.#nextId += 1;
  }

  /**
   * Takes what is on the phone in a place away, and what was to come there.
   * @param wanted a `clear` @param can false: the server can't, so that only what has not been sent yet is taken back
   */
  clear(wanted: Wanted, can: boolean): void {
    const place = placeOf(wanted);
    const waiting = this.#items.get(place);
    const isUnsent = waiting !== undefined && waiting.id !== this.#current?.id && waiting.what !== 'clear';
    if (isUnsent && (!can || waiting.shows !== true)) return this.#set(place, undefined);
    if (!can) return;
    const cancels = wanted.cancels === true || waiting?.what === 'escalation';
    this.put({ ...wanted, shows: true, cancels });
  }

  /** Is a message about this provider on its way? */
  isBusy(provider: string): boolean {
    return [...this.#items.values()].some(
      ({ what, sessions }) => what === 'message' && sessions[0]?.startsWith(`${provider} `) === true,
    );
  }

  /** The item whose turn it is; it is under way until `settled`. */
  take(now: number): Item | undefined {
    if (this.#current !== undefined || now < this.#notBefore) return undefined;
    let first: Item | undefined;
    for (const item of this.#items.values()) if (first === undefined || item.id < first.id) first = item;
    if (first === undefined) return undefined;
    this.#current = first;
    // From the first attempt on it may have arrived, whatever is heard of it.
    if (first.what !== 'clear' && first.attempted === undefined)
      this.#set(placeOf(first), { ...first, shows: true, attempted: true });
    return first;
  }

  /** When `take` is worth while again; undefined: when something is put in or settled. */
  nextAttempt(): number | undefined {
    return this.#current === undefined && this.#items.size > 0 ? this.#notBefore : undefined;
  }

  /** What came of the item under way. `again`: it is tried once more. @param random from 0 to below 1 */
  settled(outcome: NtfyOutcome, now: number, random: () => number): 'done' | 'again' | 'failed' {
    const item = this.#current as Item;
    this.#current = undefined;
    if (outcome.ok || !outcome.retry) this.#failures = 0;
    else {
      this.#failures += 1;
      const isLimit = outcome.fault === 'rate_limited' || outcome.fault === 'daily_limit';
      this.#notBefore = now + pause(isLimit ? PAUSES.limit : PAUSES.fault, this.#failures, random());
    }
    const place = placeOf(item);
    const isNewest = this.#items.get(place)?.id === item.id;
    if (!outcome.ok && outcome.retry) return 'again';
    if (isNewest) this.#set(place, undefined);
    return outcome.ok ? 'done' : 'failed';
  }

  /** Gives up what is too old. @returns it */
  expire(now: number): Item[] {
    const old = [...this.#items.values()].filter(
      (item) => item.expires <= now && item.id !== this.#current?.id,
    );
    for (const item of old) this.#set(placeOf(item), undefined);
    return old;
  }

  /** When `expire` is worth while. */
  nextExpiry(): number | undefined {
    let first: number | undefined;
    for (const { expires } of this.#items.values())
      if (first === undefined || expires < first) first = expires;
    return first;
  }

  /** The clock was set, or the machine slept. @param by ms */
  shift(by: number): void {
    this.#notBefore = 0;
    for (const [place, item] of [...this.#items]) {
      const moved = {
        ...item,
        at: item.at + by,
        expires: item.expires + by,
        ...(item.deliver_at !== undefined && { deliver_at: item.deliver_at + by }),
      };
      if (this.#current?.id === item.id) this.#current = moved;
      this.#set(place, moved);
    }
  }

  /** All there is, e.g. for a database that has lost it. */
  all(): ReadonlyMap<string, Item> {
    return this.#items;
  }

  /** By place; undefined: gone. */
  takeChanged(): ReadonlyMap<string, Item | undefined> {
    const changed = this.#changed;
    this.#changed = new Map();
    return changed;
  }

  #set(place: string, item: Item | undefined): void {
    if (item === undefined) this.#items.delete(place);
    else this.#items.set(place, item);
    this.#changed.set(place, item);
  }
}

/** Twice as long each time, and up to half as much again, so that many hubs do not come at once. */
function pause(
  { first, longest }: { first: number; longest: number },
  failures: number,
  random: number,
): number {
  const whole = Math.min(longest, first * 2 ** (failures - 1));
  return Math.round(whole * (1 + random / 2));
}
