import { type ErrorCode, SignalboxError } from '../../protocol/errors.ts';
import type { Facts } from './facts.ts';

export type Level = 'ok' | 'warning' | 'broken';

/** What a check has found. */
export interface Finding {
  readonly level: Level;
  /** One word that stays the same: a code of the error catalogue where there is one for it. */
  readonly code: string;
  /** A sentence for people, of text from outside too: whoever prints it makes it harmless. */
  readonly message: string;
  /** What to do about it. */
  readonly mend?: string;
  /** The same in numbers, for scripts. */
  readonly data?: unknown;
}

/** A finding and whose it is. */
export interface Found extends Finding {
  readonly check: string;
}

/** One thing that `signalbox doctor` looks after. It reads the facts, may look further, and changes nothing. */
export interface Check {
  /** In front of its findings; at most 9 characters. */
  readonly name: string;
  /** No findings: there is nothing to say of it here. */
  readonly run: (facts: Facts) => readonly Finding[] | Promise<readonly Finding[]>;
}

export function ok(message: string, data?: unknown): Finding {
  return { level: 'ok', code: 'ok', message, ...(data !== undefined && { data }) };
}

export function warning(code: string, message: string, mend?: string, data?: unknown): Finding {
  return {
    level: 'warning',
    code,
    message,
    ...(mend !== undefined && { mend }),
    ...(data !== undefined && { data }),
  };
}

export function broken(code: string, message: string, mend: string, data?: unknown): Finding {
  return { level: 'broken', code, message, mend, ...(data !== undefined && { data }) };
}

/** What a fault of the catalogue is as a finding. */
export function brokenBy({ code, message, next }: SignalboxError): Finding {
  return broken(code, message, next);
}

/** As `brokenBy`, for an error that nobody has thrown. */
export function brokenAs(code: ErrorCode, params: Readonly<Record<string, string | number>>): Finding {
  return brokenBy(new SignalboxError(code, params));
}
