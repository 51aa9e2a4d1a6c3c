import type { FastifyReply } from 'fastify';
import { type ErrorCode, errorMessage, errorNext, SignalboxError } from '../../protocol/errors.ts';
import type { ProblemAnswer } from '../../protocol/messages/http.ts';
import type { Log } from '../../runtime/log.ts';

/** The status of what is refused; of everything else that we have a code for: 503, it may be otherwise in a moment. */
const STATUS: Partial<Readonly<Record<ErrorCode, number>>> = {
  token_needed: 401,
  token_wrong: 401,
  foreign_host: 403,
  foreign_origin: 403,
  no_route: 404,
  no_such_session: 404,
  ambiguous_session: 409,
  too_large: 413,
  wrong_content_type: 415,
  bad_json: 422,
  bad_shape: 422,
  refused: 422,
  too_deep: 422,
  unknown_provider: 422,
  too_many_attempts: 429,
  too_many_requests: 429,
  unexpected: 500,
};

type Params = Readonly<Record<string, string | number>>;

/** Answers that a request is refused, and why. @param status where the code alone doesn't tell it */
export function refuse(
  reply: FastifyReply,
  code: ErrorCode,
  { params = {}, status = STATUS[code] ?? 503 }: { params?: Params; status?: number } = {},
): FastifyReply {
  return send(reply, status, {
    code,
    message: errorMessage(code, params),
    next: errorNext(code, params),
  });
}

/** Answers to what was thrown while a request was dealt with. Of what nobody foresaw it says nothing outside. */
export function answerError(error: unknown, reply: FastifyReply, log: Log): FastifyReply {
  if (error instanceof SignalboxError) {
    const { code, message, next } = error;
    return send(reply, STATUS[code] ?? 503, { code, message, next });
  }
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return refuse(reply, 'too_large', { params: { limit: reply.routeOptions.bodyLimit ?? 0 } });
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return refuse(reply, 'wrong_content_type');
  if (statusCode !== undefined && statusCode < 500) return refuse(reply, 'bad_json', { status: statusCode });
  log.error('a request failed', { error });
  return send(reply, 500, { code: 'internal', message: 'The request failed; the log says why.' });
}

function send(reply: FastifyReply, status: number, error: ProblemAnswer['error']): FastifyReply {
  // What a shared cache kept of it would be told to somebody else.
  reply.header('cache-control', 'no-store');
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  const answer: ProblemAnswer = { ok: false, error };
  return reply.code(status).send(answer);
}
