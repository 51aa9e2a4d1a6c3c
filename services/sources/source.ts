import type { CanonicalEvent } from '../../protocol/events.ts';
import type { HubHealthPayload } from '../../protocol/messages/hub.ts';
import type { Session, StatusReport } from '../../protocol/session.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';

/** How a source stands, as `signalbox/health` tells it. */
export type SourceState = NonNullable<HubHealthPayload['sources']>[number];

/** Sessions that have changed, by table id; `undefined`: gone. */
export type SessionChanges = ReadonlyMap<string, Session | undefined>;

/** What is told of a session of this machine. */
export type Told = Omit<StatusReport, 'host'>;

/** One second source: a watcher of what an agent leaves behind beside its hooks (spec: agents, section 4). */
export interface Source {
  readonly name: string;
  /** Looks once, telling what it finds as not live, then watches. Never rejects: what can't be watched is off. */
  start(): Promise<void>;
  /** Always ends; tells nothing from then on. */
  stop(): Promise<void>;
  /** Called first, before `start`, with all sessions, then with those that change. */
  changed(sessions: SessionChanges): void;
  state(): SourceState;
}

/** What a source is given. */
export interface Surroundings {
  readonly clock: Clock;
  readonly log: Log;
  /** The machine's name: only its own sessions can be watched. */
  readonly host: string;
  /** A client's status. @param moment the client's own time stamp, unix ms; @param live false: found at the start, it alerts nobody as it comes (spec: state, rule 11) */
  tell(report: Told, moment: number, live?: boolean): void;
  /** What a client has written down as an event. */
  report(event: CanonicalEvent, live?: boolean): void;
  /** It was turned on or off, or something else in its state that people should know at once. */
  stateChanged(): void;
}

/** Keeps what every source's state holds. */
export class SourceRecord {
  readonly #name: string;
  readonly #around: Surroundings;
  #why: string | undefined = 'not started';
  #trouble = false;
  #lastAt: number | undefined;

  constructor(name: string, around: Surroundings) {
    this.#name = name;
    this.#around = around;
  }

  get on(): boolean {
    return this.#why === undefined;
  }

  /** @param why it is off, for people, without a path; `undefined`: it is on. @param trouble it should be on. @returns whether that is another answer to the question of on or off */
  set(why: string | undefined, trouble = false): boolean {
    const before = this.#why;
    if (before === why) return false;
    this.#why = why;
    this.#trouble = trouble;
    const { log } = this.#around;
    if (why === undefined) log.debug('a second source is on', { component: this.#name });
    else log[trouble ? 'warn' : 'debug']('a second source is off', { component: this.#name, reason: why });
    this.#around.stateChanged();
    return (before === undefined) !== (why === undefined);
  }

  tell(report: Told, moment: number, live = true): void {
    this.#lastAt = this.#around.clock.now();
    this.#around.tell(report, moment, live);
  }

  report(event: CanonicalEvent, live = true): void {
    this.#lastAt = this.#around.clock.now();
    this.#around.report(event, live);
  }

  state(watched: number): SourceState {
    return {
      name: this.#name,
      on: this.on,
      ...(this.#why !== undefined && { why: this.#why }),
      ...(this.#trouble && { trouble: true as const }),
      watched,
      ...(this.#lastAt !== undefined && { last_at: Math.floor(this.#lastAt / 1000) }),
    };
  }
}
