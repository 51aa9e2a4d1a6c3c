import type { SessionPayload } from '../../protocol/messages/session.ts';
import type { AttentionKind } from '../../protocol/states.ts';
import type { Subject } from './words.ts';

/** A message that is to be sent, and has not been. Times are unix ms. */
export interface Plan {
  /** When it was first wanted. */
  readonly at: number;
  /** Not before; undefined: until the session changes. */
  readonly due: number | undefined;
  /** Why it waits, for the ledger, which tells each reason once. */
  readonly held?: Why;
}

/** What is on the phone. */
export interface Sent {
  readonly topic: string;
  /** Whose sequence id it bears: a session's own, or of the one that it was told together with. */
  readonly sequence: string;
  /** When it was handed to the outbox. */
  readonly at: number;
  /** A second one lies at the server for later, or goes from here at that time; known to all that share the place, since any may be the last. */
  readonly escalates?: { readonly by: 'server' | 'us'; readonly at: number };
}

/** One thing that is told of a session: a wait, a failure, an end. There is one at a time. */
export interface Case {
  /** Provider and key, as `provider key`. */
  readonly session: string;
  readonly subject: 'wait' | 'error' | 'done';
  /** For the ledger: what it is about. */
  readonly about?: Subject;
  /** When the state began [s]. */
  readonly since: number;
  /** Every request that was open in this wait. */
  readonly ids: readonly string[];
  /** How many of the wait's alerts have been dealt with. */
  readonly alerts: number;
  readonly plan?: Plan;
  readonly sent?: Sent;
}

/** Why something was not sent, or not yet; words that stay the same. */
export type Why =
  | 'answered'
  | 'acknowledged'
  | 'gone'
  | 'no_alert'
  | 'before_start'
  | 'told_before'
  | 'old'
  | 'rule'
  | 'priority'
  | 'not_wanted'
  | 'snoozed'
  | 'paused'
  | 'quiet_hours'
  | 'presence'
  | 'storm'
  | 'delay'
  | 'outbox'
  | 'together';

/** A session's sequence id, `^[-_A-Za-z0-9]{1,64}$` at the server: a slug has 32 characters at most, a key 12. */
export function sequenceOf(session: string): string {
  return session.replace(' ', '-');
}

/** The open requests that nobody has acknowledged. */
export function calling({ attentions }: SessionPayload): SessionPayload['attentions'] {
  return attentions.filter(({ acked }) => acked !== true);
}

/** What a session's message is about: of its open requests the newest of those that matter most. @param priorityOf of a kind */
export function subjectOf(
  session: SessionPayload,
  subject: Case['subject'],
  priorityOf: (kind: AttentionKind) => number,
): { readonly subject: Subject; readonly tool?: string } {
  if (subject !== 'wait') return { subject };
  let best: SessionPayload['attentions'][number] | undefined;
  for (const open of calling(session))
    if (best === undefined || priorityOf(open.kind) >= priorityOf(best.kind)) best = open;
  // A raw signal waits without a request.
  if (best === undefined) return { subject: 'notification' };
  return { subject: best.kind, ...(best.tool !== undefined && { tool: best.tool }) };
}
