import { emptied, NEW_TRACK, type Track } from './fold.ts';

/** Steps kept of all sessions together: some 4 KB each, and 64 a session at most, so a thousand busy ones must not keep them all. */
const MOST_STEPS = 16_384;

/** The refold windows of all sessions, those heard of last at the end. Above the bound the ones that have been quiet longest lose theirs. */
export class Tracks {
  readonly #tracks = new Map<string, Track>();
  /** Of those that have lost theirs: what would be too late all the same. */
  readonly #emptied = new Map<string, Track>();
  readonly #most: number;
  #steps = 0;

  /** @param most steps of all sessions together */
  constructor(most = MOST_STEPS) {
    this.#most = most;
  }

  /** The window of a session; an empty one where nothing is known of it. */
  get(id: string): Track {
    return this.#tracks.get(id) ?? this.#emptied.get(id) ?? NEW_TRACK;
  }

  set(id: string, track: Track): void {
    this.delete(id);
    this.#tracks.set(id, track);
    this.#steps += track.window.length;
    for (const [quiet, lost] of this.#tracks) {
      if (this.#steps <= this.#most || quiet === id) return;
      this.delete(quiet);
      this.#emptied.set(quiet, emptied(lost));
    }
  }

  delete(id: string): void {
    this.#steps -= this.get(id).window.length;
    this.#tracks.delete(id);
    this.#emptied.delete(id);
  }

  /** What is known of no session has no place among what comes from now on. */
  clear(): void {
    this.#tracks.clear();
    this.#emptied.clear();
    this.#steps = 0;
  }
}
