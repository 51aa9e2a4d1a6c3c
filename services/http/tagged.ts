import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Answers with JSON and its ETag, and with 304 to whoever has it already: a poller reads what has changed (RFC 9110, sections 8.8.3 and 13.1.2). */
export function answerTagged(request: FastifyRequest, reply: FastifyReply, answer: object): FastifyReply {
  const text = JSON.stringify(answer);
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  reply.header('etag', tag).header('cache-control', 'no-cache');
  if (hasIt(request.headers['if-none-match'], tag)) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(text);
}

function hasIt(known: string | undefined, tag: string): boolean {
  if (known === undefined) return false;
  return known.split(',').some((each) => {
    const name = each.trim();
    return name === '*' || name.replace(/^W\//, '') === tag;
  });
}
