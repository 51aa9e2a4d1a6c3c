import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AttentionEntry, SessionPayload } from '../../../../protocol/messages/session.ts';
import type { AttentionKind } from '../../../../protocol/states.ts';
import { createLog } from '../../../../runtime/log.ts';
import { configSchema } from '../../../../runtime/config/schema.ts';
import { deliver } from '../../../../services/notifier/courier.ts';
import { Desk } from '../../../../services/notifier/desk.ts';
import type { NtfyClient, NtfyMessage, NtfyOutcome } from '../../../../services/notifier/ntfy-client.ts';
import { Records } from '../../../../services/notifier/records.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
/** A Thursday at noon, local time. */
export const NOON = new Date(2026, 0, 1, 12, 0, 0).getTime();

const GOOD: NtfyOutcome = { ok: true, replaces: true };

export interface DriverOptions {
  /** The `[notify]` section. */
  readonly notify?: Record<string, unknown>;
  /** Of a former driver: its database. */
  readonly home?: string;
  readonly start?: number;
}

type Given = Partial<Omit<SessionPayload, 'attentions'>> & {
  /** Kinds of what is open. */
  readonly open?: readonly (AttentionKind | Partial<AttentionEntry>)[];
};

/** The desk with its database under a clock that the test moves, and a server that does what the test says. */
export class Driver {
  readonly home: string;
  now: number;
  /** What the server is to answer; by default it takes everything. */
  answer: NtfyOutcome = GOOD;
  /** What it is to answer to a clear or a cancel, where that is something else. */
  clears: NtfyOutcome | undefined;
  /** What fails has arrived all the same: only the answer is lost. */
  arrives = false;
  /** Whether the server says that it has the message that was tried before. */
  arrived: boolean | undefined;
  /** Last input in the terminal. */
  input: number | undefined;
  /** What came to the server, in words. */
  readonly server: string[] = [];
  readonly messages: NtfyMessage[] = [];
  /** Titles on the phone, by sequence id. */
  readonly shown = new Map<string, string>();
  /** What lies at the server for later, by sequence id. */
  readonly later = new Map<string, { readonly title: string; readonly due: number }>();
  readonly records: Records;
  readonly desk: Desk;

  constructor({ notify = {}, home = temporaryFolder(), start = NOON }: DriverOptions = {}) {
    this.home = home;
    this.now = start;
    const { notify: settings } = configSchema.parse({ notify: { enabled: true, ...notify } });
    this.records = new Records({
      path: join(home, 'notifier.db'),
      synchronous: 'normal',
      log: createLog({ level: 'silent', format: 'json', stream: { write: () => undefined } }),
      now: () => this.now,
    });
    onTestFinished(() => this.records.close());
    this.desk = new Desk({
      settings,
      records: this.records,
      nameOf: (slug) => slug.charAt(0).toUpperCase() + slug.slice(1),
      lastInput: () => this.input,
      random: () => 0.5,
    });
  }

  /** A session as the bus has it; `since` is now where it is not given. */
  async session(
    project: string,
    state: SessionPayload['state'],
    given: Given = {},
    live = true,
  ): Promise<void> {
    const session = sessionOf(project, state, this.now, given);
    this.desk.session(`${session.provider} ${session.key}`, session, live, this.now);
    await this.#work();
  }

  /** A session that waits and has alerted. */
  async waits(project: string, given: Given = {}, live = true): Promise<void> {
    await this.session(
      project,
      'needs_user',
      { reason: 'permission_request', alerts: 1, open: ['permission'], ...given },
      live,
    );
  }

  async gone(project: string, provider = 'codex'): Promise<void> {
    this.desk.session(`${provider} ${keyOf(project)}`, undefined, true, this.now);
    await this.#work();
  }

