import { z } from 'zod';
import { ATTENTION_STATES } from '../states.ts';
import { attentionState, count, reason, seconds, sessionKey, version } from './fields.ts';

/** What happened: the new state, or that a turn ended, or that the session is no more. */
export const SIGNAL_EVENT_TYPES = [...ATTENTION_STATES, 'turn_end', 'removed'] as const;
export type SignalEventType = (typeof SIGNAL_EVENT_TYPES)[number];

/** `signal/<provider>/event`: one session's transition; never retained, never merged with another. */
export const signalEventPayload = z.strictObject({
  v: version,
  event_type: z.enum(SIGNAL_EVENT_TYPES),
  /** `null` for a session nobody knew. */
  from: attentionState.nullable(),
  /** `null` for a session that is no more. */
  to: attentionState.nullable(),
  reason,
  /** The project's name. */
  project: z.string(),
  /** The session's key. */
  session: sessionKey,
  /** The provider's counter after this transition: one that has grown asks for the user. */
  alert: count,
  at: seconds,
});
export type SignalEventPayload = z.infer<typeof signalEventPayload>;
