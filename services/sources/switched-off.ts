import type { Session } from '../../protocol/session.ts';
import {
  type SessionChanges,
  type Source,
  SourceRecord,
  type SourceState,
  type Surroundings,
} from './source.ts';

/** Why a source is off that may not run, for people. */
export const TURNED_OFF = 'the settings turn it off';

/** A source that the settings have turned off: what it told in an earlier run of the hub is withdrawn, so that nothing is held by it for ever. */
export class SwitchedOff implements Source {
  readonly name: string;
  readonly #around: Surroundings;
  readonly #record: SourceRecord;
  /** What takes back what was told of a session; `undefined`: there is nothing. */
  readonly #withdraws: (session: Session) => 'withdrawn' | 'unwatched' | undefined;
  /** Before the start. */
  #earlier: Session[] | undefined = [];

  constructor(
    name: string,
    around: Surroundings,
    withdraws: (session: Session) => 'withdrawn' | 'unwatched' | undefined,
  ) {
    this.name = name;
    this.#around = around;
    this.#record = new SourceRecord(name, around);
    this.#withdraws = withdraws;
  }

  async start(): Promise<void> {
    this.#record.set(TURNED_OFF);
    for (const session of this.#earlier ?? []) {
      const { provider, session_id } = session;
      const value = this.#withdraws(session);
      if (value !== undefined)
        this.#around.tell({ provider, session_id, value }, this.#around.clock.now(), false);
    }
    this.#earlier = undefined;
  }

  async stop(): Promise<void> {}

  changed(sessions: SessionChanges): void {
    for (const session of sessions.values())
      if (session?.host === this.#around.host) this.#earlier?.push(session);
  }

  state(): SourceState {
    return this.#record.state(0);
  }
}
