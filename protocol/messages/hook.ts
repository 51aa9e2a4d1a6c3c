import { z } from 'zod';
import { EVENT_NAMES, SIGNAL_NAMES } from '../events.ts';
import { milliseconds, version } from './fields.ts';

/**
 * What `hook/<provider>` may carry (spec: bus, topic table; agents, section 1). These schemas describe it for people, documents and tools; the hub itself reads hooks with
 * `protocol/adapters`, which cuts down instead of refusing. All are tolerant: an agent may add a key any day.
 */

const text = z.string().min(1).max(1024);

/** Where a sender was started, from its environment: these variables, where set, and nothing else. */
export const envelopeEnv = z.object({
  TMUX_PANE: text.exactOptional(),
  TERM_PROGRAM: text.exactOptional(),
  SIGNALBOX_JOB_ID: text.exactOptional(),
  CLAUDE_PID: text.exactOptional(),
  CLAUDE_CODE_ENTRYPOINT: text.exactOptional(),
  CLAUDE_CODE_CHILD_SESSION: text.exactOptional(),
  /** Whether it is set, never what it holds: it is an address. */
  SSH_CONNECTION: z.union([z.boolean(), z.literal(['0', '1'])]).exactOptional(),
});
export type EnvelopeEnv = z.infer<typeof envelopeEnv>;

/** An agent's own hook JSON: any object, not looked into. */
export const nativeHook = z.record(z.string(), z.unknown());
export type NativeHook = z.infer<typeof nativeHook>;

/** The sender's envelope round an agent's hook. */
export const hookEnvelope = z.object({
  v: version,
  /** Unique per sending; the same one twice is one event. */
  id: text,
  /** Left out where the shell can't tell. */
  sent_at: milliseconds.exactOptional(),
  /** Left out for the hub's own machine. */
  host: text.exactOptional(),
  ppid: z.int().nonnegative().exactOptional(),
  tty: text.exactOptional(),
  /** For an agent whose hook does not name its event. */
  event: text.exactOptional(),
  env: envelopeEnv.exactOptional(),
  hook: nativeHook,
});
export type HookEnvelope = z.infer<typeof hookEnvelope>;

const identity = {
  /** One of the two has to be there, but for a raw signal. */
  session_id: text.exactOptional(),
  cwd: text.exactOptional(),
};

/** The hand-written form, e.g. of a `curl` or `mqtt pub`: `{event, session_id, cwd, ...}`. */
export const handWrittenEvent = z.looseObject({ event: z.enum(EVENT_NAMES), ...identity });
export type HandWrittenEvent = z.infer<typeof handWrittenEvent>;

/** A raw lamp signal: `{signal, ...}`. With neither session_id nor cwd it sets the provider's lamp, or every provider's. */
export const rawSignal = z.looseObject({ signal: z.enum(SIGNAL_NAMES), ...identity });
export type RawSignal = z.infer<typeof rawSignal>;

/** The body of `POST /attention` (spec: consumers, section 1). Its provider is a slug or a name, in any case. */
export const attentionBody = z.union([
  handWrittenEvent.extend({ provider: text }),
  rawSignal.extend({ provider: text.exactOptional() }),
]);
export type AttentionBody = z.infer<typeof attentionBody>;

/** Everything that `hook/<provider>` may carry, the most exact form first. */
export const hookPayload = z.union([hookEnvelope, handWrittenEvent, rawSignal, nativeHook]);
export type HookPayload = z.infer<typeof hookPayload>;
