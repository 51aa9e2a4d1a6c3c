import type { z } from 'zod';
import type { TopicName } from '../topics.ts';
import type { Payloads } from './payloads.ts';
import { isTextPayload, PAYLOADS } from './payloads.ts';
import type { SignalPayload } from './signal.ts';
import { encodeSignal } from './signal.ts';
import type { UsagePayload } from './usage.ts';
import { encodeUsage } from './usage.ts';

type Issue = z.core.$ZodIssue;

/** What a message turned out to be. `cleared`: empty, so what was retained is no more. */
export type Decoded<N extends TopicName> =
  | { readonly kind: 'payload'; readonly payload: Payloads[N] }
  | { readonly kind: 'cleared' }
  | { readonly kind: 'unreadable'; readonly problem: string };

/** A payload as it goes on the wire; signals and usage are cut to their 512 bytes. */
export function encodePayload<N extends TopicName>(name: N, payload: Payloads[N]): string {
  if (name === 'signal') return encodeSignal(payload as SignalPayload);
  if (name === 'signalUsage') return encodeUsage(payload as UsagePayload);
  return isTextPayload(name) ? (payload as string) : JSON.stringify(payload);
}

/**
 * Reads a message. Never throws. A key that the reader doesn't know is left out, so that a newer hub may add one. `problem` names the field and what is wrong with it,
 * never its content.
 */
export function decodePayload<N extends TopicName>(name: N, text: string): Decoded<N> {
  if (text === '') return { kind: 'cleared' };
  let value: unknown = text;
  if (!isTextPayload(name)) {
    try {
      value = JSON.parse(text);
    } catch {
      return { kind: 'unreadable', problem: 'not JSON' };
    }
  }
  const schema = PAYLOADS[name];
  let result = schema.safeParse(value);
  if (!result.success && dropUnknown(value, result.error.issues)) result = schema.safeParse(value);
  if (result.success) return { kind: 'payload', payload: result.data };
  return { kind: 'unreadable', problem: result.error.issues.slice(0, 1).map(describe).join() };
}

function describe(issue: Issue): string {
  return [issue.path.join('.'), `wrong (${issue.code})`].filter((part) => part !== '').join(': ');
}

/** Takes the keys out that strict schemas named as unknown. @returns whether there was one */
function dropUnknown(value: unknown, issues: readonly Issue[]): boolean {
  let dropped = false;
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    const holder = issue.path.reduce<unknown>(
      (at, step) => (at as Record<PropertyKey, unknown>)[step],
      value,
    );
    for (const key of issue.keys) Reflect.deleteProperty(holder as object, key);
    dropped = true;
  }
  return dropped;
}
