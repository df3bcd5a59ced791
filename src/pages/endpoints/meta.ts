/** Discovery of the page delivery API: its state, its description, its routes. */
import type { Identity } from '../../access/identity.js';
import { type Call, type Endpoint, objectSchema, type Reply } from '../../http/interface/endpoint.js';
import { pathTemplate, plainDocument } from '../../http/interface/openapi.js';
import { isoTimeOfMs } from '../../values/dates.js';
import { success } from '../http/envelope.js';
import { readRoute } from '../http/routes.js';
import { envelopeSchema } from '../http/schemas.js';

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
          path: pathTemplate(endpoint.path),
          scope: endpoint.access.kind === 'scope' ? endpoint.access.scope : null,
          summary: endpoint.summary,
        })),
      }),
  });
}

interface DocumentOptions {
  readonly endpoints: readonly Endpoint[];
  readonly identity: Identity;
  readonly base: string;
  readonly version: string;
}

const operationIds: Readonly<Record<string, string>> = {
  health: 'getHealth',
  'catalog.sections': 'listSectionTypes',
  'pages.list': 'listPages',
  'pages.get': 'getPage',
  openapi: 'getOpenApiDocument',
  routes: 'getDiscovery',
};

/** Only routes that the caller's scopes open; all of them for callers without a token. */
export function pagesDocument({ endpoints, identity, base, version }: DocumentOptions) {
  return plainDocument({
    info: {
      title: 'Page delivery API',
      version,
      description:
        'Read-only delivery of published pages. Every route may also be given in the query parameter `path`.',
    },
    url: base,
    endpoints: endpoints.filter(
      ({ access }) => identity.kind !== 'page_token' || access.kind !== 'scope' || identity.scopes.has(access.scope),
    ),
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    failure: objectSchema({ success: { const: false }, message: { type: 'string' }, object: { type: 'object' } }),
    describe: ({ name, access }) => ({
      operationId: operationIds[name] ?? name,
      security: access.kind === 'scope' ? [{ bearer: [] }] : [],
      ...(access.kind === 'scope' ? { 'x-required-scope': access.scope } : {}),
      others: { '304': { description: 'The copy that If-None-Match names is still right.' } },
      refused: [400, 401, 403, 404, 406, 409, 414, 429, 500, 503],
    }),
  });
}
