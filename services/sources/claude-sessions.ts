import { lstatSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Session } from '../../protocol/session.ts';
import { changesOf, type ClaudeStatus } from '../../protocol/sources/claude-sessions.ts';
import type { Cancel } from '../../runtime/clock.ts';
import { lookForProcesses } from '../../runtime/process-look.ts';
import { FolderWatch } from './folder-watch.ts';
import { Repeat } from './repeat.ts';
import { lookAtSessionFile, type Looked, pidOfName } from './session-file.ts';
import {
  type SessionChanges,
  type Source,
  SourceRecord,
  type SourceState,
  type Surroundings,
} from './source.ts';

/** Where the system tells of changes, they are looked for this often all the same; else this often [ms] (spec: agents, section 4: 0.3 s at the latest). */
const LOOK_AGAIN = 5_000;
const LOOK_ALWAYS = 250;
/** Files that no process runs for are looked at this often [ms]: there may be thousands. */
const LOOK_AT_DEAD = 60_000;
/** A file that is half written, or has just been removed, is looked at again after these [ms]. */
const LOOK_SOON = [15, 30, 60, 120, 240];

interface Known {
  readonly status: ClaudeStatus | undefined;
  readonly local: boolean;
}

/**
 * What Claude Code says of itself in `<config>/sessions/<pid>.json` (spec: agents, section 4): read when it changes. Undocumented: what doesn't fit turns the source off until
 * the client that has written it is gone.
 */
export class ClaudeSessionFiles implements Source {
  readonly name = 'claude_sessions';
  readonly #around: Surroundings;
  readonly #record: SourceRecord;
  readonly #folder: string;
  readonly #known = new Map<string, Known>();
  /** Files that no process runs for. */
  readonly #dead = new Set<string>();
  #lookedAtDead = Number.NEGATIVE_INFINITY;
  /** Files of living clients that don't fit. */
  readonly #unfit = new Map<string, string>();
  readonly #soon = new Map<string, { readonly times: number; readonly cancel: Cancel }>();
  readonly #watch: FolderWatch;
  readonly #repeat: Repeat;
  /** Sessions of an earlier run that a status supports, until it is known whether their files are still there. */
  #earlier: Session[] | undefined = [];
  #queue = new Set<string>();
  #looking: Promise<void> = Promise.resolve();
  #live = false;
  #disturbed: string | undefined;
  #stopped = false;

  /** @param config Claude Code's own folder */
  constructor(around: Surroundings, config: string) {
    this.#around = around;
    this.#record = new SourceRecord(this.name, around);
    this.#folder = join(config, 'sessions');
    this.#watch = new FolderWatch(this.#folder, (name) => this.#changedFile(name));
    this.#repeat = new Repeat(
      around.clock,
      () => (this.#watch.works || !this.#record.on ? LOOK_AGAIN : LOOK_ALWAYS),
      () => this.#lookAtAll(),
    );
  }

  /** Whether what the files say can be relied on. */
  get usable(): boolean {
    return this.#record.on;
  }

