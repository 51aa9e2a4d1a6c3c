import { basename, join, sep } from 'node:path';
import type { Session } from '../../protocol/session.ts';
import { readTranscriptLine } from '../../protocol/sources/claude-transcript.ts';
import {
  type SessionChanges,
  type Source,
  SourceRecord,
  type SourceState,
  type Surroundings,
} from './source.ts';
import { TailWatch } from './tail-watch.ts';

/**
 * Esc and No in Claude Code's transcripts, wherever the session files can't be used (spec: agents, section 4): the one file that a hook has named, from its end, under Claude's own
 * folder alone.
 */
export class ClaudeTranscripts implements Source {
  readonly name = 'claude_transcript';
  readonly #around: Surroundings;
  readonly #record: SourceRecord;
  readonly #folder: string;
  readonly #isNeeded: () => boolean;
  readonly #marked: () => void;
  readonly #sessions = new Map<string, Session>();
  readonly #watches = new Map<string, { readonly path: string; readonly watch: TailWatch }>();

  /** @param isNeeded whether the session files can't be used @param marked called when somebody has interrupted */
  constructor(around: Surroundings, config: string, isNeeded: () => boolean, marked: () => void) {
    this.#around = around;
    this.#record = new SourceRecord(this.name, around);
    this.#folder = join(config, 'projects');
    this.#isNeeded = isNeeded;
    this.#marked = marked;
  }

  async start(): Promise<void> {
    this.judge();
  }

  async stop(): Promise<void> {
    await this.#closeAll();
  }

  changed(sessions: SessionChanges): void {
    for (const [id, session] of sessions) {
      const isOurs = session?.provider === 'claude' && session.host === this.#around.host;
      if (isOurs && session.transcript !== undefined) this.#sessions.set(id, session);
      else this.#sessions.delete(id);
      if (this.#record.on) this.#follow(id);
    }
  }

  /** Whether it is needed may be another answer now. */
  judge(): void {
    const needed = this.#isNeeded();
    this.#record.set(needed ? undefined : 'not needed: the session files tell more');
    if (!needed) return void this.#closeAll();
    for (const id of this.#sessions.keys()) this.#follow(id);
  }

  state(): SourceState {
    return this.#record.state(this.#watches.size);
  }

  #follow(id: string): void {
    const session = this.#sessions.get(id);
    const path = session?.transcript;
    if (this.#watches.get(id)?.path === path) return;
    void this.#watches.get(id)?.watch.stop();
    this.#watches.delete(id);
    if (session === undefined || path === undefined || !this.#isOwn(path)) return;
    const options = { path, folder: this.#folder, back: 0 };
    const watch = new TailWatch(this.#around.clock, options, (line) => {
      const event = readTranscriptLine(line, session.session_id);
      if (event === undefined) return;
      this.#record.report(event);
      this.#marked();
    });
    this.#watches.set(id, { path, watch });
    void watch.start();
  }

  /** Any program of the user's can name a path. */
  #isOwn(path: string): boolean {
    return (
      path.startsWith(this.#folder + sep) &&
      !path.split(sep).includes('..') &&
      basename(path).endsWith('.jsonl')
    );
  }

  async #closeAll(): Promise<void> {
    const watches = [...this.#watches.values()];
    this.#watches.clear();
    await Promise.all(watches.map(({ watch }) => watch.stop()));
  }
}
