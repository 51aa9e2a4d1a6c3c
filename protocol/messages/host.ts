import { z } from 'zod';
import { id, milliseconds, providerSlug, version, wordText } from './fields.ts';

/** `host/<name>/state`: one bare word; `offline` is the will, `goodbye` an orderly end. */
export const hostState = z.enum(['online', 'offline', 'goodbye']);
export type HostState = z.infer<typeof hostState>;

/** What a client says of itself (spec: state, rule 7). */
export const CLIENT_STATUSES = ['idle', 'busy', 'waiting', 'shell'] as const;

const origin = {
  v: version,
  /** The machine whose session it is. */
  host: id,
  provider: providerSlug,
  session_id: id,
  /** Where it was seen, e.g. `session-file` or `rollout`. */
  source: wordText,
  /** The moment it speaks of [unix ms]. */
  at: milliseconds,
};
const pid = z.int().positive();

/**
 * `evidence/<host>`: what a second source saw of one of that machine's own sessions (spec: agents, section 4). A joined hub publishes it, the aggregating hub merges it.
 */
export const evidencePayload = z.discriminatedUnion('kind', [
  z.strictObject({
    ...origin,
    kind: z.literal('status'),
    status: z.enum(CLIENT_STATUSES),
    waiting_for: z.string().max(64).exactOptional(),
    pid: pid.exactOptional(),
  }),
  /** The client's record of the session is no more. */
  z.strictObject({ ...origin, kind: z.literal('removed') }),
  z.strictObject({
    ...origin,
    kind: z.literal('process'),
    alive: z.enum(['alive', 'gone', 'unknown']),
    pid,
    /** Start time as the system tells it: a pid is used again. */
    started: z.string().max(64).exactOptional(),
  }),
  /** The user broke the turn off. */
  z.strictObject({ ...origin, kind: z.literal('interrupted') }),
  z.strictObject({
    ...origin,
    kind: z.literal('turn_end'),
    failed: z.boolean(),
    reason: wordText.exactOptional(),
  }),
  /** A request was answered. */
  z.strictObject({
    ...origin,
    kind: z.literal('answered'),
    request: id.exactOptional(),
    call: id.exactOptional(),
  }),
  z.strictObject({ ...origin, kind: z.literal('plan') }),
  z.strictObject({ ...origin, kind: z.literal('reviewer'), reviewer: wordText }),
]);
export type EvidencePayload = z.infer<typeof evidencePayload>;
