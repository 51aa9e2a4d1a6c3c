import { z } from 'zod';
import {
  attentionKind,
  attentionState,
  count,
  id,
  lampState,
  name,
  providerSlug,
  seconds,
  sessionKey,
  version,
  wordText,
} from './fields.ts';
import { sessionPayload } from './session.ts';

/**
 * What `signalbox/response/explain` and `.../sessions` hold in `data`. Nothing in them names a folder: more roles may read responses than `session/#`. Read tolerantly: a newer hub
 * may tell more. Rules and the like are words, so that it may know more of them too.
 */

/** How long ago [s]. */
const age = count;
/** For people; one or two sentences. */
const words = z.string().max(400);

/** Where a fact comes from, and when it came. */
const evidence = z.object({
  origin: z.enum(['hook', 'signal', 'status', 'process']),
  /** The event's name, the raw signal's, or the status; of a look at its process: what was found. */
  what: name,
  at: seconds,
  age_s: age,
});
export type ExplainedEvidence = z.infer<typeof evidence>;

/** What would end a request. */
const closer = z.object({ by: wordText, words });
export type Closer = z.infer<typeof closer>;

const openRequest = z.object({
  id,
  kind: attentionKind,
  /** A subagent's; left out for the main agent. */
  agent_id: id.exactOptional(),
  tool: name.exactOptional(),
  opened_at: seconds,
  age_s: age,
  evidence,
  /** `held`: counts only from `raised_at` on; `acknowledged`: the user knows, it counts no more. */
  standing: z.enum(['raised', 'held', 'acknowledged']),
  raised_at: seconds.exactOptional(),
  /** Who has acknowledged it, and when. */
  acked: z.object({ at: seconds, age_s: age, by: name }).exactOptional(),
  /** Opened by the user: it alerts nobody. */
  by_user: z.boolean().exactOptional(),
  closed_by: z.array(closer),
});
export type ExplainedRequest = z.infer<typeof openRequest>;

/** What time alone will do. */
const ahead = z.object({ what: wordText, at: seconds, in_s: age, words });
export type ExplainedAhead = z.infer<typeof ahead>;

/** One entry of the event log. */
const loggedEvent = z.object({
  /** The event's name; a raw signal's is in `signal`. */
  event: name,
  signal: name.exactOptional(),
  tool: name.exactOptional(),
  agent_id: id.exactOptional(),
  /** A Notification's type. */
  notification: name.exactOptional(),
  /** Whose word it is, where it is a person's. */
  by: name.exactOptional(),
  /** When it arrived. */
  at: seconds,
  age_s: age,
  /** How long after its moment it arrived [ms]. */
  lag_ms: count,
  /** False for what was spooled, redelivered or found at the start. */
  live: z.boolean(),
});
export type ExplainedEvent = z.infer<typeof loggedEvent>;

/** How often events of the provider (not of this session alone) were refused for one reason. */
const refusal = z.object({ code: wordText, count, last_at: seconds, age_s: age });
export type ExplainedRefusal = z.infer<typeof refusal>;

/** What was decided about telling the phone of a session, e.g. `suppressed` for `quiet_hours`. */
const told = z.object({
  at: seconds,
  age_s: age,
  outcome: wordText,
  /** One word; empty where there is nothing to add. */
  why: z.union([z.literal(''), wordText]),
  words,
});
export type ExplainedTelling = z.infer<typeof told>;

/** Why one session is what it is. */
export const explanation = z.object({
  v: version,
  key: sessionKey,
  provider: providerSlug,
  session_id: id,
  host: id,
  project: z.string(),
  state: attentionState,
  reason: z.union([z.literal(''), wordText]),
  lamp: lampState,
  /** When the state began. */
  since: seconds,
  since_s: age,
  /** The rule that decided the state, and what it went by. */
  decided_by: z.object({ rule: wordText, words, evidence }),
  /** The same for the lamp; `latch`: an alert that nobody has seen, or what a raw signal has set. */
  lamp_by: z.object({ rule: wordText, words, latch: lampState.exactOptional() }),
  /** Who has paused it and when; `until`: when that is over, if a time was given. */
  paused: z
    .object({
      what: z.enum(['everything', 'provider', 'session']),
      at: seconds,
      age_s: age,
      by: name,
      until: seconds.exactOptional(),
      in_s: age.exactOptional(),
    })
    .exactOptional(),
  /** Whether this wait has alerted, and why not. `at`: when it was due. */
  alert: z.object({
    outcome: z.enum(['given', 'due', 'none']),
    why: wordText,
    words,
    at: seconds.exactOptional(),
  }),
  /** Open requests, oldest first. */
  open: z.array(openRequest),
  /** How many more there are, older than these. */
  open_more: count,
  /** What keeps its time from running. */
  held: z.object({ by: wordText, words }).exactOptional(),
  next: z.array(ahead),
  /** The client's own status: `newer` counts, `contested` waits for the hooks to settle, `stuck` is not believed. */
  status: z.object({
    standing: z.enum(['none', 'newer', 'contested', 'stuck']),
    value: wordText.exactOptional(),
    waiting_for: name.exactOptional(),
    at: seconds.exactOptional(),
    age_s: age.exactOptional(),
    words,
  }),
  /** The kinds of background work that it goes on with. */
  background: z.array(name),
  /** The last entries of the log, oldest first. */
  events: z.array(loggedEvent),
  refused: z.array(refusal),
  /** The last decisions about messages to the phone, oldest first; left out where none are sent. */
  phone: z.array(told).exactOptional(),
});
export type Explanation = z.infer<typeof explanation>;

/** `data` of a response to `explain`: those that need the user first; `left_out`: how many had no room in one message. */
export const explainData = z.object({ explanations: z.array(explanation), left_out: count });
export type ExplainData = z.infer<typeof explainData>;

/** A session as `sessions` tells of it: as on its topic, without its folder. */
const sessionRow = sessionPayload.omit({ cwd: true });
export type SessionRow = z.infer<typeof sessionRow>;

/** `data` of a response to `sessions`, in the same order. */
export const sessionsData = z.object({ sessions: z.array(sessionRow.loose()), left_out: count });
export interface SessionsData {
  readonly sessions: readonly SessionRow[];
  readonly left_out: number;
}
