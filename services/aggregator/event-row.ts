import type { CanonicalEvent } from '../../protocol/events.ts';
import type { Command, Requester } from '../../protocol/messages/request.ts';
import type { Session } from '../../protocol/session.ts';
import { SELF_TEST } from '../../protocol/self-test.ts';
import { sessionKey } from '../../protocol/session-key.ts';
import type { EventJob } from './jobs.ts';
import type { EventRow } from './store/rows.ts';

/** An accepted event as the log keeps it. @param job how it came; `arrival` in unix ms */
export function eventRow(
  event: CanonicalEvent,
  { arrival, live, found }: Pick<EventJob, 'arrival' | 'live' | 'found'>,
  sha256: (text: string) => string,
): EventRow {
  return {
    provider: event.provider,
    key: event.session_id === undefined ? '' : sessionKey(event.host ?? '', event.session_id, sha256),
    session_id: event.session_id ?? '',
    // A try of the way counts as no event of its agent.
    event: event.native === SELF_TEST ? SELF_TEST : event.event,
    ...(event.id !== undefined && { id: event.id }),
    received_at: arrival,
    ...(event.sent_at !== undefined && { sent_at: event.sent_at }),
    moment: Math.min(event.sent_at ?? arrival, arrival),
    live,
    found,
    body: JSON.stringify(event),
  };
}

/** A user's word. */
export interface Word {
  readonly command: Command;
  readonly by: Requester;
  /** Unix ms. */
  readonly at: number;
  readonly minutes?: number;
}

/** Whom a word is about: a session, a provider, or everything. */
export type WordTarget = Partial<Pick<Session, 'provider' | 'key' | 'session_id'>>;

/** A user's word as the log keeps it: which, whose, when, about whom. */
export function wordRow({ command, by, at, minutes }: Word, target: WordTarget): EventRow {
  const { provider = '', key = '', session_id = '' } = target;
  return {
    provider,
    key,
    session_id,
    event: command,
    received_at: at,
    moment: at,
    live: true,
    body: JSON.stringify({ v: 1, by, ...(minutes !== undefined && { minutes }) }),
  };
}
