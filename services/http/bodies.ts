import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { nestsDeeperThan } from '../../protocol/adapters/json-depth.ts';
import { SignalboxError } from '../../protocol/errors.ts';
import { ParkedBytes } from '../../runtime/parked-bytes.ts';

/** Largest body of a hook event [bytes]: a tool's result with an image is an answer too (spec: bus, "Durability" 1). */
export const HOOK_BYTES = 16 * 1024 * 1024;
/** Largest body of anything else [bytes] (spec: consumers, section 1). */
export const BODY_BYTES = 1024 * 1024;

/** Most of a refused body that is read and dropped [bytes]. */
const DROPPED_BYTES = 64 * 1024 * 1024;
/** Bodies that are held at once, all together [bytes]. */
const HELD_BYTES = 128 * 1024 * 1024;

/** As deep as an event may be. */
const DEEPEST = 64;

/**
 * Bodies go on as the bytes they came in: the aggregator reads a hook's JSON, and a broken one is its to refuse. All that are on their way are bounded together; above it the one that has
 * been coming for longest is cut off.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  const held = new ParkedBytes<IncomingMessage>(HELD_BYTES, (request) => request.destroy());
  app.addHook('preParsing', (request, reply, payload, done) => {
    let bytes = 0;
    const count = (chunk: Buffer): void => {
      // What comes after the answer is dropped, not held.
      if (reply.raw.writableEnded) return end();
      bytes += chunk.length;
      held.set(request.raw, bytes);
    };
    const end = (): void => {
      payload.off('data', count);
      held.set(request.raw, 0);
    };
    payload.on('data', count);
    reply.raw.once('close', end);
    done(null, payload);
  });
}

/**
 * Reads on and drops the body of a request that is refused before it has come: a sender that writes to a closed connection gets an error there, and never
 * reads the answer. Fastify would close at once; here that is only done to a body without end.
 */
export function dropBody({ headers, raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || Number(headers['content-length']) > DROPPED_BYTES) return;
  reply.removeHeader('connection');
  let dropped = 0;
  raw.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > DROPPED_BYTES) raw.destroy();
  });
}

/** A body as one JSON object; broken UTF-8 is replaced, as everywhere. @throws SignalboxError `bad_json`, `too_deep` */
export function readObject(body: unknown): Record<string, unknown> {
  const text = Buffer.isBuffer(body) ? new TextDecoder().decode(body) : '';
  if (nestsDeeperThan(text, DEEPEST)) throw new SignalboxError('too_deep', { limit: DEEPEST });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SignalboxError('bad_json');
  return value as Record<string, unknown>;
}

/** A body by its schema. @throws SignalboxError `bad_json`, `too_deep`, `bad_shape` */
export function readBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const found = schema.safeParse(readObject(body));
  if (found.success) return found.data;
  const [issue] = found.error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const field = unknown ?? issue?.path.join('.') ?? '';
  // Of the schema, never of what was sent.
  const expected = unknown === undefined ? (issue?.message ?? '') : 'there is no such field';
  throw new SignalboxError('bad_shape', { field: field.slice(0, 64), expected });
}
