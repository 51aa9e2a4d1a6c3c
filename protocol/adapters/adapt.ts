import { text } from '../clean-text.ts';
import { cutDown } from '../event-fields.ts';
import type { CanonicalEvent, Hasher } from '../events.ts';
import type { ProviderRegistry } from '../providers.ts';
import { openEnvelope } from './envelope.ts';
import { type Fields, isFields } from './fields.ts';
import type { Picked, Reading } from './hook-fields.ts';
import { nestsDeeperThan } from './json-depth.ts';
import { readEvent } from './read-event.ts';
import { type Refusal, refuse } from './refusal.ts';
import { toolDigest } from './tool-digest.ts';

export interface AdaptInput {
  /** The level of the topic, or a name as a person wrote it; any case. `all`: a raw signal for every provider. */
  readonly provider: string;
  /** What was sent, decoded as UTF-8 with broken bytes replaced; a byte order mark may stand in front. */
  readonly payload: string;
  /** Arrival, unix ms. */
  readonly received: number;
  /** False: what it says of its time counts for nothing, wherever it says so. True when left out. */
  readonly timed?: boolean;
}

export interface AdaptContext {
  readonly registry: ProviderRegistry;
  readonly hasher: Hasher;
  /** This machine: the host of whatever names none. */
  readonly host: string;
  /** `state.questions`: look for a question in a turn's last message. */
  readonly questions: boolean;
  /** `privacy.titles`: keep session titles. */
  readonly titles: boolean;
}

/** `ahead_ms`: the sender's time lay so far after the arrival, to which it was cut; left out where it didn't. */
export type Adapted =
  | { readonly ok: true; readonly event: CanonicalEvent; readonly ahead_ms?: number }
  | Refusal;

/** In a topic's place of a provider: every provider. None can have this slug. */
const ALL = 'all';
const DEEPEST = 64;
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Makes a canonical event of what was published to `hook/<provider>`: an agent's own hook JSON, the canonical form by hand, a raw signal, any of
 * these in the sender's envelope, or an event that was cut down elsewhere. Everything that isn't on the allow-list of `EVENT_FIELDS` is dropped
 * (spec: agents, section 1). Never throws.
 *
 * Without a session_id it is `cwd-` and 16 hex digits of SHA-256(provider NUL host NUL cwd). A raw signal with neither is left without one: it
 * is the provider's, with the provider `all` every provider's (spec: state, section 1).
 *
 * Refusals: `unknown_provider`, `bad_json` (not one object), `too_deep` (above 64 levels), `unknown_event` (no event named), `unknown_signal`,
 * `no_identity` (neither session_id nor cwd), `bad_shape` (a cut-down event on another provider's topic).
 */
export function adapt(input: AdaptInput, context: AdaptContext): Adapted {
  const { registry, hasher } = context;
  const provider = providerOf(input.provider, registry);
  if (provider === undefined) return unknownProvider(input.provider, registry);
  const json = input.payload.startsWith(BYTE_ORDER_MARK) ? input.payload.slice(1) : input.payload;
  if (nestsDeeperThan(json, DEEPEST)) return refuse('too_deep', { limit: DEEPEST });
  const payload = parse(json);
  if (payload === undefined) return refuse('bad_json');

  const opened = openEnvelope(payload, provider);
  const digest = (value: unknown): string | undefined => toolDigest(hasher, provider, value);
  const reading: Reading = { digest, questions: context.questions, titles: context.titles };
  const read = readEvent({ hook: opened.hook, event: opened.event, provider }, reading);
  if ('ok' in read) return read;

  const told = { ...opened.sender, ...given(read.picked), event: read.event, provider };
  const cut = cutDown(input.timed === false ? { ...told, sent_at: undefined } : told);
  const host = cut.host ?? context.host;
  const session_id = cut.session_id ?? derivedSession(provider, host, cut.cwd, hasher);
  if (session_id === undefined && cut.event !== 'Signal') return refuse('no_identity');
  // Whose session it is can't be told without a provider.
  if (session_id !== undefined && provider === ALL) return unknownProvider(ALL, registry);
  // A sender's clock that runs ahead counts as the arrival (spec: state, section 2).
  const ahead_ms = Math.max(0, (cut.sent_at ?? 0) - input.received);
  const sent_at = cut.sent_at === undefined ? undefined : cut.sent_at - ahead_ms;
  // Once more through the table for what was missing: the same event is the same text, field by field.
  const event = cutDown({ ...cut, host, session_id, sent_at });
  return { ok: true, event, ...(ahead_ms > 0 && { ahead_ms }) };
}

function providerOf(name: string, registry: ProviderRegistry): string | undefined {
  return name.toLowerCase() === ALL ? ALL : registry.find(name)?.slug;
}

function unknownProvider(name: string, registry: ProviderRegistry): Refusal {
  const known = registry.list.map((provider) => provider.slug).join(', ');
  return refuse('unknown_provider', { provider: text(name, 32) ?? '', known });
}

function parse(json: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The picked fields without those that the payload lacks, so that they hide none of the sender's. */
function given(picked: Picked): Picked {
  return Object.fromEntries(Object.entries(picked).filter(([, value]) => value !== undefined));
}

function derivedSession(
  provider: string,
  host: string,
  cwd: string | undefined,
  hasher: Hasher,
): string | undefined {
  if (cwd === undefined) return undefined;
  return `cwd-${hasher.sha256(`${provider}\0${host}\0${cwd}`).slice(0, 16)}`;
}
