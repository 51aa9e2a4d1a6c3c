import { z } from 'zod';
import { attentionKind, attentionState, count, name, providerSlug, seconds, sessionKey } from './fields.ts';

/**
 * What `signalbox/response/<command>` holds in `data` for the user's words: what was done, so that it can be said in the user's own terms. Read tolerantly: a newer hub may tell more.
 */

/** One session that a word was about; `kinds`: what it asks for, acknowledged or not. */
const wordSession = z.object({
  key: sessionKey,
  provider: providerSlug,
  project: z.string(),
  state: attentionState,
  kinds: z.array(attentionKind),
});
export type WordSession = z.infer<typeof wordSession>;

/**
 * `data` of `ack` and `snooze`: those that it was done for; `left_out`: how many more, which had no room; `idle`: the one session that was named, where nothing was to be done. `until`: when
 * a snoozed wait alerts again.
 */
export const waitsData = z.object({
  sessions: z.array(wordSession),
  left_out: count,
  idle: wordSession.exactOptional(),
  until: seconds.exactOptional(),
});
export type WaitsData = z.infer<typeof waitsData>;

/** A pause: of everything, of one provider, or of one session of it. */
const pauseEntry = z.object({
  provider: providerSlug.exactOptional(),
  session: sessionKey.exactOptional(),
  at: seconds,
  until: seconds.exactOptional(),
  by: name,
});
export type PauseEntry = z.infer<typeof pauseEntry>;

/** `data` of `pause` and `resume`. `paused`: what stands that concerns the scope; `resumed`: what stood until now. */
export const pausesData = z.object({ paused: z.array(pauseEntry), resumed: z.array(pauseEntry) });
export type PausesData = z.infer<typeof pausesData>;

/** `data` of `clear`: what was taken out, and whose fallback lamp was reset. */
export const clearedData = z.object({
  sessions: z.array(wordSession),
  left_out: count,
  providers: z.array(providerSlug),
});
export type ClearedData = z.infer<typeof clearedData>;
