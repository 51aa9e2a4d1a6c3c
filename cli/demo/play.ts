import { randomUUID } from 'node:crypto';
import type { EventName } from '../../protocol/events.ts';
import type { SignalPayload } from '../../protocol/messages/signal.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Link } from '../../runtime/link.ts';
import { type Act, PERFORMERS, type PerformerName, type Shown } from './acts.ts';
import type { Show } from './show.ts';
import { Tape } from './tape.ts';

export interface Play {
  readonly link: Link;
  readonly clock: Clock;
  readonly show: Show;
  /** How much faster than written. */
  readonly speed: number;
  /** Ends it at once. */
  readonly signal: AbortSignal;
}

/** Between two events of an agent [ms]: as slow as people read, not as the recordings. */
const BETWEEN_EVENTS = 350;
/** The bus shows what it was told within some milliseconds, on a busy machine later; an act doesn't wait longer [ms]. */
const SHOWN_WITHIN = 5_000;
/** Between two looks at it [ms]. */
const LOOK_AGAIN = 10;

/**
 * Plays acts, one after the other: its events through the hooks' door, then until the bus says what the act is to show, then the time that people need to see it.
 * @returns how many events went out; less than all when the signal came
 * @throws SignalboxError `not_delivered`
 */
export async function play(acts: readonly Act[], parts: Play): Promise<number> {
  const tapes = new Map<PerformerName, Tape>();
  let events = 0;
  for (const [index, act] of acts.entries()) {
    if (parts.signal.aborted) break;
    parts.show.act(`${index + 1}/${acts.length}  ${act.caption}`);
    for (const step of act.steps) {
      if (step[0] === 'you') await command(step[1], parts);
      else events += await playStep(step[1], tapeOf(step[0], tapes), parts);
    }
    await shown(act, parts);
    await rest(act.hold / parts.speed, parts);
  }
  return events;
}

function tapeOf(name: PerformerName, tapes: Map<PerformerName, Tape>): Tape {
  const tape = tapes.get(name) ?? new Tape(PERFORMERS[name]);
  tapes.set(name, tape);
  return tape;
}

/** What the command line asks the hub for: the demo's link came in as an operator. */
async function command(word: 'pause' | 'resume', { link }: Play): Promise<void> {
  await link.publish('request', { command: word }, { transaction: randomUUID() });
}

/** Each event is on disk before the next one goes out, so none is taken together with another. */
async function playStep(upTo: EventName, tape: Tape, parts: Play): Promise<number> {
  const { link, clock, speed, signal } = parts;
  let sent = 0;
  for (const event of tape.upTo(upTo)) {
    if (signal.aborted) break;
    if (sent > 0) await rest(BETWEEN_EVENTS / speed, parts);
    await link.publish('hook', { provider: tape.provider }, tape.envelope(event, clock.now()));
    sent += 1;
  }
  return sent;
}

/** Waits until the audience has been shown what the act is about. */
async function shown({ shows }: Act, parts: Play): Promise<void> {
  const { show, clock, signal } = parts;
  const end = clock.now() + SHOWN_WITHIN;
  while (!signal.aborted && clock.now() < end) {
    const found = show.shown()?.providers.find(({ provider }) => provider === shows.provider);
    if (found !== undefined && isShown(found.signal, shows)) return;
    await rest(LOOK_AGAIN, parts);
  }
}

function isShown({ attention, lamp }: SignalPayload, shows: Shown): boolean {
  const { state, count, reason } = shows;
  const isLit = shows.lamp === undefined || lamp === shows.lamp;
  return isLit && attention.state === state && attention.count === count && attention.reason === reason;
}

function rest(ms: number, { clock, signal }: Pick<Play, 'clock' | 'signal'>): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.at(clock.now() + ms, done);
    signal.addEventListener('abort', done, { once: true });
  });
}
