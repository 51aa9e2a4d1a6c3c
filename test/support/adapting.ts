import { createHash, createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { type AdaptContext, adapt, type Adapted } from '../../protocol/adapters/adapt.ts';
import type { CanonicalEvent } from '../../protocol/events.ts';
import { createProviderRegistry } from '../../protocol/providers.ts';

const PAYLOADS = new URL('../fixtures/payloads/', import.meta.url);
const KEY = Buffer.alloc(32, 7);

/** Arrival of every payload in these tests, unix ms. */
export const RECEIVED = 1_790_000_000_000;

export const CONTEXT: AdaptContext = {
  registry: createProviderRegistry([{ slug: 'house-agent', name: 'House Agent' }]),
  hasher: {
    hmac: (text) => createHmac('sha256', KEY).update(text).digest('hex'),
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
  },
  host: 'studio',
  questions: true,
  titles: false,
};

/** The digest that a tool's input must get, of the JSON written out by hand. */
export function digestOf(sortedJson: string): string {
  return CONTEXT.hasher.hmac(sortedJson).slice(0, 16);
}

/** The session id of an event without one (spec: state, section 2). */
export function derivedSession(provider: string, host: string, cwd: string): string {
  return `cwd-${createHash('sha256').update(`${provider}\0${host}\0${cwd}`).digest('hex').slice(0, 16)}`;
}

export function fixtureNames(folder: string): string[] {
  return readdirSync(new URL(`${folder}/`, PAYLOADS))
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .sort();
}

export function fixture(folder: string, name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(new URL(`${folder}/${name}.json`, PAYLOADS), 'utf8')) as Record<
    string,
    unknown
  >;
}

/** Adapts a payload, given as text or as what is to become JSON. */
export function adapted(provider: string, payload: unknown, context: Partial<AdaptContext> = {}): Adapted {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return adapt({ provider, payload: text, received: RECEIVED }, { ...CONTEXT, ...context });
}

/** The canonical event of a payload that must be accepted. */
export function eventOf(
  provider: string,
  payload: unknown,
  context: Partial<AdaptContext> = {},
): CanonicalEvent {
  const result = adapted(provider, payload, context);
  if (!result.ok) throw new Error(`refused: ${result.code} ${JSON.stringify(result.params)}`);
  return result.event;
}
