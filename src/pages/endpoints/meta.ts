/** Discovery of the page delivery API: its state, its description, its routes. */
import type { Call, Endpoint, Reply } from '../../http/interface/endpoint.js';
import { isoTimeOfMs } from '../../values/dates.js';
import { success } from '../http/envelope.js';
import { pathOf } from '../http/openapi.js';
import { readRoute } from '../http/routes.js';
import { envelopeSchema, objectSchema } from '../http/schemas.js';

interface HealthDeps {
  readonly version: string;
  readonly now: () => number;
  readonly isPublicApiEnabled: () => boolean;
}

const health = objectSchema({
  ok: { const: true },
  version: { type: 'string' },
  publicApiEnabled: { type: 'boolean', description: 'Whether pages can be read without a token too.' },
  time: { type: 'string', format: 'date-time' },
});

/** Checking the token asks the database, so an answer says that the database answers too. */
export function healthEndpoint({ version, now, isPublicApiEnabled }: HealthDeps): Endpoint {
  return readRoute({
    name: 'health',
    path: '/health',
    scope: 'catalog.read',
    summary: 'State of the service',
    tags: ['Catalog'],
    description: 'Version and time of the service.',
    schema: envelopeSchema(health),
    handler: () => success({ ok: true, version, publicApiEnabled: isPublicApiEnabled(), time: isoTimeOfMs(now()) }),
  });
}

export function openapiEndpoint(makeDocument: (call: Call) => unknown): Endpoint {
  return readRoute({
    name: 'openapi',
    path: '/openapi.json',
    scope: null,
    summary: 'OpenAPI description of this API',
    tags: ['Meta'],
    description: 'OpenAPI 3.1 document with the routes that the token opens; with all of them without token.',
    schema: { type: 'object', required: ['openapi', 'info', 'paths'] },
    handler: (call): Reply => ({
      status: 200,
      body: { kind: 'json', value: makeDocument(call) },
      caching: { kind: 'content', tags: [] },
    }),
  });
}

const route = objectSchema({
  method: { type: 'string' },
  path: { type: 'string' },
  scope: { type: ['string', 'null'], description: 'What the token must allow; null where none is needed.' },
  summary: { type: 'string' },
});
const routes = objectSchema({
  name: { type: 'string' },
  version: { type: 'string' },
  routes: { type: 'array', items: route },
});

export function routesEndpoint(version: string, endpoints: () => readonly Endpoint[]): Endpoint {
  return readRoute({
    name: 'routes',
    path: '/',
    scope: null,
    summary: 'Routes of this API',
    tags: ['Meta'],
    description: 'Version and routes.',
    schema: envelopeSchema(routes),
    handler: () =>
      success({
        name: 'Page delivery API',
        version,
        routes: endpoints().map((endpoint) => ({
          method: endpoint.method,
          path: pathOf(endpoint),
          scope: endpoint.access.kind === 'scope' ? endpoint.access.scope : null,
          summary: endpoint.summary,
        })),
      }),
  });
}
