/** The OpenAPI document of the page delivery API, derived from its endpoint table. */
import type { Identity } from '../../access/identity.js';
import type { Endpoint } from '../../http/interface/endpoint.js';
import { documentHead, parameterObject } from '../../http/interface/openapi.js';
import { type Json, objectSchema } from './schemas.js';

interface DocumentOptions {
  readonly endpoints: readonly Endpoint[];
  readonly identity: Identity;
  readonly base: string;
  readonly version: string;
}

/** Only routes that the caller's scopes open; all of them for callers without a token. */
export function pagesDocument({ endpoints, identity, base, version }: DocumentOptions): Json {
  const open = endpoints.filter((endpoint) => isOpenTo(identity, endpoint));
  return {
    ...documentHead(
      {
        title: 'Page delivery API',
        version,
        description:
          'Read-only delivery of published pages. Every route may also be given in the query parameter `path`.',
      },
      { endpoints: open, url: base },
    ),
    paths: Object.fromEntries(open.map((endpoint) => [pathOf(endpoint), { get: operationOf(endpoint) }])),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Failure: failure },
      responses: { Refused: refused },
    },
  };
}

/** One by one: with a `default`, clients could not distinguish answers by their status. */
const refusedStatuses = [400, 401, 403, 404, 406, 409, 414, 429, 500, 503];
const refused = {
  description: 'The request was refused.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
};

function isOpenTo(identity: Identity, { access }: Endpoint): boolean {
  return identity.kind !== 'page_token' || access.kind !== 'scope' || identity.scopes.has(access.scope);
}

export function pathOf({ path }: Pick<Endpoint, 'path'>): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

const operationIds: Readonly<Record<string, string>> = {
  health: 'getHealth',
  'catalog.sections': 'listSectionTypes',
  'pages.list': 'listPages',
  'pages.get': 'getPage',
  openapi: 'getOpenApiDocument',
  routes: 'getDiscovery',
};

function operationOf(endpoint: Endpoint): Json {
  const { access, response } = endpoint;
  return {
    operationId: operationIds[endpoint.name] ?? endpoint.name,
    summary: endpoint.summary,
    tags: endpoint.tags,
    parameters: endpoint.parameters.map(parameterObject),
    security: access.kind === 'scope' ? [{ bearer: [] }] : [],
    ...(access.kind === 'scope' ? { 'x-required-scope': access.scope } : {}),
    responses: {
      [String(response.status)]: {
        description: response.description,
        content: { [response.type ?? 'application/json']: { schema: response.schema ?? {} } },
      },
      '304': { description: 'The copy that If-None-Match names is still right.' },
      ...Object.fromEntries(refusedStatuses.map((status) => [status, { $ref: '#/components/responses/Refused' }])),
    },
  };
}

const failure = objectSchema({
  success: { const: false },
  message: { type: 'string' },
  object: { type: 'object' },
});
