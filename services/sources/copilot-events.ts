import { statSync } from 'node:fs';
import { join } from 'node:path';
import { toolDigest } from '../../protocol/adapters/tool-digest.ts';
import type { Hasher } from '../../protocol/events.ts';
import { REFOLD_WINDOW } from '../../protocol/expiry.ts';
import type { Session } from '../../protocol/session.ts';
import { type CopilotLogState, readCopilotLine } from '../../protocol/sources/copilot-events.ts';
import {
  type SessionChanges,
  type Source,
  SourceRecord,
  type SourceState,
  type Surroundings,
} from './source.ts';
import { TailWatch } from './tail-watch.ts';

/** Read of what a log held when a hook has named its session [bytes]: its turn began just before. */
const BACK = 256 * 1024;

/**
 * What Copilot writes into its sessions' own logs and no hook tells (spec: agents, section 4): the answer to a request, Esc, an error that ends a turn. Of sessions that a hook has
 * named, under its own folder alone.
 */
export class CopilotLogs implements Source {
  readonly name = 'copilot_events';
  readonly #around: Surroundings;
  readonly #record: SourceRecord;
  readonly #folder: string;
  readonly #hasher: Hasher;
  readonly #logs = new Map<string, TailWatch>();
  #live = false;
  #pending: Promise<void>[] = [];

  /** @param home Copilot's own folder */
  constructor(around: Surroundings, home: string, hasher: Hasher) {
    this.#around = around;
    this.#record = new SourceRecord(this.name, around);
    this.#folder = join(home, 'session-state');
    this.#hasher = hasher;
  }

  async start(): Promise<void> {
    this.#judge();
    await Promise.all(this.#pending);
    this.#pending = [];
    this.#live = true;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#logs.values()].map((watch) => watch.stop()));
    this.#logs.clear();
  }

  changed(sessions: SessionChanges): void {
    for (const [id, session] of sessions) {
      if (session === undefined) {
        void this.#logs.get(id)?.stop();
        this.#logs.delete(id);
      } else if (session.provider === 'copilot' && session.host === this.#around.host && !this.#logs.has(id))
        this.#follow(id, session);
    }
  }

  state(): SourceState {
    return this.#record.state(this.#logs.size);
  }

  #judge(): void {
    const there = statSync(this.#folder, { throwIfNoEntry: false })?.isDirectory() === true;
    this.#record.set(there ? undefined : 'Copilot keeps no logs here');
  }

  #follow(id: string, { session_id, last_hook_at, updated_at }: Session): void {
    // It becomes a part of a path.
    if (!/^[\w-]{1,64}$/.test(session_id)) return;
    if (!this.#record.on) this.#judge();
    const since = (last_hook_at ?? updated_at) - REFOLD_WINDOW;
    let state: CopilotLogState = {};
    const digest = (input: unknown): string | undefined => toolDigest(this.#hasher, 'copilot', input);
    const options = {
      path: join(this.#folder, session_id, 'events.jsonl'),
      folder: this.#folder,
      back: BACK,
    };
    const watch = new TailWatch(this.#around.clock, options, (line) => {
      const read = readCopilotLine(line, session_id, state, digest);
      state = read.state;
      if (read.event === undefined || read.event.sent_at < since) return;
      const { sent_at, event, request = '', call = '' } = read.event;
      // Its id makes what is read again after a restart the same event.
      this.#record.report(
        { ...read.event, id: `log ${session_id} ${sent_at} ${event} ${request || call}` },
        this.#live,
      );
    });
    this.#logs.set(id, watch);
    const started = watch.start();
    if (!this.#live) this.#pending.push(started);
  }
}
