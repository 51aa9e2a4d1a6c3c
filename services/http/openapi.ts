import { z } from 'zod';
import { problemAnswer } from '../../protocol/messages/http.ts';
import { type Route, ROUTES } from './routes.ts';

/** Where the document is. */
export const OPENAPI_PATH = '/openapi.json';

const PROBLEM = { $ref: '#/components/schemas/Problem' };

/** What any route may be refused with. */
const ALWAYS: Readonly<Record<number, string>> = {
  401: 'It needs the token: an operator route does, and every route where other machines reach the port.',
  403: 'Its Host is not one of ours, or it comes from a foreign web page.',
  429: 'Too many wrong tokens came from this address.',
};

const WITH_BODY: Readonly<Record<number, string>> = {
  413: 'The body is too large.',
  415: 'It is not JSON by its content type.',
};

/** The HTTP interface as an OpenAPI 3.1 document, made of the routes and their schemas. @param version of Signalbox */
export function openApi(version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, route] of Object.entries<Route>(ROUTES)) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Signalbox',
      version,
      summary: 'Which coding agent needs you.',
      description:
        'For scripts, for curl, for devices that can only poll. Who can, subscribes over MQTT instead.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://127.0.0.1:4787' }],
    paths,
    components: {
      schemas: { Problem: schemaOf(problemAnswer, 'output') },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  };
}

function operation(name: string, route: Route): object {
  const { summary, operator, body, answer, refused } = route;
  const refusals = { ...ALWAYS, ...(body !== undefined && WITH_BODY), ...refused };
  return {
    operationId: name,
    summary,
    security: operator === true ? [{ token: [] }] : [{}, { token: [] }],
    parameters: [...inPath(route), ...inQuery(route)],
    ...(body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } },
    }),
    responses: {
      [answer.status]: { description: answer.description, ...content(answer) },
      ...Object.fromEntries(
        Object.entries(refusals).map(([status, description]) => [
          status,
          { description, content: { 'application/json': { schema: PROBLEM } } },
        ]),
      ),
    },
  };
}

function inPath({ path }: Route): object[] {
  return Array.from(path.matchAll(/:(\w+)/g), ([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function inQuery({ query = {} }: Route): object[] {
  return Object.entries(query).map(([name, description]) => ({
    name,
    in: 'query',
    description,
    schema: { type: 'string' },
  }));
}

function content({ schema, type }: Route['answer']): object {
  if (schema !== undefined)
    return { content: { 'application/json': { schema: schemaOf(schema, 'output') } } };
  return type === undefined ? {} : { content: { [type]: { schema: { type: 'string' } } } };
}

/** Without `$schema`: an OpenAPI 3.1 document speaks that dialect by itself. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
