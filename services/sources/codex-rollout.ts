import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { REFOLD_WINDOW } from '../../protocol/expiry.ts';
import type { Session } from '../../protocol/session.ts';
import {
  readRolloutLine,
  type RolloutEvent,
  type RolloutState,
  threadOf,
} from '../../protocol/sources/codex-rollout.ts';
import { FolderWatch } from './folder-watch.ts';
import {
  type SessionChanges,
  type Source,
  SourceRecord,
  type SourceState,
  type Surroundings,
} from './source.ts';
import { TailWatch } from './tail-watch.ts';

/** Read of what a rollout held when a hook has named it [bytes]: its turn began just before. */
const BACK = 256 * 1024;
/** Files of threads that no hook has named, of each folder: the reviews of requests are among them. */
const MOST_UNNAMED = 32;

interface Rollout {
  readonly watch: TailWatch;
  /** A hook has named its thread: what it tells counts. */
  named: boolean;
  /** What is older has been told by hooks, or nobody cares [unix ms]. */
  since: number;
  state: RolloutState;
}

/**
 * What Codex writes into its rollouts and no hook tells (spec: agents, section 4): of the files that hooks have named, under its own folder alone. A request that a model reviews is
 * told in the review's own rollout beside it: of that one nothing but the review counts, and it is about the thread whose turn has asked.
 */
export class CodexRollouts implements Source {
  readonly name = 'codex_rollout';
  readonly #around: Surroundings;
  readonly #record: SourceRecord;
  readonly #folder: string;
  readonly #rollouts = new Map<string, Rollout>();
  /** By table id. */
  readonly #sessions = new Map<string, string>();
  readonly #days = new Map<string, FolderWatch>();
  /** Which thread a turn belongs to. */
  readonly #threads = new Map<string, string>();
  /** Reviews whose turn is not known yet. */
  #waiting: RolloutEvent[] = [];
  #live = false;
  #pending: Promise<void>[] = [];

  /** @param home `CODEX_HOME` */
  constructor(around: Surroundings, home: string) {
    this.#around = around;
    this.#record = new SourceRecord(this.name, around);
    this.#folder = join(home, 'sessions');
  }

  async start(): Promise<void> {
    this.#judge();
    await Promise.all(this.#pending);
    this.#pending = [];
    this.#live = true;
  }

  async stop(): Promise<void> {
    for (const day of this.#days.values()) day.close();
    this.#days.clear();
    await Promise.all([...this.#rollouts.values()].map(({ watch }) => watch.stop()));
    this.#rollouts.clear();
  }

  changed(sessions: SessionChanges): void {
    for (const [id, session] of sessions) {
      if (session === undefined) this.#leave(id);
      else if (
        session.provider === 'codex' &&
        session.host === this.#around.host &&
        session.transcript !== undefined
      )
        this.#follow(id, session, session.transcript);
    }
  }

  state(): SourceState {
    return this.#record.state(this.#sessions.size);
  }

  #judge(): void {
    const there = statSync(this.#folder, { throwIfNoEntry: false })?.isDirectory() === true;
    this.#record.set(there ? undefined : 'Codex keeps no rollouts here');
  }

  #follow(id: string, session: Session, path: string): void {
    if (this.#sessions.get(id) === path) return;
    this.#leave(id);
    // Any program of the user's can name a path: what is not Codex' own is not even looked for.
    if (threadOf(basename(path)) !== session.session_id || !path.startsWith(this.#folder + sep)) return;
    if (path.split(sep).includes('..')) return;
    if (!this.#record.on) this.#judge();
    this.#sessions.set(id, path);
    const since = (session.last_hook_at ?? session.updated_at) - REFOLD_WINDOW;
    const known = this.#rollouts.get(path);
    // Watched already as one that might be a review: its lines have been read, and told nothing of itself.
    if (known !== undefined) {
      known.named = true;
      known.since = since;
      if (known.state.turn !== undefined) this.#belongs(known.state.turn, session.session_id);
    } else this.#open(path, since, true);
    this.#watchDay(dirname(path));
  }

  #leave(id: string): void {
    const path = this.#sessions.get(id);
    if (path === undefined) return;
    this.#sessions.delete(id);
    this.#close(path);
    const day = dirname(path);
    if ([...this.#sessions.values()].some((other) => dirname(other) === day)) return;
    this.#days.get(day)?.close();
    this.#days.delete(day);
    for (const other of this.#rollouts.keys()) if (dirname(other) === day) this.#close(other);
    if (this.#sessions.size === 0) this.#threads.clear();
  }

  #open(path: string, since: number, named: boolean): void {
    const thread = threadOf(basename(path));
    if (thread === undefined) return;
    const options = { path, folder: this.#folder, back: BACK };
    const watch = new TailWatch(this.#around.clock, options, (line) => this.#line(rollout, thread, line));
    const rollout: Rollout = { watch, named, since, state: {} };
    this.#rollouts.set(path, rollout);
    const started = watch.start();
    if (!this.#live) this.#pending.push(started);
  }

  #close(path: string): void {
    const rollout = this.#rollouts.get(path);
    this.#rollouts.delete(path);
    void rollout?.watch.stop();
  }

  #watchDay(day: string): void {
    if (this.#days.has(day)) return;
    const watch = new FolderWatch(day, (name) => this.#found(day, name));
    this.#days.set(day, watch);
    watch.renew();
    // What lies there already may be the review of a thread that goes on.
    const names = namesOf(day).slice(-MOST_UNNAMED);
    for (const name of names) this.#found(day, name);
  }

  #found(day: string, name: string | undefined): void {
    if (name === undefined || threadOf(name) === undefined) return;
    const path = join(day, name);
    const known = this.#rollouts.get(path);
    if (known !== undefined) return known.watch.look();
    const unnamed = [...this.#rollouts].filter(([other, { named }]) => !named && dirname(other) === day);
    const [oldest] = unnamed;
    if (unnamed.length >= MOST_UNNAMED && oldest !== undefined) this.#close(oldest[0]);
    this.#open(path, this.#around.clock.now() - REFOLD_WINDOW, false);
  }

  #line(rollout: Rollout, thread: string, line: string): void {
    const { event, state } = readRolloutLine(line, thread, rollout.state);
    rollout.state = state;
    if (rollout.named && state.turn !== undefined) this.#belongs(state.turn, thread);
    if (event === undefined || event.sent_at < rollout.since) return;
    if (event.reviewer !== undefined && event.prompt_id !== undefined) this.#review(event);
    else if (rollout.named) this.#tell(event);
  }

  #belongs(turn: string, thread: string): void {
    if (this.#threads.get(turn) === thread) return;
    this.#threads.set(turn, thread);
    const [oldest] = this.#threads.keys();
    if (this.#threads.size > 1024 && oldest !== undefined) this.#threads.delete(oldest);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const event of waiting) this.#review(event);
  }

  #review(event: RolloutEvent): void {
    const session_id = this.#threads.get(event.prompt_id ?? '');
    if (session_id !== undefined) this.#tell({ ...event, session_id });
    else this.#waiting = [...this.#waiting.slice(-MOST_UNNAMED), event];
  }

  /** Its id makes what is read again after a restart the same event. */
  #tell(event: RolloutEvent): void {
    const { session_id = '', sent_at, event: name } = event;
    this.#record.report({ ...event, id: `rollout ${session_id} ${sent_at} ${name}` }, this.#live);
  }
}

/** Rollouts of a day, in the order in which they were begun. */
function namesOf(day: string): string[] {
  try {
    return readdirSync(day)
      .filter((name) => threadOf(name) !== undefined)
      .sort();
  } catch {
    return [];
  }
}
