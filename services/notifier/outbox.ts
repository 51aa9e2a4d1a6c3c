import { Backoff } from './backoff.ts';
import { firstOf } from './first-of.ts';
import { NEWS } from './news.ts';
import type { NtfyMessage, NtfyOutcome } from './ntfy-client.ts';

/** One thing for the server to do. Times are unix ms. */
export interface Item {
  /** Grows: of two for one place the newer one counts. */
  readonly id: number;
  readonly what: 'message' | 'update' | 'escalation' | 'clear';
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

/** As long as ntfy keeps a message by default (`cache-duration`): until then the phone may show it [ms]. */
const SHOWN = 12 * 60 * 60_000;

/** The place on the phone that an item is about. */
export function placeOf({ topic, sequence }: Pick<Item, 'topic' | 'sequence'>): string {
  return `${topic} ${sequence}`;
}

/**
 * What the server is still to be told: one item a place, the newest; one attempt at a time. After a failure there is a growing pause: for all of it where it is the server that is in
 * trouble, else for that lane alone, and what has failed least goes first, so that nothing stands in the way of the rest. Does nothing by itself.
 */
export class Outbox {
  readonly #items = new Map<string, Item>();
  #changed = new Map<string, Item | undefined>();
  /** How often each item has failed, by id. */
  readonly #failures = new Map<number, number>();
  readonly #server = new Backoff();
  /** A proxy may pass on messages and no clears. Messages go first. */
  readonly #lanes = { tell: new Backoff(), clear: new Backoff() };
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
    const lasts = wanted.what === 'clear' || wanted.what === 'update' ? SHOWN : NEWS;
    const cancels = wanted.cancels === true || before?.cancels === true || before?.what === 'escalation';
    this.#set(place, {
      ...wanted,
      id: this.#nextId,
      expires: (wanted.deliver_at ?? wanted.at) + lasts,
      ...(before?.shows === true && { shows: true }),
      // What lies there for later stays until it has been taken back.
      ...(cancels && { cancels }),
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
    this.put({ ...wanted, shows: true });
  }

  /** Is a message for this place on its way? Nothing is known of it on the phone then. */
  isTelling(place: Pick<Item, 'topic' | 'sequence'>): boolean {
    return this.#items.get(placeOf(place))?.what === 'message';
  }

  /** Is a message about this provider on its way? */
  isBusy(provider: string): boolean {
    return [...this.#items.values()].some(
      ({ what, sessions }) => what === 'message' && sessions[0]?.startsWith(`${provider} `) === true,
    );
  }

  /** The item whose turn it is; it is under way until `settled`. */
  take(now: number): Item | undefined {
    if (this.#current !== undefined) return undefined;
    const [first] = [...this.#items.values()]
      .filter((item) => this.#notBefore(item) <= now)
      .sort((a, b) => this.#rank(a) - this.#rank(b) || a.id - b.id);
    if (first === undefined) return undefined;
    this.#current = first;
    // From the first attempt on it may have arrived, whatever is heard of it.
    if (first.what !== 'clear' && first.attempted === undefined)
      this.#set(placeOf(first), { ...first, shows: true, attempted: true });
    return first;
  }

  /** When `take` is worth while again; undefined: when something is put in or settled. */
  nextAttempt(): number | undefined {
    if (this.#current !== undefined) return undefined;
    return firstOf([...this.#items.values()].map((item) => this.#notBefore(item)));
  }

  /** What came of the item under way. `again`: it is tried once more. @param random from 0 to below 1 */
  settled(outcome: NtfyOutcome, now: number, random: () => number): 'done' | 'again' | 'failed' {
    const item = this.#current as Item;
    this.#current = undefined;
    const place = placeOf(item);
    const isNewest = this.#items.get(place)?.id === item.id;
    if (!outcome.ok && outcome.retry) {
      const { status, fault } = outcome;
      const isLimit = fault === 'rate_limited' || fault === 'daily_limit';
      const isAll = isLimit || status === undefined;
      if (!isAll) this.#server.worked();
      (isAll ? this.#server : this.#lane(item)).failed(isLimit ? 'limit' : 'fault', now, random());
      this.#failures.set(item.id, (this.#failures.get(item.id) ?? 0) + 1);
      // A refusal says that this attempt has not arrived.
      if (isNewest && status !== undefined && status < 500 && status !== 200) this.#set(place, item);
      return 'again';
    }
    this.#server.worked();
    this.#lane(item).worked();
    if (isNewest) this.#set(place, undefined);
    return outcome.ok ? 'done' : 'failed';
  }

  #lane({ what }: Item): Backoff {
    return what === 'clear' ? this.#lanes.clear : this.#lanes.tell;
  }

  #notBefore(item: Item): number {
    return Math.max(this.#server.notBefore, this.#lane(item).notBefore);
  }

  /** Lowest first: messages before clears, then what has failed least. */
  #rank({ what, id }: Item): number {
    return (what === 'clear' ? 1e6 : 0) + (this.#failures.get(id) ?? 0);
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
    return firstOf([...this.#items.values()].map(({ expires }) => expires));
  }

  /** The clock was set, or the machine slept. @param by ms */
  shift(by: number): void {
    for (const pause of [this.#server, this.#lanes.tell, this.#lanes.clear]) pause.end();
    if (this.#current !== undefined) this.#current = moved(this.#current, by);
    for (const [place, item] of [...this.#items]) this.#set(place, moved(item, by));
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
    const before = this.#items.get(place);
    if (before !== undefined && before.id !== item?.id) this.#failures.delete(before.id);
    if (item === undefined) this.#items.delete(place);
    else this.#items.set(place, item);
    this.#changed.set(place, item);
  }
}

function moved(item: Item, by: number): Item {
  return {
    ...item,
    at: item.at + by,
    expires: item.expires + by,
    ...(item.deliver_at !== undefined && { deliver_at: item.deliver_at + by }),
  };
}
