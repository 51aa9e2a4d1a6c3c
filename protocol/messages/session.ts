import { z } from 'zod';
import {
  attentionKind,
  attentionState,
  count,
  id,
  lampState,
  name,
  path,
  providerSlug,
  reason,
  seconds,
  sessionKey,
  version,
  wordText,
} from './fields.ts';

/** One open request of a session (spec: state, section 3): what it asks, of which agent and tool, since when. */
export const attentionEntry = z.strictObject({
  /** Stands for this wait as long as it lasts: a message about it is sent once. */
  id,
  kind: attentionKind,
  /** A subagent's; left out for the main agent. */
  agent_id: id.exactOptional(),
  tool: name.exactOptional(),
  opened_at: seconds,
  /** The user knows of it: it counts no more, for nobody. */
  acked: z.literal(true).exactOptional(),
});
export type AttentionEntry = z.infer<typeof attentionEntry>;

/**
 * `session/<provider>/<key>`: one session with its attentions; an empty message removes it.
 *
 * It holds the working directory, since the agent view groups by it and two projects of one name are told apart by it. Whoever may read `session/#` (viewer,
 * operator, job host, host) is a person's own surface; a display or a lamp, which may be stolen, has no right to it and sees names only (spec: bus, "Roles").
 */
export const sessionPayload = z.strictObject({
  v: version,
  key: sessionKey,
  provider: providerSlug,
  session_id: id,
  host: id,
  project: z.string(),
  cwd: path.exactOptional(),
  state: attentionState,
  reason,
  lamp: lampState,
  /** When the state began. */
  since: seconds,
  updated_at: seconds,
  /** Open requests, oldest first. */
  attentions: z.array(attentionEntry),
  /** How many pieces of background work the last Stop listed. */
  background: count,
  /** How the agent was started, e.g. `cli` or `sdk-ts`. */
  entrypoint: wordText.exactOptional(),
  /** The background job that runs it. */
  job_id: id.exactOptional(),
  /** How often this wait has alerted: once when it has settled, once more after each snooze; left out where it has not, or not yet. */
  alerts: count.exactOptional(),
  /** Its last event was spooled, redelivered or found at the start: what it has made of the session alerts nobody as it comes. */
  replayed: z.literal(true).exactOptional(),
  /** Nothing wakes or sends before this. */
  snoozed_until: seconds.exactOptional(),
  /** Only with `privacy.titles`. */
  title: z.string().max(80).exactOptional(),
});
export type SessionPayload = z.infer<typeof sessionPayload>;
