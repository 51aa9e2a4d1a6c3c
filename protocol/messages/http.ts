import { z } from 'zod';
import { seconds, transaction } from './fields.ts';
import { requestPayload } from './request.ts';
import { sessionPayload } from './session.ts';
import { signalPayload } from './signal.ts';
import { usageWindow } from './usage.ts';

/** Bodies of the HTTP interface that are no message of the bus (spec: consumers, section 1). */

/** What every refused request is answered with. */
export const problemAnswer = z.object({
  ok: z.literal(false),
  error: z.object({
    /** Of the table in docs/troubleshooting.md. */
    code: z.string(),
    message: z.string(),
    /** What to do. Left out where the hub's own door has refused an event. */
    next: z.string().exactOptional(),
  }),
});
export type ProblemAnswer = z.infer<typeof problemAnswer>;

export const doneAnswer = z.object({ ok: z.literal(true) });

const provider = z.object({
  /** For people. */
  name: z.string(),
  attention: signalPayload.shape.attention,
});

/** `GET /status`: every provider with a signal, in registry order. */
export const statusAnswer = z.object({
  ok: z.literal(true),
  /** The newest of its providers'. */
  updated_at: seconds,
  providers: z.array(provider),
});
export type StatusAnswer = z.infer<typeof statusAnswer>;

/** `GET /usage`: the same, with what is left of each provider's quota. */
export const usageAnswer = statusAnswer.extend({
  providers: z.array(
    provider.extend({
      windows: z.array(usageWindow),
      /** When the windows were told, which their `resets_in_sec` counts from; 0 for never. */
      windows_at: seconds,
    }),
  ),
});
export type UsageAnswer = z.infer<typeof usageAnswer>;

/** `GET /sessions`: those that need the user first. */
export const sessionsAnswer = z.object({ sessions: z.array(sessionPayload) });

/** The body of `POST /ack`, `/snooze`, `/pause`, `/resume` and `/clear`. Strict: with a misspelt `session` everything would be meant. */
export const wordBody = z.strictObject({
  ...requestPayload.pick({ provider: true, session: true, minutes: true }).shape,
  /** Of the requester's own; the answer comes with the request here, so it says nothing. */
  transaction: transaction.exactOptional(),
});
export type WordBody = z.infer<typeof wordBody>;

export const healthAnswer = z.object({ ok: z.literal(true), version: z.string() });
