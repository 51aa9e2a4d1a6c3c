import type { KnownProcess, Session } from '../../protocol/session.ts';
import {
  agentAbove,
  argumentsOf,
  type Found,
  lookAtOnce,
  lookForProcesses,
  stillRuns,
} from '../../runtime/process-look.ts';
import { Repeat } from './repeat.ts';
import {
  type SessionChanges,
  type Source,
  SourceRecord,
  type SourceState,
  type Surroundings,
} from './source.ts';

/** How often processes are looked at [ms] (spec: agents, section 4). On Linux a look is a small file each; elsewhere it is a program that is started. */
const LOOK_EVERY = process.platform === 'linux' ? 500 : 2_000;
/** By how much the system's own reckoning of a process's start may be off [ms]. */
const START_SLACK = 3_000;

/**
 * The word by which a process is known to serve many sessions and terminals, by agent (Codex 0.171: `codex app-server`, which runs the hooks unless `--no-daemon` is given). That it lives tells nothing
 * of one session (spec: state, section 4 rule 13); that it has died ends the turns of all, since nobody else runs them.
 */
const DAEMONS: ReadonlyMap<string, string> = new Map([['codex', 'app-server']]);

interface Watched {
  session: Session;
  /** What its hooks have named: the agent itself, or the sender's parent. */
  named: string;
  process: KnownProcess | undefined;
}

/**
 * Whether the agents' processes live: by id and start time, every half second or two, for sessions that are not idle. One that was never seen alive can't be told of: its id may belong to
 * another machine or container.
 */
export class ProcessSource implements Source {
  readonly name = 'process';
  readonly #around: Surroundings;
  readonly #record: SourceRecord;
  readonly #watched = new Map<string, Watched>();
  readonly #repeat: Repeat;

  constructor(around: Surroundings) {
    this.#around = around;
    this.#record = new SourceRecord(this.name, around);
    this.#repeat = new Repeat(
      around.clock,
      // Asked with every event: it must not cost more with every session that is known.
      () => (this.#watched.size === 0 ? undefined : LOOK_EVERY),
      () => this.#look(),
    );
  }

  async start(): Promise<void> {
    this.#record.set(undefined);
    this.#repeat.start();
    await this.#look(false);
  }

  stop(): Promise<void> {
    return this.#repeat.stop();
  }

  changed(sessions: SessionChanges): void {
    for (const [id, session] of sessions) {
      if (session === undefined || session.host !== this.#around.host) this.#watched.delete(id);
      else this.#follow(id, session);
    }
    this.#repeat.poke();
  }

  state(): SourceState {
    return this.#record.state(this.#active().length);
  }

  #follow(id: string, session: Session): void {
    const named = nameOf(session);
    const watched = this.#watched.get(id);
    if (watched === undefined) {
      // What an earlier run of the hub has found is still to be asked about.
      const watching: Watched = { session, named, process: session.process };
      this.#watched.set(id, watching);
      if (session.process === undefined) this.#meet(watching);
      return;
    }
    watched.session = session;
    // A shell between agent and sender is another one each time: of no interest while the agent is known.
    if (watched.named === named || (session.pid === undefined && watched.process !== undefined)) return;
    watched.named = named;
    this.#meet(watched);
  }

  /** The hook's sender waits for us, so its agent is there to be seen. */
  #meet(watched: Watched): void {
    const pid = pidOf(watched.session);
    const found = pid === undefined ? undefined : lookAtOnce(pid);
    if (found === undefined || !isItsOwn(found, watched.session)) return;
    this.#adopt(watched, found);
  }

  #adopt(watched: Watched, { pid, start, scope }: KnownProcess, live = true): void {
    const { provider, session_id, process, replayed } = watched.session;
    watched.process = { pid, start, scope };
    if (servesMany(provider, pid)) return;
    if (process?.pid === pid && process.start === start && process.scope === scope) return;
    const report = { provider, session_id, value: 'alive', process: watched.process } as const;
    this.#record.tell(report, this.#around.clock.now(), live && replayed !== true);
  }

  #active(): Watched[] {
    return [...this.#watched.values()].filter(
      ({ session, process }) =>
        session.state !== 'idle' && (process !== undefined || session.pid !== undefined),
    );
  }

  async #look(live = true): Promise<void> {
    const active = this.#active();
    const pids = active.map(({ session, process }) => process?.pid ?? session.pid ?? 0);
    const found = await lookForProcesses([...new Set(pids)]);
    for (const [index, watched] of active.entries())
      this.#judge(watched, found.get(pids[index] as number) ?? 'unknown', live);
  }

  #judge(watched: Watched, found: Found, live: boolean): void {
    const { session, process } = watched;
    if (process === undefined) {
      if (isItsOwn(found, session)) this.#adopt(watched, found, live);
      return;
    }
    if (stillRuns(process, found) !== false) return;
    watched.process = undefined;
    // The session may have gone on in another process.
    const now = pidOf(session);
    const other = now === undefined || now === process.pid ? undefined : lookAtOnce(now);
    if (other !== undefined && isItsOwn(other, session)) return this.#adopt(watched, other, live);
    const { provider, session_id } = session;
    this.#record.tell({ provider, session_id, value: 'dead' }, this.#around.clock.now(), live);
  }
}

function servesMany(provider: string, pid: number): boolean {
  const word = DAEMONS.get(provider);
  return word !== undefined && argumentsOf(pid).includes(word);
}

function nameOf({ pid, ppid }: Session): string {
  return `${pid ?? ''} ${ppid ?? ''}`;
}

/** Claude Code names its own process to its hooks; else the sender's parent tells. */
function pidOf({ pid, ppid }: Session): number | undefined {
  return pid ?? (ppid === undefined ? undefined : agentAbove(ppid));
}

/** One that has started after the session was last heard of is a later one with its id. */
function isItsOwn(found: Found, { updated_at }: Session): found is Exclude<Found, string> {
  return typeof found === 'object' && (found.startedAt ?? 0) <= updated_at + START_SLACK;
}
