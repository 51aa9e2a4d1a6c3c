import { z } from 'zod';
import { fairLimit, fitText, jsonBytes, sizeOf } from '../fit-text.ts';
import { attentionState, count, lampState, reason, seconds, SIGNAL_BYTES, version } from './fields.ts';

/** `signal/<provider>` (spec: bus, section of that name). Every key is always there; times are unix seconds. */
export const signalPayload = z.strictObject({
  v: version,
  /** The provider's name for people. */
  name: z.string(),
  lamp: lampState,
  attention: z.strictObject({
    state: attentionState,
    /** How many projects are in that state; 0 when there is none. */
    count,
    primary_project: z.string(),
    /** Up to three names, newest first. */
    projects: z.array(z.string()).max(3),
    reason,
    /** When the state began; 0 when there is none. */
    since: seconds,
    /** The primary session's last event; 0 before the first event. */
    updated_at: seconds,
  }),
  /** Grows by one when a session has entered `needs_user` and stayed: a device wakes on it. */
  alert: count,
});
export type SignalPayload = z.infer<typeof signalPayload>;

/** The longest word that any reason is cut to on arrival. */
const REASON_BYTES = 64;

/** The signal of a provider nobody has heard of. */
export function emptySignal(displayName: string): SignalPayload {
  return signalOf(displayName, 'ready', 0, {
    state: 'idle',
    count: 0,
    primary_project: '',
    projects: [],
    reason: '',
    since: 0,
    updated_at: 0,
  });
}

/**
 * A signal as it goes on the wire: its keys in the specification's order, at most 512 bytes of UTF-8, so that packet and topic fit a
 * microcontroller's 1 KB buffer. Names are cut at a code point with `…`, the longest first; equal names stay equal.
 */
export function encodeSignal(signal: SignalPayload): string {
  const whole = JSON.stringify(withNames(signal, (text) => text));
  if (sizeOf(whole) <= SIGNAL_BYTES) return whole;
  const frame = sizeOf(JSON.stringify(withNames(signal, () => '')));
  const names = [signal.name, signal.attention.primary_project, ...projectsOf(signal)];
  const limit = fairLimit(
    names.map((text) => sizeOf(text, jsonBytes)),
    SIGNAL_BYTES - frame,
  );
  return JSON.stringify(withNames(signal, (text) => fitText(text, limit, jsonBytes)));
}

/**
 * What makes two signals the same: everything but `updated_at`, since a new one alone republishes nothing (spec: bus). Compare the results with `===`.
 */
export function signalContent(signal: SignalPayload): string {
  return encodeSignal({ ...signal, attention: { ...signal.attention, updated_at: 0 } });
}

function projectsOf(signal: SignalPayload): string[] {
  return signal.attention.projects.slice(0, 3);
}

function withNames(signal: SignalPayload, cut: (text: string) => string): SignalPayload {
  return signalOf(cut(signal.name), signal.lamp, signal.alert, {
    ...signal.attention,
    primary_project: cut(signal.attention.primary_project),
    projects: projectsOf(signal).map(cut),
    reason: fitText(signal.attention.reason, REASON_BYTES, jsonBytes),
  });
}

function signalOf(
  name: string,
  lamp: SignalPayload['lamp'],
  alert: number,
  attention: SignalPayload['attention'],
): SignalPayload {
  return {
    v: 1,
    name,
    lamp,
    attention: {
      state: attention.state,
      count: attention.count,
      primary_project: attention.primary_project,
      projects: attention.projects,
      reason: attention.reason,
      since: attention.since,
      updated_at: attention.updated_at,
    },
    alert,
  };
}
