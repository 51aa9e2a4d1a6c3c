import { randomUUID } from 'node:crypto';
import type { EventName } from '../../protocol/events.ts';
import type { HookEnvelope } from '../../protocol/messages/hook.ts';
import { RECORDED_EVENTS } from './recorded-events.ts';

export type RecordingName = keyof typeof RECORDED_EVENTS;

/** An agent of the demo: whose recordings it plays, one after the other, in which folder. */
export interface Performer {
  /** Slug. */
  readonly provider: string;
  readonly cwd: string;
  readonly recordings: readonly RecordingName[];
}

interface RecordedEvent {
  readonly event: EventName;
}

/** An agent's recordings as one session that goes on: played piece by piece. */
export class Tape {
  readonly provider: string;
  readonly #identity: { readonly session_id: string; readonly cwd: string };
  readonly #events: readonly RecordedEvent[];
  #next = 0;

  constructor({ provider, cwd, recordings }: Performer) {
    this.provider = provider;
    this.#identity = { session_id: randomUUID(), cwd };
    this.#events = recordings.flatMap((name, index) =>
      eventsOf(name).filter(
        ({ event }) => event !== 'SessionEnd' && (event !== 'SessionStart' || index === 0),
      ),
    );
  }

  /** The events up to the next one of this name, and that one. @throws RangeError when there is none */
  upTo(name: EventName): readonly RecordedEvent[] {
    const rest = this.#events.slice(this.#next);
    const end = rest.findIndex(({ event }) => event === name) + 1;
    if (end === 0) throw new RangeError(`nothing is left of the recording up to ${name}`);
    this.#next += end;
    return rest.slice(0, end);
  }

  /** An event as the hooks' sender hands it over: in its envelope, cut down already as an event that was spooled. @param now unix ms */
  envelope(event: RecordedEvent, now: number): HookEnvelope {
    return {
      v: 1,
      id: randomUUID(),
      sent_at: now,
      env: {},
      hook: { v: 1, provider: this.provider, ...event, ...this.#identity },
    };
  }
}

function eventsOf(name: RecordingName): RecordedEvent[] {
  return RECORDED_EVENTS[name]
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedEvent);
}
