import { type FSWatcher, statSync, watch } from 'node:fs';

/** Tells of changes in one folder, as far as the system does. Whoever uses it looks now and then too, and calls `renew` then. */
export class FolderWatch {
  readonly #folder: string;
  readonly #changed: (name: string | undefined) => void;
  #watcher: FSWatcher | undefined;
  /** Device and inode of what is watched: a folder that was made anew is another one. */
  #watched: string | undefined;

  /** @param changed with the file's name, where the system tells it */
  constructor(folder: string, changed: (name: string | undefined) => void) {
    this.#folder = folder;
    this.#changed = changed;
  }

  /** Whether changes are told. */
  get works(): boolean {
    return this.#watcher !== undefined;
  }

  /** Watches the folder that is there now. */
  renew(): void {
    const there = identityOf(this.#folder);
    if (there === this.#watched) return;
    this.close();
    if (there === undefined) return;
    try {
      const watcher = watch(this.#folder, { persistent: false }, (_kind, name) =>
        this.#changed(name ?? undefined),
      );
      watcher.on('error', () => {
        if (this.#watcher === watcher) this.close();
      });
      this.#watcher = watcher;
      this.#watched = there;
    } catch {
      // No watches left, or a file system that has none.
    }
  }

  close(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#watched = undefined;
  }
}

function identityOf(folder: string): string | undefined {
  const stat = statSync(folder, { throwIfNoEntry: false });
  return stat?.isDirectory() === true ? `${stat.dev} ${stat.ino}` : undefined;
}
