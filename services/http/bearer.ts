import { createHash, timingSafeEqual } from 'node:crypto';
import type { FailedAttempts } from './failed-attempts.ts';

/** What a request shows: no token, the right one, a wrong one; `blocked`: it comes from where too many wrong ones came from, and is not looked at. */
export type Shown = 'none' | 'right' | 'wrong' | 'blocked';

/** A request's `Authorization`, and where it comes from. */
export interface Credentials {
  readonly authorization: string | undefined;
  readonly address: string | undefined;
}

const BEARER = /^bearer +([\x21-\x7e]+) *$/i;

/** What an operator has to show, and everybody where other machines reach the port. */
export interface RightToken {
  readonly token: string;
  /** Made at random: nobody guesses it, so it is taken wherever it comes from, and nobody can shut out who has it. False when left out. */
  readonly random?: boolean;
}

/** Creates the check of a request's bearer token (RFC 6750, section 2.1). Its time tells nothing of the right one. */
export function createBearerCheck(
  { token, random = false }: RightToken,
  attempts: FailedAttempts,
): (shown: Credentials) => Shown {
  const right = digest(token);
  return ({ authorization = '', address = '' }) => {
    const given = BEARER.exec(authorization)?.[1];
    if (given === undefined) return 'none';
    // The same machine, as a socket for both families sees it.
    const from = address.replace(/^::ffff:/, '');
    const isBlocked = attempts.isBlocked(from);
    // One that a person has chosen might be found: the right one is not told from the others then.
    if (timingSafeEqual(digest(given), right) && (random || !isBlocked)) return 'right';
    if (isBlocked) return 'blocked';
    attempts.note(from);
    return 'wrong';
  };
}

/** Of one length, as the comparison needs it. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
