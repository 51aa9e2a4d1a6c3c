import { describe, expect, it } from 'vitest';
import { openApi } from '../../../../services/http/openapi.ts';
import { ROUTES } from '../../../../services/http/routes.ts';
import { startHttp, TOKEN } from '../../../support/http.ts';

interface Operation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: object }>> };
  readonly responses: Readonly<Record<string, object>>;
}
interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const document = openApi('1.2.3') as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

describe('the OpenAPI document', () => {
  it('is what the hub serves', async () => {
    const { url } = await startHttp();
    expect(await (await fetch(`${url}/openapi.json`)).json()).toEqual(document);
  });

  it('has every route of the specification', () => {
    expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /attention',
      'POST /hook/{provider}',
      'GET /status',
      'GET /usage',
      'POST /usage/{provider}',
      'GET /sessions',
      'GET /sessions/{key}/explain',
      'GET /stats',
      ...['/ack', '/snooze', '/pause', '/resume', '/clear'].map((path) => `POST ${path}`),
      'GET /healthz',
      'GET /metrics',
    ]);
    expect(operations.map(({ operation }) => operation.operationId)).toEqual(Object.keys(ROUTES));
  });

  it.each(operations)('$method $path is served as it says', async ({ path, method, operation }) => {
    const { url } = await startHttp(async () => ({ ok: false, code: 'unknown_event', message: 'No.' }));
    const at = url + path.replaceAll(/\{\w+\}/g, 'claude');
    const ask = (headers: Record<string, string>): Promise<Response> =>
      fetch(at, { method, headers, ...(method === 'POST' && { body: '[]' }) });
    const json = { 'content-type': 'application/json' };
    const free = await ask(json);
    expect(free.status === 401).toBe(operation.security.length === 1);
    const authorised = await ask({ ...json, authorization: `Bearer ${TOKEN}` });
    expect(authorised.status).not.toBe(404);
    expect(Object.keys(operation.responses)).toContain(String(authorised.status));
    expect([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)).toEqual(
      operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
    );
    const other = await ask({ 'content-type': 'text/plain', authorization: `Bearer ${TOKEN}` });
    expect(other.status === 415).toBe(method === 'POST');
    expect(operation.requestBody !== undefined).toBe(method === 'POST');
  });

  it('refers to nothing that is not there', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to);
    expect(new Set(references)).toEqual(new Set(['#/components/schemas/Problem']));
    expect(document.components.schemas).toHaveProperty('Problem');
    expect([document.openapi, document.info.version]).toEqual(['3.1.0', '1.2.3']);
  });
});
