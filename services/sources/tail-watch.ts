import { type FSWatcher, watch } from 'node:fs';
import type { Clock } from '../../runtime/clock.ts';
import { FileTail, type TailOptions } from '../../runtime/tail.ts';
import { Repeat } from './repeat.ts';

/** Where the system tells of changes the file is looked at this often all the same; else this often [ms]. */
const LOOK_AGAIN = 5_000;
const LOOK_ALWAYS = 250;

/** Watches one file that grows, and hands over each whole line. */
export class TailWatch {
  readonly #tail: FileTail;
  readonly #path: string;
  readonly #line: (line: string) => void;
  readonly #repeat: Repeat;
  #watcher: FSWatcher | undefined;
  #refused = false;

  constructor(clock: Clock, options: TailOptions, line: (line: string) => void) {
    this.#tail = new FileTail(options);
    this.#path = options.path;
    this.#line = line;
    this.#repeat = new Repeat(
      clock,
      () => (this.#watcher === undefined && !this.#refused ? LOOK_ALWAYS : LOOK_AGAIN),
      () => this.#look(),
    );
  }

  /** Resolves when what is to be read of what is there has been handed over. */
  async start(): Promise<void> {
    this.#repeat.start();
    await this.#look();
  }

  async stop(): Promise<void> {
    this.#close();
    await this.#repeat.stop();
  }

  /** Something says that the file has changed. */
  look(): void {
    this.#repeat.now();
  }

  async #look(): Promise<void> {
    for (;;) {
      const tailed = this.#tail.look();
      this.#refused = tailed.kind === 'refused';
      if (tailed.kind !== 'lines') return this.#close();
      for (const line of tailed.lines) this.#line(line);
      this.#watch();
      if (!tailed.more) return;
      // A file of many megabytes stops nothing else.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #watch(): void {
    if (this.#watcher !== undefined || this.#refused) return;
    try {
      const watcher = watch(this.#path, { persistent: false }, (kind) => {
        // Removed, or another file in its place: this watcher would see nothing of that one.
        if (kind === 'rename') this.#close();
        this.#repeat.now();
      });
      watcher.on('error', () => this.#close());
      this.#watcher = watcher;
    } catch {
      // No watches left, or a file system that has none: it is looked at more often.
    }
  }

  #close(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}
