import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { BODY_BYTES, dropBody, HOOK_BYTES, readBodies } from './bodies.ts';
import { eventRoutes } from './event-routes.ts';
import { addGuard } from './guard.ts';
import type { Handlers } from './handlers.ts';
import type { HttpOptions, HttpService } from './http-options.ts';
import { openApi, OPENAPI_PATH } from './openapi.ts';
import { answerError, refuse } from './refusal.ts';
import { type Route, type RouteName, ROUTES } from './routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { statusRoutes } from './status-routes.ts';
import { UsageWindows } from './usage-windows.ts';

/** Longest that a request may take to come [ms]: a body that trickles holds memory. */
const REQUEST_MS = 60_000;
/** A session's id in a path [bytes]: its longest, each character escaped. */
const LONGEST_PARAMETER = 2_400;

/** Creates the HTTP service; it listens only once started. */
export function createHttpService(options: HttpOptions): HttpService {
  const { listen, view, metrics, version, link, clock, log, requestMs = REQUEST_MS } = options;
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_BYTES,
    forceCloseConnections: true,
    requestTimeout: requestMs,
    // Node looks for both when it makes the server; Fastify sets the one too late for that.
    http: {
      requestTimeout: requestMs,
      headersTimeout: requestMs,
      connectionsCheckingInterval: Math.min(requestMs, 30_000),
    },
    // Paths of ours have no trailing slashes and no case.
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    frameworkErrors: (_error, request, reply) =>
      void refuse(reply, 'no_route', { params: wanted(request), status: 400 }),
  });
  const windows = new UsageWindows(link, clock);
  const admitUpgrade = addGuard(app, options);
  readBodies(app);
  app.setNotFoundHandler((request, reply) => refuse(reply, 'no_route', { params: wanted(request) }));
  app.setErrorHandler((error, request, reply) => {
    dropBody(request, reply);
    return answerError(error, reply, log);
  });
  addRoutes(app, {
    ...eventRoutes(options),
    ...statusRoutes(options, windows),
    ...sessionRoutes(options),
    healthz: async () => ({ ok: true, version }),
    async metrics(_request, reply) {
      const more = { clients: options.clients(), notifications: options.notifications() };
      const { type, text } = await metrics.text(view.counts(), more);
      return reply.type(type).send(text);
    },
  });
  let document: object | undefined;
  app.get(OPENAPI_PATH, async () => (document ??= openApi(version)));
  return {
    server: app.server,
    admitUpgrade,
    async start() {
      await windows.start();
      await app.listen({ host: listen.host, port: listen.port });
      const { address, port } = app.server.address() as AddressInfo;
      return { host: address, port };
    },
    async stop() {
      await windows.stop();
      await app.close();
    },
  };
}

function addRoutes(app: FastifyInstance, handlers: Handlers): void {
  for (const [name, { method, path, operator = false }] of Object.entries<Route>(ROUTES)) {
    app.route({
      method,
      url: path,
      bodyLimit: path.startsWith('/hook/') ? HOOK_BYTES : BODY_BYTES,
      config: { operator },
      handler: handlers[name as RouteName],
    });
  }
}

/** What somebody asked for and is not there. */
function wanted({ method, url }: { method: string; url: string }): { method: string; path: string } {
  return { method, path: (url.split('?')[0] ?? '').slice(0, 200) };
}