  /** Compares what is read with what the documented command lists: where files are missing, they can't be used. */
  async confirm(listed: ReadonlySet<number>): Promise<void> {
    // One that has begun meanwhile may not have been read yet.
    await this.#lookAtAll();
    const read = new Set([...this.#known.keys()].map((name) => pidOfName(name)));
    const running = await lookForProcesses([...listed]);
    if (![...listed].some((pid) => !read.has(pid) && running.get(pid) !== 'gone')) return;
    this.#disturbed = 'the command "claude agents" lists sessions that have no file';
    this.#judge();
  }

  async start(): Promise<void> {
    this.#watch.renew();
    await this.#lookAtAll();
    await this.#settleEarlier();
    this.#live = true;
    this.#repeat.start();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#watch.close();
    for (const { cancel } of this.#soon.values()) cancel();
    this.#soon.clear();
    await this.#repeat.stop();
    await this.#looking;
  }

  changed(sessions: SessionChanges): void {
    for (const session of sessions.values()) {
      if (session?.provider !== 'claude' || session.host !== this.#around.host) continue;
      if (session.status !== undefined) this.#earlier?.push(session);
      // A Claude that nobody knew of: its folder may be there now.
      if (!this.#record.on && this.#live && this.#unfit.size === 0 && this.#disturbed === undefined)
        this.#repeat.now();
    }
  }

  state(): SourceState {
    return this.#record.state(this.#known.size);
  }

  #changedFile(name: string | undefined): void {
    if (name === undefined || name === basename(this.#folder)) return this.#repeat.now();
    if (pidOfName(name) !== undefined) void this.#look([name]);
  }

  async #lookAtAll(): Promise<void> {
    this.#watch.renew();
    let names: string[];
    try {
      // A link would lead out of the agent's own folder.
      if (lstatSync(this.#folder).isSymbolicLink())
        throw Object.assign(new Error('a link'), { code: 'ELOOP' });
      names = readdirSync(this.#folder).filter((name) => pidOfName(name) !== undefined);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const isThere = code !== 'ENOENT' && code !== 'ENOTDIR';
      for (const name of this.#known.keys()) this.#forget(name);
      this.#unfit.clear();
      this.#turn(
        isThere
          ? `its folder can't be read (${code ?? 'unknown'})`
          : 'Claude Code keeps no session files here',
        isThere,
      );
      return;
    }
    const there = new Set(names);
    const left = [...this.#known.keys(), ...this.#unfit.keys()].filter((name) => !there.has(name));
    await this.#look([...this.#worthLook(names), ...left]);
    this.#judge();
  }

  #worthLook(names: readonly string[]): readonly string[] {
    const now = this.#around.clock.now();
    if (Math.abs(now - this.#lookedAtDead) < LOOK_AT_DEAD)
      return names.filter((name) => !this.#dead.has(name));
    this.#lookedAtDead = now;
    this.#dead.clear();
    return names;
  }

  /** One look at a time, so that no older one is told after a newer one. */
  #look(names: readonly string[]): Promise<void> {
    for (const name of names) this.#queue.add(name);
    this.#looking = this.#looking.then(async () => {
      const queue = this.#queue;
      this.#queue = new Set();
      for (const name of queue) if (!this.#stopped) await this.#lookAt(name);
    });
    return this.#looking;
  }

  async #lookAt(name: string): Promise<void> {
    const looked = await lookAtSessionFile(this.#folder, name, pidOfName(name) as number);
    if (this.#stopped) return;
    if (looked.kind === 'dead') this.#dead.add(name);
    else this.#dead.delete(name);
    if (looked.kind !== 'unknown' && this.#unfit.delete(name)) this.#judge();
    if (looked.kind === 'half' || (looked.kind === 'missing' && this.#known.has(name))) {
      if (this.#lookSoon(name)) return;
    } else this.#settle(name);
    this.#take(name, looked);
  }

  #take(name: string, looked: Looked): void {
    switch (looked.kind) {
      case 'status':
        return this.#tell(name, looked);
      case 'missing':
        return this.#removed(name);
      case 'unknown':
        this.#forget(name);
        this.#unfit.set(name, looked.version);
        return this.#judge();
      default:
        return this.#forget(name);
    }
  }

  /** @returns false when it has been looked at often enough */
  #lookSoon(name: string): boolean {
    const times = (this.#soon.get(name)?.times ?? 0) + 1;
    const wait = LOOK_SOON[times - 1];
    this.#settle(name);
    if (wait === undefined) return false;
    const { clock } = this.#around;
    const cancel = clock.at(clock.now() + wait, () => void this.#look([name]));
    this.#soon.set(name, { times, cancel });
    return true;
  }

  #settle(name: string): void {
    this.#soon.get(name)?.cancel();
    this.#soon.delete(name);
  }

  #tell(name: string, { status, local }: Known): void {
    const before = this.#known.get(name)?.status;
    this.#judge();
    this.#known.set(name, { status, local });
    if (!this.#record.on || (before !== undefined && status !== undefined && isSame(before, status))) return;
    for (const { report, moment } of changesOf(before, status, this.#around.clock.now(), this.#others(name)))
      this.#record.tell(report, moment, this.#live);
  }

  /** An orderly exit. */
  #removed(name: string): void {
    const before = this.#known.get(name)?.status;
    this.#known.delete(name);
    if (!this.#record.on) return;
    for (const { report, moment } of changesOf(
      before,
      undefined,
      this.#around.clock.now(),
      this.#others(name),
    ))
      this.#record.tell(report, moment, this.#live);
  }

  /** What it said supports nothing any more; how it ended is for others to tell. */
  #forget(name: string): void {
    const status = this.#known.get(name)?.status;
    this.#known.delete(name);
    if (status !== undefined && this.#record.on) this.#withdraw(status.report.session_id);
  }

  #withdraw(session_id: string): void {
    const report = { provider: 'claude', session_id, value: 'withdrawn' } as const;
    this.#record.tell(report, this.#around.clock.now(), this.#live);
  }

  *#others(name: string): Iterable<ClaudeStatus> {
    for (const [other, { status }] of this.#known) if (other !== name && status !== undefined) yield status;
  }

  #judge(): void {
    const [version] = this.#unfit.values();
    this.#turn(
      version === undefined
        ? this.#disturbed
        : `Claude Code ${version} writes session files of a shape that is not known`,
    );
  }

  /** @param trouble they are there, and can't be used */
  #turn(why: string | undefined, trouble = why !== undefined): void {
    const wasOn = this.#record.on;
    const statuses = [...this.#known.values()].flatMap(({ status }) => status ?? []);
    if (why !== undefined && wasOn) for (const { report } of statuses) this.#withdraw(report.session_id);
    this.#record.set(why, trouble);
    if (why === undefined && !wasOn)
      for (const { report, moment } of statuses) this.#record.tell(report, moment, this.#live);
  }

  /** Sessions that an earlier run of the hub knew by a status which no file confirms. */
  async #settleEarlier(): Promise<void> {
    const named = new Set([...this.#known.values()].map(({ status }) => status?.report.session_id));
    const lost = (this.#earlier ?? []).filter(({ session_id }) => !this.#record.on || !named.has(session_id));
    this.#earlier = undefined;
    for (const { session_id, pid } of lost) {
      if (!this.#record.on || pid === undefined || !(await this.#hasEnded(pid))) this.#withdraw(session_id);
      else {
        const report = { provider: 'claude', session_id, value: 'gone' } as const;
        this.#record.tell(report, this.#around.clock.now(), false);
      }
    }
  }

  /** Its file was removed and its process is gone, or its process has another session: an orderly end. One that was killed leaves its file behind. */
  async #hasEnded(pid: number): Promise<boolean> {
    const { kind } = await lookAtSessionFile(this.#folder, `${pid}.json`, pid);
    if (kind !== 'missing') return kind === 'status';
    return (await lookForProcesses([pid])).get(pid) === 'gone';
  }
}

function isSame(a: ClaudeStatus, b: ClaudeStatus): boolean {
  return (
    a.moment === b.moment &&
    a.report.value === b.report.value &&
    a.report.waiting_for === b.report.waiting_for &&
    a.report.session_id === b.report.session_id
  );
}
