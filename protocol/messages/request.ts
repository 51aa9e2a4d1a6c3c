import { z } from 'zod';
import { id, transaction, wordText } from './fields.ts';
import { MOST_STATS_DAYS } from '../stats-days.ts';

/** The last level of `signalbox/request/<command>` and of its response. */
export const COMMANDS = [
  'pause',
  'resume',
  'ack',
  'snooze',
  'clear',
  'explain',
  'sessions',
  'stats',
] as const;
export type Command = (typeof COMMANDS)[number];

/** True for a command that a hub answers. */
export function isCommand(text: string): text is Command {
  return (COMMANDS as readonly string[]).includes(text);
}

/** More is no request [bytes]. */
export const REQUEST_BYTES = 4_096;

/**
 * Who asks. The embedded broker puts it into every request that comes from outside, in place of what the sender may have put there. `how`: the door; `bus`: through another broker,
 * which does not say whose message it is.
 */
export const requester = z.object({
  role: wordText,
  user: id.exactOptional(),
  how: z.enum(['socket', 'tcp', 'websocket', 'http', 'inprocess', 'bus']),
});
export type Requester = z.infer<typeof requester>;

/** Who asked, in a word or two: an account's name; `local` for the user of this machine, through the Unix socket. */
export function requesterText({ role, user, how }: Requester): string {
  if (user !== undefined) return user;
  return how === 'socket' ? 'local' : `${role} (${how})`;
}

/** A week: longer than any pause that is meant [min]. */
const LONGEST_PAUSE = 7 * 24 * 60;

/**
 * `signalbox/request/<command>`: whoever may asks; unknown keys are left out. With neither provider nor session every open wait is meant.
 */
export const requestPayload = z.object({
  transaction,
  /** Slug or name, in any case. */
  provider: z.string().min(1).max(64).exactOptional(),
  /** Any unique prefix of a session's key or of its id. */
  session: z.string().min(1).max(200).exactOptional(),
  minutes: z.number().positive().max(LONGEST_PAUSE).exactOptional(),
  /** Of `stats`: how many days, today among them. */
  days: z.int().positive().max(MOST_STATS_DAYS).exactOptional(),
  /** Who asks: the broker's word. */
  by: requester.exactOptional(),
});
export type RequestPayload = z.infer<typeof requestPayload>;

/** `signalbox/response/<command>`: the request's transaction and either data or an error. */
export const responsePayload = z.discriminatedUnion('ok', [
  z.strictObject({ transaction, ok: z.literal(true), data: z.unknown().exactOptional() }),
  z.strictObject({
    transaction,
    ok: z.literal(false),
    /** A code of the catalogue, as a word: a newer hub may know more of them. */
    error: z.strictObject({ code: wordText, message: z.string() }),
  }),
]);
export type ResponsePayload = z.infer<typeof responsePayload>;
