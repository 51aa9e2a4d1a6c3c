import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type ErrorCode, errorMessage, errorNext, SignalboxError } from '../../protocol/errors.ts';
import type { Log } from '../../runtime/log.ts';
import { foreignRequest, isLoopback } from '../../runtime/own-host.ts';

/** Largest body of a hook event [bytes]: a tool's result with an image is an answer too (spec: bus, "Durability" 1). */
const HOOK_BYTES = 16 * 1024 * 1024;
/** Largest body of anything else [bytes] (spec: consumers, section 1). */
const BODY_BYTES = 1024 * 1024;

/** Most of a refused body that is read and dropped [bytes]. */
const DROPPED_BYTES = 64 * 1024 * 1024;

/** What became of an event: on disk, or refused and the refusal on disk. */
export type Verdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string };

export interface HttpOptions {
  readonly listen: { readonly host: string; readonly port: number };
  /** Names beside those of loopback under which the port is reached. */
  readonly allowedHosts?: readonly string[];
  /** Takes a hook event; rejects when it could not be written. */
  readonly accept: (provider: string, payload: Uint8Array) => Promise<Verdict>;
  readonly version: string;
  readonly log: Log;
}

/** The HTTP port: hook events, liveness; the broker puts MQTT over WebSocket on the same server. */
export interface HttpService {
  /** For whoever serves upgrades on it. */
  readonly server: Server;
  /**
   * Starts listening. @returns the real port. Rejects with what `listen` failed with.
   * @throws SignalboxError `listen_needs_credentials` for an address that other machines reach: the Host of a request is no credential
   */
  start(): Promise<{ host: string; port: number }>;
  stop(): Promise<void>;
}

/** Creates the HTTP service; it listens only once started. */
export function createHttpService(options: HttpOptions): HttpService {
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_BYTES,
    forceCloseConnections: true,
    // Paths of ours have no trailing slashes and no case.
    routerOptions: { maxParamLength: 100 },
  });
  readJsonAsBytes(app);
  app.addHook('onRequest', async (request, reply) => {
    const { host, origin } = request.headers;
    const refusal = foreignRequest({ host, origin }, options.allowedHosts);
    if (refusal !== undefined) await refuse(reply, 403, refusal);
  });
  app.setNotFoundHandler((request, reply) =>
    refuse(reply, 404, 'no_route', { method: request.method, path: pathOf(request) }),
  );
  app.setErrorHandler((error, request, reply) => {
    dropBody(request, reply);
    return answerError(error, reply, options.log);
  });
  app.get('/healthz', async () => ({ ok: true, version: options.version }));
  app.post<{ Params: { provider: string }; Body: Buffer | undefined }>(
    '/hook/:provider',
    { bodyLimit: HOOK_BYTES },
    async (request, reply) => {
      const verdict = await options.accept(request.params.provider, request.body ?? Buffer.alloc(0));
      if (verdict.ok) return reply.code(204).send();
      return reply.code(422).send({ ok: false, error: { code: verdict.code, message: verdict.message } });
    },
  );
  return {
    server: app.server,
    async start() {
      const { host } = options.listen;
      if (!isLoopback(host)) throw new SignalboxError('listen_needs_credentials', { host });
      await app.listen({ host: options.listen.host, port: options.listen.port });
      const { address, port } = app.server.address() as AddressInfo;
      return { host: address, port };
    },
    async stop() {
      await app.close();
    },
  };
}

/** A hook's JSON goes on as the bytes it came in: the aggregator reads it, and a broken one is its to refuse. */
function readJsonAsBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
}

/**
 * Reads on and drops the body of a request that is refused before it has come: a sender that writes to a closed connection gets an error there, and never
 * reads the answer. Fastify would close at once; here that is only done to a body without end.
 */
function dropBody({ headers, raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || Number(headers['content-length']) > DROPPED_BYTES) return;
  reply.removeHeader('connection');
  let dropped = 0;
  raw.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > DROPPED_BYTES) raw.destroy();
  });
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] ?? '';
}

function answerError(error: unknown, reply: FastifyReply, log: Log): FastifyReply | Promise<FastifyReply> {
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  if (error instanceof SignalboxError) return refuse(reply, 503, error.code, {}, error);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return refuse(reply, 415, 'wrong_content_type');
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return refuse(reply, 413, 'too_large', { limit: reply.routeOptions.bodyLimit ?? BODY_BYTES });
  if (statusCode !== undefined && statusCode < 500) return refuse(reply, statusCode, 'bad_json');
  log.error('a request failed', { error });
  return reply
    .code(500)
    .send({ ok: false, error: { code: 'internal', message: 'The request failed; the log says why.' } });
}

function refuse(
  reply: FastifyReply,
  status: number,
  code: ErrorCode,
  params: Readonly<Record<string, string | number>> = {},
  known?: SignalboxError,
): FastifyReply {
  const error = {
    code,
    message: known?.message ?? errorMessage(code, params),
    next: known?.next ?? errorNext(code, params),
  };
  return reply.code(status).send({ ok: false, error });
}
