import { describe, expect, it } from 'vitest';
import { type ErrorCode, ERRORS, errorMessage, errorNext, SignalboxError } from '../../../protocol/errors.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];

/** A value for every parameter that a text names. */
function paramsOf(...texts: string[]): Record<string, string> {
  const names = texts.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1] as string));
  return Object.fromEntries(names.map((name) => [name, `<${name}>`]));
}

describe('the catalogue of errors', () => {
  it.each(CODES)('%s says what happened and what to do next', (code) => {
    const { message, next } = ERRORS[code];
    const params = paramsOf(message, next);
    for (const text of [errorMessage(code, params), errorNext(code, params)]) {
      expect(text).not.toMatch(/[{}]/);
      expect(text.length).toBeGreaterThan(0);
    }
    const said = errorMessage(code, params) + errorNext(code, params);
    for (const value of Object.values(params)) expect(said).toContain(value);
    expect(next).toMatch(/[.]$/);
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(['user', 'fault']).toContain(ERRORS[code].kind);
  });

  it('a parameter that is missing stays visible', () => {
    expect(errorMessage('unknown_provider')).toContain('{provider}');
    expect(errorMessage('too_large', { limit: 5 })).toContain('5');
    expect(errorNext('port_taken')).toContain('{flag}');
  });

  it('what a parameter holds is not filled in again', () => {
    expect(errorMessage('unknown_provider', { provider: '{known}', known: 'x' })).toContain('"{known}"');
  });

  it('the error carries code, kind, next step and cause', () => {
    const cause = new Error('disk full');
    const error = new SignalboxError('not_committed', { reason: 'disk full' }, { cause });
    expect(error).toMatchObject({ name: 'SignalboxError', code: 'not_committed', kind: 'fault', cause });
    expect(error.message).toBe('The event could not be written to the database: disk full.');
    expect(error.next).toBe(ERRORS.not_committed.next);
    expect(new SignalboxError('bad_json').kind).toBe('user');
  });
});
