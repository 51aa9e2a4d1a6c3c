import type { Hasher } from '../events.ts';
import { type Fields, isFields } from './fields.ts';

/**
 * Providers of whose tool's input only `command` is the same in all of a call's events: Codex' permission request adds a description, Gemini's has nothing else.
 */
const COMMAND_ONLY: ReadonlySet<string> = new Set(['codex', 'gemini']);

/**
 * The keyed digest of a tool's input: what ties a permission request, which names no call, to the call's other events (spec: state, rule 1).
 * 16 hex digits of HMAC-SHA-256 over the JSON with sorted keys; `undefined` for no input.
 * @param input parsed JSON, at most as deep as `adapt` lets through
 */
export function toolDigest(hasher: Hasher, provider: string, input: unknown): string | undefined {
  if (input === undefined || input === null) return undefined;
  return hasher.hmac(sortedJson(COMMAND_ONLY.has(provider) ? commandOf(input) : input)).slice(0, 16);
}

function commandOf(input: unknown): unknown {
  return isFields(input) && input['command'] !== undefined ? { command: input['command'] } : input;
}

function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (isFields(value)) return `{${sortedMembers(value).join(',')}}`;
  return JSON.stringify(value);
}

function sortedMembers(fields: Fields): string[] {
  return Object.keys(fields)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${sortedJson(fields[name])}`);
}
