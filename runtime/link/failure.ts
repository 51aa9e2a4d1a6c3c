import { plainText } from '../plain-text.ts';

/** What people understand of the codes that a connection fails with. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name could not be looked up',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no way to that host',
  ENETUNREACH: 'there is no way to that network',
  ECONNRESET: 'it broke the connection off',
  EPIPE: 'it broke the connection off',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  CERT_HAS_EXPIRED: 'its certificate has expired',
};

/** Why a connection failed, in words that finish "does not answer: ...". */
export function failureReason(error: unknown): string {
  const { code, message = '' } = error as { code?: unknown; message?: string };
  const known = typeof code === 'string' ? REASONS[code] : undefined;
  if (known !== undefined) return known;
  if (message === 'connack timeout') return 'it takes the connection and says nothing';
  return message === '' ? 'for an unknown reason' : plainText(message, 200);
}
