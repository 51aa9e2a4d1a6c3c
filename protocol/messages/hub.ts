import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import { ERRORS } from '../errors.ts';
import { count, id, name, providerSlug, seconds, version, wordText } from './fields.ts';

/** `signalbox/state`: one bare word, also the hub's will. */
export const hubState = z.enum(['online', 'offline']);
export type HubState = z.infer<typeof hubState>;

/** `signalbox/info`: who this hub is; nothing secret (spec: bus). */
export const hubInfoPayload = z.strictObject({
  v: version,
  /** Stays the same over restarts: tells two hubs on one prefix apart. */
  hub_id: id,
  version: z.string(),
  /** The machine it runs on. */
  host: id,
  started_at: seconds,
  /** Those with a retained signal, in registry order. */
  providers: z.array(z.strictObject({ slug: providerSlug, name })),
  /** Machines that reported. */
  hosts: z.array(id),
  /** What this hub can do beyond the least, e.g. `http`. */
  features: z.array(wordText),
});
export type HubInfoPayload = z.infer<typeof hubInfoPayload>;

/** `signalbox/health`: counters since the start, every 60 s. */
export const hubHealthPayload = z.strictObject({
  v: version,
  at: seconds,
  started_at: seconds,
  status: z.enum(['ok', 'degraded']),
  /** Why it is degraded: codes. */
  problems: z.array(wordText),
  events: z.strictObject({
    accepted: count,
    refused: count,
    /** The same event a second time. */
    duplicate: count,
    /** Older than the window that is folded again: logged, changed nothing. */
    late: count,
  }),
  /** Events per provider, accepted and refused. */
  providers: z.record(providerSlug, z.strictObject({ accepted: count, refused: count })),
  /** Refusals by code. */
  refused: z.record(wordText, count),
  /** Events that no adapter knows, which change nothing: the agent is newer than this version. Left out where there are none. */
  unknown: z
    .array(
      z.strictObject({
        provider: providerSlug,
        count,
        /** What the agent calls them, as far as that is one word; the first few. */
        names: z.array(wordText).max(8),
      }),
    )
    .max(64)
    .exactOptional(),
  sessions: count,
  /** Sessions in `needs_user`. */
  waiting: count,
  commits: z.strictObject({
    count,
    failed: count,
    /** The most jobs that one transaction took. */
    largest: count,
    /** The slowest transaction [ms]. */
    slowest_ms: z.number().nonnegative(),
  }),
  /** Connections to the embedded broker; left out with another broker. */
  clients: count.exactOptional(),
  /** The second sources of this hub's own machine. */
  sources: z
    .array(
      z.strictObject({
        name: wordText,
        on: z.boolean(),
        /** Why it is off, for people; never a path. */
        why: z.string().max(160).exactOptional(),
        /** It is off though its agent is here and the settings want it. */
        trouble: z.literal(true).exactOptional(),
        /** What it watches just now. */
        watched: count,
        /** When it last told anything. */
        last_at: seconds.exactOptional(),
      }),
    )
    .max(16)
    .exactOptional(),
  /** Messages to the phone, since the start; left out where none are sent. */
  notifier: z
    .strictObject({
      sent: count,
      suppressed: count,
      failed: count,
      /** What waits to be brought to the server. */
      waiting: count,
      /** The last one that the server took, or would not take; `why` is empty for one that it took. */
      last: z
        .strictObject({ at: seconds, outcome: wordText, why: z.union([z.literal(''), wordText]) })
        .exactOptional(),
      /** Why nothing of it is kept over a restart just now: a code. */
      problem: wordText.exactOptional(),
    })
    .exactOptional(),
  database_bytes: count,
  memory_bytes: count,
});
export type HubHealthPayload = z.infer<typeof hubHealthPayload>;

const errorCode = z.custom<ErrorCode>(
  (value) => typeof value === 'string' && Object.hasOwn(ERRORS, value),
  'not an error code',
);

/** `signalbox/reject`: that something was refused and why; never the payload. */
export const rejectPayload = z.strictObject({
  /** As the topic named it; empty when it named none. */
  provider: z.string(),
  /** For people. */
  reason: z.string(),
  code: errorCode,
  at: seconds,
});
export type RejectPayload = z.infer<typeof rejectPayload>;
