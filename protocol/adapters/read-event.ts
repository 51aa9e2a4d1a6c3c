import { word } from '../clean-text.ts';
import { type EventName, isSignalName, SIGNAL_NAMES } from '../events.ts';
import { type Fields, textOf } from './fields.ts';
import { GENERIC_EVENTS, readByHand } from './generic.ts';
import type { Picked, Reading } from './hook-fields.ts';
import { nativeAdapter } from './native.ts';
import { type Refusal, refuse } from './refusal.ts';

export interface ReadEvent {
  readonly event: EventName;
  readonly picked: Picked;
}

/** What was sent, out of its envelope. */
export interface Sent {
  readonly hook: Fields;
  /** The event's name beside the agent's JSON. */
  readonly event: string | undefined;
  /** Slug, or `all`. */
  readonly provider: string;
}

/**
 * Tells which form a payload has and picks its fields. First that holds: an agent's own (it names its event in `hook_event_name`), the canonical
 * form (`event`), a raw signal (`signal`), an agent's own that names its event elsewhere, or whose name stands beside it.
 */
export function readEvent(sent: Sent, reading: Reading): ReadEvent | Refusal {
  const { hook, provider } = sent;
  // An agent's own name first: some payloads have an `event` of another meaning (Claude's FileChanged).
  const own = textOf(hook['hook_event_name']);
  if (own !== undefined) return readNative(own, sent, reading);
  if (hook['v'] === 1 && textOf(hook['provider']) !== undefined && hook['provider'] !== provider) {
    return refuse('bad_shape', { field: 'provider', expected: `"${provider}", as the topic says` });
  }
  const byHand = textOf(hook['event']);
  if (byHand !== undefined && byHand !== 'Signal')
    return isOwnName(byHand, provider)
      ? readNative(byHand, sent, reading)
      : readCanonical(byHand, hook, reading);
  if (byHand === 'Signal' || hook['signal'] !== undefined) return readSignal(hook, reading);
  const named = nativeAdapter(provider).nameOf?.(hook) ?? sent.event;
  return named === undefined ? refuse('unknown_event') : readNative(named, sent, reading);
}

/** A name that this agent alone has for an event, not one of ours. */
function isOwnName(name: string, provider: string): boolean {
  return nativeAdapter(provider).events.has(name) && !GENERIC_EVENTS.has(name);
}

function readNative(name: string, sent: Sent, reading: Reading): ReadEvent {
  const adapter = nativeAdapter(sent.provider);
  // Our own names are a contract, whoever uses them: scripts send them in an agent's form.
  const listed = adapter.events.get(name) ?? GENERIC_EVENTS.get(name) ?? 'Other';
  const event = adapter.eventOf?.(name, sent.hook) ?? listed;
  return { event, picked: withName(name, event, adapter.read(event, sent.hook, reading)) };
}

function readCanonical(name: string, hook: Fields, reading: Reading): ReadEvent {
  const event = GENERIC_EVENTS.get(name) ?? 'Other';
  return { event, picked: withName(name, event, readByHand(event, hook, reading)) };
}

/** An agent's own name goes along where it is not ours: `doctor` counts what nobody knows. */
function withName(name: string, event: EventName, picked: Picked): Picked {
  return name === event ? picked : { ...picked, native: name };
}

function readSignal(hook: Fields, reading: Reading): ReadEvent | Refusal {
  const name = hook['signal'];
  if (isSignalName(name)) return { event: 'Signal', picked: readByHand('Signal', hook, reading) };
  return refuse('unknown_signal', { signal: word(name) ?? '', known: SIGNAL_NAMES.join(', ') });
}
