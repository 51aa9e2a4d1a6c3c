import type { Why } from './case.ts';
import type { NtfyFault } from './ntfy-client.ts';
import type { Subject } from './words.ts';

/** What was decided, or what came of it. `held`: not yet; why, and until when. */
export const OUTCOMES = ['sent', 'escalated', 'held', 'suppressed', 'failed', 'cleared'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Why; `too_old`: it could not be delivered in time. */
export type Reason = Why | NtfyFault | 'too_old' | '';

/** One decision about one session. Names, ids and words of ours; nothing secret, and no text of a message. */
export interface Entry {
  /** Unix ms. */
  readonly at: number;
  readonly provider: string;
  readonly key: string;
  readonly subject: Subject | 'wait';
  readonly outcome: Outcome;
  readonly why: Reason;
  /** Of what was sent. */
  readonly priority?: number;
  /** Of `held`: unix ms. */
  readonly until?: number;
  /** HTTP status and the server's own code. */
  readonly status?: number;
  readonly code?: number;
}
