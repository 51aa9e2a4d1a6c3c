import { type FSWatcher, watch } from 'node:fs';
import type { Cancel, Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { ensureFolder } from '../../runtime/paths.ts';
import { isSpooled, takeDropped } from '../../runtime/spool.ts';
import type { Aggregator } from './aggregator.ts';
import { listSpool, readSpooled, removeSpooled, setAside } from './spool-files.ts';

export interface SpoolIntakeOptions {
  /** Where senders leave what reached nobody. */
  readonly folder: string;
  readonly accept: Aggregator['accept'];
  /** `state.questions`: senders read no settings, and look for questions always. */
  readonly questions: boolean;
  /** Everything that waited is taken over: from here the 2 s of rule 11 run (spec: state, section 4). */
  readonly drained: () => void;
  /** So many events were lost: the spool was full. */
  readonly lost?: (count: number) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** Events that are offered to the door at once, so that they share commits; reading them stops everything else for a few ms. */
const BATCH = 64;
/** Where the system tells of no new files, they are found this late [ms]. */
const LOOK_AGAIN_MS = 10_000;
/** Live events wait at the door for the old ones, which came before them, but not longer than this [ms]. */
const START_WITHIN_MS = 500;

/**
 * Takes over what senders have spooled (spec: bus, "Durability" 4): at the start, and when a file appears. In the order of the events' moments, and none of it is live: it
 * never alerts as it comes. A file is removed only when its event, or its refusal, is on disk.
 */
export class SpoolIntake {
  readonly #options: SpoolIntakeOptions;
  /** Taken over, and still there: nobody could remove them. */
  readonly #stuck = new Set<string>();
  #watcher: FSWatcher | undefined;
  #poll: Cancel | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #told = false;

  constructor(options: SpoolIntakeOptions) {
    this.#options = options;
  }

  /** Resolves when the spool is empty or half a second is over; the rest then goes on behind the live events. Never rejects. */
  async start(): Promise<void> {
    const { clock } = this.#options;
    this.#watch();
    const first = this.#drain();
    let cancel: Cancel = () => undefined;
    const late = new Promise<void>((resolve) => {
      cancel = clock.at(clock.now() + START_WITHIN_MS, resolve);
    });
    await Promise.race([first, late]);
    cancel();
  }

  /** Ends with the batch that is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#poll?.();
    await this.#running;
  }

  #watch(): void {
    const { folder, log } = this.#options;
    try {
      ensureFolder(folder);
      this.#watcher = watch(folder, { persistent: false }, (_kind, name) => {
        if (name === null || isSpooled(name)) void this.#drain();
      });
      this.#watcher.on('error', (error) => {
        log.debug('the spool is looked at now and then only', { error });
        this.#watcher?.close();
        this.#watcher = undefined;
      });
    } catch (error) {
      log.debug('the spool is looked at now and then only', { error });
    }
  }

  /** One at a time: what asks meanwhile gets another round of the one that runs. */
  #drain(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    this.#again = true;
    this.#running ??= this.#rounds().finally(() => {
      this.#running = undefined;
      this.#lookAgainLater();
    });
    return this.#running;
  }

  async #rounds(): Promise<void> {
    let taken = 0;
    try {
      while (this.#again && !this.#stopped) {
        this.#again = false;
        taken += await this.#round();
      }
    } catch (error) {
      // A commit that failed or a folder that can't be read: it all stays where it is, for the next look.
      this.#options.log.warn('the spool could not be taken over', { error });
      return;
    }
    if (this.#stopped || (taken === 0 && this.#told)) return;
    this.#told = true;
    this.#options.drained();
  }

  async #round(): Promise<number> {
    const { folder, log } = this.#options;
    const names = listSpool(folder).filter((name) => !this.#stuck.has(name));
    for (let at = 0; at < names.length && !this.#stopped; at += BATCH) {
      await this.#take(names.slice(at, at + BATCH));
    }
    const dropped = takeDropped(folder);
    if (dropped > 0) {
      log.warn('the spool was full: its oldest events were dropped', { count: dropped });
      this.#options.lost?.(dropped);
    }
    if (names.length > 0) log.info('events that had reached no hub were taken over', { count: names.length });
    return names.length;
  }

  /** @throws SignalboxError `not_committed`, once all that was committed is removed */
  async #take(names: readonly string[]): Promise<void> {
    // All within one turn of the loop: `accept` keeps the order it was called in.
    const dealt = await Promise.allSettled(names.map((name) => this.#offer(name)));
    for (const [index, { status }] of dealt.entries()) {
      if (status === 'fulfilled') this.#remove(names[index] as string);
    }
    const failed = dealt.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  /** Resolves when the file is of no more use. @throws SignalboxError `not_committed`, or the file system's own error */
  async #offer(name: string): Promise<void> {
    const { folder, accept, questions } = this.#options;
    const event = readSpooled(folder, name);
    if (event === 'gone') return;
    if (event === 'damaged') {
      this.#options.log.warn('a file of the spool is no event and is set aside', { path: name });
      setAside(folder, name);
      return;
    }
    const { question, ...rest } = event;
    const wanted = question === true && questions ? event : rest;
    await accept(event.provider, JSON.stringify(wanted), { live: false });
  }

  #remove(name: string): void {
    try {
      removeSpooled(this.#options.folder, name);
    } catch (error) {
      this.#stuck.add(name);
      this.#options.log.warn('an event that was taken over stays in the spool', { error });
    }
  }

  #lookAgainLater(): void {
    if (this.#stopped) return;
    const { clock } = this.#options;
    this.#poll?.();
    this.#poll = clock.at(clock.now() + LOOK_AGAIN_MS, () => {
      if (this.#watcher === undefined) this.#watch();
      void this.#drain();
    });
  }
}
