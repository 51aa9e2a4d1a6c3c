import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Session } from '../../protocol/session.ts';
import { type ListedAgent, readClaudeAgents } from '../../protocol/sources/claude-agents.ts';
import { lookForProcesses } from '../../runtime/process-look.ts';
import { Repeat } from './repeat.ts';
import {
  type SessionChanges,
  type Source,
  SourceRecord,
  type SourceState,
  type Surroundings,
} from './source.ts';

/** After a hook or a mark in the transcript, and while a session is at work or waits [ms] (spec: agents, section 4). */
const SOON = 500;
const AGAIN = 15_000;
/** A call takes up to a second; one that hangs is ended [ms]. */
const TIMEOUT = 10_000;
/** What it may print: some 200 bytes a session. */
const MOST_BYTES = 1024 * 1024;

export interface AgentsOptions {
  /** Claude Code's configuration folder. */
  readonly config: string;
  /** The surroundings that the command is run in; its PATH tells where it is. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether the session files can't be used. */
  readonly isNeeded: () => boolean;
}

/**
 * `claude agents --json`, the documented way to what the session files say, wherever those can't be used: one call at a time. It tells no times, so what it says counts from when
 * it was asked.
 */
export class ClaudeAgents implements Source {
  readonly name = 'claude_agents';
  readonly #around: Surroundings;
  readonly #record: SourceRecord;
  readonly #options: AgentsOptions;
  readonly #repeat: Repeat;
  /** Claude's sessions of this machine, by table id. */
  readonly #sessions = new Map<string, Session>();
  /** What it has told of, by session id. */
  #listed = new Map<string, ListedAgent>();
  #soon = false;
  #stopping = new AbortController();

  constructor(around: Surroundings, options: AgentsOptions) {
    this.#around = around;
    this.#record = new SourceRecord(this.name, around);
    this.#options = options;
    this.#repeat = new Repeat(
      around.clock,
      () => this.#period(),
      () => this.#ask(),
    );
  }

  async start(): Promise<void> {
    this.judge();
    this.#repeat.start();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#repeat.stop();
  }

  changed(sessions: SessionChanges): void {
    for (const [id, session] of sessions) {
      if (session?.provider !== 'claude' || session.host !== this.#around.host) {
        this.#sessions.delete(id);
        continue;
      }
      const before = this.#sessions.get(id);
      this.#sessions.set(id, session);
      if (before?.last_hook_at !== session.last_hook_at) this.ask();
    }
    this.#repeat.poke();
  }

  /** Something has happened that it may know more of. */
  ask(): void {
    if (this.#soon || !this.#record.on) return;
    this.#soon = true;
    this.#repeat.again();
  }

  /** Whether it is needed, and there, may be another answer now. */
  judge(): void {
    const why = this.#whyNot();
    if (why !== undefined) this.#withdrawAll();
    if (this.#record.set(why)) this.#repeat.poke();
  }

  state(): SourceState {
    return this.#record.state(this.#listed.size);
  }

  #whyNot(): string | undefined {
    if (!this.#options.isNeeded()) return 'not needed: the session files can be used';
    return this.#program() === undefined ? 'claude is not on the PATH' : undefined;
  }

  #period(): number | undefined {
    if (!this.#record.on) return undefined;
    if (this.#soon) return SOON;
    const active = [...this.#sessions.values()].some(
      ({ state }) => state === 'running' || state === 'needs_user',
    );
    return active ? AGAIN : undefined;
  }

  async #ask(): Promise<void> {
    this.#soon = false;
    const program = this.#program();
    if (program === undefined || !this.#record.on) return this.judge();
    const asked = this.#around.clock.now();
    const printed = await this.#call(program);
    if (this.#stopping.signal.aborted) return;
    try {
      if (printed === undefined) throw new TypeError('no answer');
      await this.#take(readClaudeAgents(printed), asked);
      this.#record.set(undefined);
    } catch {
      this.#withdrawAll();
      this.#around.log.debug('"claude agents --json" did not answer as it should', { component: this.name });
    }
  }

  #call(program: string): Promise<string | undefined> {
    const { env, config } = this.#options;
    const options = {
      env: { ...env, CLAUDE_CONFIG_DIR: config },
      timeout: TIMEOUT,
      killSignal: 'SIGKILL',
      maxBuffer: MOST_BYTES,
      signal: this.#stopping.signal,
    } as const;
    return new Promise((resolve) => {
      const child = execFile(program, ['agents', '--json'], options, (error, stdout) =>
        resolve(error === null ? stdout : undefined),
      );
      child.stdin?.end();
    });
  }

  #program(): string | undefined {
    return programOnPath('claude', this.#options.env['PATH'] ?? '');
  }

  /** Asks once which processes run a session, to confirm what is read elsewhere; `undefined` where that can't be told. Never rejects. */
  async processes(): Promise<ReadonlySet<number> | undefined> {
    const program = this.#program();
    const printed = program === undefined ? undefined : await this.#call(program);
    try {
      return new Set(readClaudeAgents(printed ?? '').flatMap(({ pid }) => pid ?? []));
    } catch {
      return undefined;
    }
  }

  async #take(listed: readonly ListedAgent[], asked: number): Promise<void> {
    const before = this.#listed;
    this.#listed = new Map(listed.map((agent) => [agent.session_id, agent]));
    const pids = new Set(listed.map(({ pid }) => pid));
    const left = [...before.values()].filter(({ session_id }) => !this.#listed.has(session_id));
    const running = await lookForProcesses(left.flatMap(({ pid }) => pid ?? []));
    for (const { session_id, pid } of left) {
      // Its process has another session now. One that is not listed any more has ended or was killed: other sources tell which.
      const isReplaced = pid !== undefined && pids.has(pid) && running.get(pid) !== 'gone';
      const value = isReplaced ? 'gone' : 'withdrawn';
      this.#record.tell({ provider: 'claude', session_id, value }, this.#around.clock.now());
    }
    for (const agent of listed) this.#record.tell(agent, asked);
  }

  #withdrawAll(): void {
    for (const session_id of this.#listed.keys())
      this.#record.tell({ provider: 'claude', session_id, value: 'withdrawn' }, this.#around.clock.now());
    this.#listed.clear();
  }
}

/** The first program of that name that can be run; folders that are not absolute are nobody's. */
function programOnPath(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
      } catch {
        return false;
      }
    });
}
