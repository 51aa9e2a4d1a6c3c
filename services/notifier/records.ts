import { SignalboxError } from '../../protocol/errors.ts';
import type { Log } from '../../runtime/log.ts';
import type { Case } from './case.ts';
import type { Entry, Outcome } from './ledger.ts';
import { OUTCOMES } from './ledger.ts';
import { type NotifierStore, openNotifierStore, type StoreOptions } from './notifier-store.ts';
import { type Item, Outbox } from './outbox.ts';
import { isEntry, parseRecord } from './record-shapes.ts';

/** Entries, and requests that were told of, that wait for a disk that takes nothing; older ones are let go of. */
const MOST_WAITING = 500;
const DAY = 24 * 60 * 60 * 1000;
/** Entries that `explain` tells of a session. */
const TOLD = 8;

/**
 * What is remembered: all of it in memory, and written as it changes. A disk that is full or a file that is damaged stops nothing: what could not be written is written with the next
 * change, and `problem` tells of it.
 */
export class Records {
  readonly cases = new Map<string, Case>();
  readonly meta = new Map<string, string>();
  /** Nothing is remembered of a former run. */
  readonly fresh: boolean;
  readonly outbox = new Outbox();
  /** When each request was told of [unix ms], by `session attention`. */
  readonly #seen = new Map<string, number>();
  readonly #store: NotifierStore | undefined;
  readonly #log: Log;
  #changed = new Set<string>();
  #changedMeta = new Set<string>();
  #newSeen: { session: string; attention: string; at: number }[] = [];
  #entries: Entry[] = [];
  #itemsChanged = new Map<string, Item | undefined>();
  #counts: Record<Outcome, number>;
  #last: Entry | undefined;
  #problem: string | undefined;

  constructor(options: StoreOptions) {
    this.#log = options.log;
    this.#counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
    // What can't be read is as if it were not there.
    let isFresh = true;
    try {
      this.#store = openNotifierStore(options, () => this.#everything());
      const { fresh, cases, items, seen, meta } = this.#store.read();
      for (const each of cases) this.cases.set(each.session, each);
      for (const [name, value] of meta) this.meta.set(name, value);
      for (const [pair, at] of seen) this.#seen.set(pair, at);
      this.outbox.restore(items);
      isFresh = fresh;
    } catch (error) {
      this.#failed(error);
    }
    this.fresh = isFresh;
    const last = parseRecord(this.meta.get('last') ?? '');
    if (isEntry(last)) this.#last = last;
  }

  /** Why nothing is kept over a restart just now; undefined: all is. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** How often each outcome came since the start. */
  get counts(): Readonly<Record<Outcome, number>> {
    return this.#counts;
  }

  /** What the server was last told, or would not take. */
  get last(): Entry | undefined {
    return this.#last;
  }

  setCase(session: string, next: Case | undefined): void {
    if (next === this.cases.get(session)) return;
    if (next === undefined) this.cases.delete(session);
    else this.cases.set(session, next);
    this.#changed.add(session);
  }

  isSeen(session: string, attention: string): boolean {
    return this.#seen.has(`${session} ${attention}`);
  }

  see(session: string, attentions: readonly string[], at: number): void {
    for (const attention of attentions) {
      if (this.isSeen(session, attention)) continue;
      this.#seen.set(`${session} ${attention}`, at);
      this.#newSeen.push({ session, attention, at });
      if (this.#newSeen.length > MOST_WAITING) this.#newSeen.shift();
    }
  }

  setMeta(name: string, value: string): void {
    if (this.meta.get(name) === value) return;
    this.meta.set(name, value);
    this.#changedMeta.add(name);
  }

  /** Notes a decision. @param known what it is about; @param session `provider key` */
  decided(
    known: Case | undefined,
    session: string,
    outcome: Outcome,
    why: Entry['why'],
    at: number,
    more: Pick<Entry, 'priority' | 'until' | 'status' | 'code'> = {},
  ): void {
    const [provider = '', key = ''] = session.split(' ');
    const subject = known?.about ?? known?.subject ?? 'wait';
    this.#note({ at, provider, key, subject, outcome, why, ...more });
  }

  #note(entry: Entry): void {
    this.#counts[entry.outcome] += 1;
    this.#entries.push(entry);
    if (this.#entries.length > MOST_WAITING) this.#entries.shift();
    if (entry.outcome !== 'sent' && entry.outcome !== 'failed') return;
    this.#last = entry;
    this.setMeta('last', JSON.stringify(entry));
  }

  /** Writes what has changed, in one transaction. */
  write(): void {
    for (const [place, item] of this.outbox.takeChanged()) this.#itemsChanged.set(place, item);
    const isNothing =
      this.#changed.size + this.#changedMeta.size + this.#newSeen.length + this.#entries.length === 0 &&
      this.#itemsChanged.size === 0;
    if (isNothing || this.#store === undefined) return;
    try {
      this.#store.write(() => ({
        cases: new Map([...this.#changed].map((session) => [session, this.cases.get(session)])),
        items: this.#itemsChanged,
        seen: this.#newSeen,
        entries: this.#entries,
        meta: new Map([...this.#changedMeta].map((name) => [name, this.meta.get(name) ?? ''])),
      }));
      this.#changed = new Set();
      this.#changedMeta = new Set();
      this.#newSeen = [];
      this.#entries = [];
      this.#itemsChanged = new Map();
      this.#problem = undefined;
    } catch (error) {
      this.#failed(error);
    }
  }

  /** What was decided about a session lately, newest last. */
  entriesOf(session: string): readonly Entry[] {
    const waiting = this.#entries.filter(({ provider, key }) => `${provider} ${key}` === session);
    try {
      return [...(this.#store?.entriesOf(session, TOLD) ?? []), ...waiting].slice(-TOLD);
    } catch (error) {
      this.#failed(error);
      return waiting.slice(-TOLD);
    }
  }

  /** Keeps decisions to their age. */
  prune(now: number, days: number): void {
    const before = now - days * DAY;
    for (const [pair, at] of this.#seen) if (at < before) this.#seen.delete(pair);
    try {
      this.#store?.prune(before);
    } catch (error) {
      this.#failed(error);
    }
  }

  close(): void {
    this.#store?.close();
  }

  /** An empty database is in the place of a damaged one. */
  #everything(): void {
    for (const session of this.cases.keys()) this.#changed.add(session);
    for (const name of this.meta.keys()) this.#changedMeta.add(name);
    this.#newSeen = [...this.#seen].map(([pair, at]) => {
      const [provider = '', key = '', attention = ''] = pair.split(' ');
      return { session: `${provider} ${key}`, attention, at };
    });
    for (const [place, item] of this.outbox.all()) this.#itemsChanged.set(place, item);
  }

  #failed(error: unknown): void {
    const code = error instanceof SignalboxError ? error.code : 'database_unusable';
    if (this.#problem === undefined) this.#log.error('the notifier’s database can not be written', { error });
    this.#problem = code;
  }
}
