import type { ErrorCode } from '../errors.ts';

/** Why an event was refused. Holds nothing of the payload but what is a single word. */
export interface Refusal {
  readonly ok: false;
  readonly code: ErrorCode;
  readonly params: Readonly<Record<string, string | number>>;
}

/** @param code see the catalogue for the parameters that its text takes */
export function refuse(code: ErrorCode, params: Refusal['params'] = {}): Refusal {
  return { ok: false, code, params };
}
