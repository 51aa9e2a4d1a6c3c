import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../protocol/errors.ts';
import { foreignRequest, isLoopback } from '../../runtime/own-host.ts';
import { createBearerCheck, type Shown } from './bearer.ts';
import { dropBody } from './bodies.ts';
import { FailedAttempts } from './failed-attempts.ts';
import type { HttpOptions, HttpService } from './http-options.ts';
import { isPassedOn } from './passed-on.ts';
import { refuse } from './refusal.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Only for whoever shows the token. */
    operator?: boolean;
  }
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
const JSON_TYPE = /^application\/json *(?:;|$)/i;

const REFUSED: Readonly<Record<Exclude<Shown, 'right'>, ErrorCode>> = {
  none: 'token_needed',
  wrong: 'token_wrong',
  blocked: 'too_many_attempts',
};

/**
 * Turns away what is not for us, before any of its body is read: requests of web pages (Host, Origin), those without the token that need it, and those that change something and are not
 * JSON, which any web page can send (spec: consumers, section 1).
 * @returns the same for whoever wants a WebSocket
 */
export function addGuard(app: FastifyInstance, options: HttpOptions): HttpService['admitUpgrade'] {
  const { ownHosts, clock, listen } = options;
  const shown = createBearerCheck(options, new FailedAttempts({ clock }));
  // By where it listens, not by who comes: what stands in front of the port comes from this machine, whoever sent it.
  const isOpen = !isLoopback(listen.host);
  const isFree = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean => !isOpen && !isPassedOn(headers);

  function refusalOf(request: FastifyRequest): ErrorCode | undefined {
    const { host, origin, authorization } = request.headers;
    const foreign = foreignRequest({ host, origin }, ownHosts);
    if (foreign !== undefined) return foreign;
    if (!isFree(request) || request.routeOptions.config.operator === true) {
      const found = shown({ authorization, address: request.socket.remoteAddress });
      if (found !== 'right') return REFUSED[found];
    }
    if (request.is404 || READING.has(request.method)) return undefined;
    return JSON_TYPE.test(request.headers['content-type'] ?? '') ? undefined : 'wrong_content_type';
  }

  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const code = refusalOf(request);
    if (code === undefined) return undefined;
    dropBody(request, reply);
    return refuse(reply, code);
  });

  return (request: IncomingMessage) => {
    const { headers, socket } = request;
    const found = shown({ authorization: headers.authorization, address: socket.remoteAddress });
    if (found === 'right') return 'bearer';
    if (found === 'blocked') return 429;
    return found === 'none' && isFree(request) ? 'free' : 401;
  };
}