  /** Lets time pass: whatever is due is done at its moment. */
  async wait(ms: number): Promise<void> {
    const until = this.now + ms;
    for (;;) {
      const times = [this.desk.nextLook(), this.records.outbox.nextAttempt()].filter(
        (time) => time !== undefined,
      );
      const next = Math.min(...times);
      if (next > until) break;
      this.now = Math.max(this.now, next);
      const before = this.server.length;
      await this.#work();
      // Nothing can be done before something changes.
      if (next <= this.now && this.server.length === before && !this.#hasMoved(next)) break;
    }
    this.now = until;
    await this.#work();
    for (const [sequence, { title, due }] of this.later)
      if (due <= this.now) {
        this.shown.set(sequence, title);
        this.later.delete(sequence);
      }
  }

  async jump(ms: number): Promise<void> {
    this.now += ms;
    this.desk.shift(ms);
    await this.#work();
  }

  /** The same folder again, as after an end of the process. */
  again(options: DriverOptions = {}): Driver {
    this.records.write();
    this.records.close();
    return new Driver({ ...options, home: this.home, start: this.now });
  }

  /** Decisions about a session: `outcome why`. */
  ledger(project: string, provider = 'codex'): string[] {
    return this.records
      .entriesOf(`${provider} ${keyOf(project)}`)
      .map(({ outcome, why }) => `${outcome} ${why}`.trimEnd());
  }

  #hasMoved(past: number): boolean {
    const times = [this.desk.nextLook(), this.records.outbox.nextAttempt()].filter(
      (time) => time !== undefined,
    );
    return Math.min(...times) > past;
  }

  async #work(): Promise<void> {
    this.desk.work(this.now);
    for (
      let item = this.records.outbox.take(this.now);
      item !== undefined;
      item = this.records.outbox.take(this.now)
    ) {
      const outcome = await deliver(this.#client(), item, this.now);
      this.desk.settled(item, outcome, this.now);
      this.desk.work(this.now);
    }
    this.records.write();
  }

  #arrived({ sequence_id: sequence = '', title, delay }: NtfyMessage): void {
    if (delay === undefined) this.shown.set(sequence, title);
    else this.later.set(sequence, { title, due: this.now + Number.parseInt(delay, 10) * SECOND });
  }

  #client(): NtfyClient {
    const did = (words: string, act?: () => void, answer = this.answer): Promise<NtfyOutcome> => {
      this.server.push(answer.ok ? words : `${words} !${answer.fault}`);
      if (answer.ok || this.arrives) act?.();
      return Promise.resolve(answer);
    };
    return {
      publish: (message) => {
        if (this.answer.ok) this.messages.push(message);
        return did(
          `${message.priority} ${message.title}${message.delay === undefined ? '' : ` in ${message.delay}`}`,
          () => this.#arrived(message),
        );
      },
      holds: () => Promise.resolve(this.arrived),
      // A clear leaves what lies there for later; only a cancel takes that back.
      clear: (_topic, sequence) => did(`clear ${sequence}`, () => this.shown.delete(sequence), this.clears),
      cancel: (_topic, sequence) =>
        did(
          `cancel ${sequence}`,
          () => {
            this.shown.delete(sequence);
            this.later.delete(sequence);
          },
          this.clears,
        ),
      health: () => did('health'),
      close: () => Promise.resolve(),
    };
  }
}

/** Twelve hexadecimal digits that stand for a project. */
export function keyOf(project: string): string {
  return Buffer.from(project).toString('hex').padEnd(12, '0').slice(0, 12);
}

function sessionOf(
  project: string,
  state: SessionPayload['state'],
  now: number,
  { open = [], ...given }: Given,
): SessionPayload {
  const since = given.since ?? Math.floor(now / 1000);
  return {
    v: 1,
    key: keyOf(project),
    provider: 'codex',
    session_id: project,
    host: 'studio',
    project,
    state,
    reason: '',
    lamp: state === 'needs_user' ? 'permission' : 'active',
    updated_at: Math.floor(now / 1000),
    background: 0,
    ...given,
    since,
    attentions: open.map((one, index) => {
      const entry = typeof one === 'string' ? { kind: one } : one;
      return { id: `${entry.kind}-${since}-${index}`, kind: 'permission', opened_at: since, ...entry };
    }),
  };
}
