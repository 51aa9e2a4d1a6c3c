import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RouteName } from './routes.ts';

/** Deals with a request: gives what is answered, or the reply that it has answered itself. @throws SignalboxError what it is refused with */
export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** One for each route. */
export type Handlers = Readonly<Record<RouteName, Handler>>;
