import type { Case } from './case.ts';
import { type Entry, OUTCOMES } from './ledger.ts';
import type { Item } from './outbox.ts';

/** A record's text; undefined: it is no JSON. */
export function parseRecord(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// What a record of another version may lack is not looked at; what would stop the start is.

export function isCase(body: unknown): body is Case {
  const { session, subject, since, alerts, ids, plan, sent } = fields(body);
  return (
    isSession(session) &&
    typeof subject === 'string' &&
    typeof since === 'number' &&
    typeof alerts === 'number' &&
    Array.isArray(ids) &&
    (plan === undefined || typeof fields(plan)['at'] === 'number') &&
    (sent === undefined || (isPlace(fields(sent)) && typeof fields(sent)['at'] === 'number'))
  );
}

export function isItem(body: unknown): body is Item {
  const item = fields(body);
  const { id, what, at, expires, sessions, message } = item;
  return (
    [id, at, expires].every((each) => typeof each === 'number') &&
    typeof what === 'string' &&
    isPlace(item) &&
    Array.isArray(sessions) &&
    sessions.every(isSession) &&
    (message === undefined ? what === 'clear' : typeof fields(message)['title'] === 'string')
  );
}

export function isEntry(body: unknown): body is Entry {
  const { at, provider, key, outcome, why } = fields(body);
  return (
    typeof at === 'number' &&
    [provider, key, why].every((each) => typeof each === 'string') &&
    OUTCOMES.some((each) => each === outcome)
  );
}

function isSession(value: unknown): boolean {
  return typeof value === 'string' && value.includes(' ');
}

function isPlace({ topic, sequence }: Record<string, unknown>): boolean {
  return typeof topic === 'string' && typeof sequence === 'string';
}

function fields(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}
