/** Discovery of the banner API: GET / with its routes, and GET /openapi.json, both from the endpoint table. */
import { type Call, type Endpoint, objectSchema, type Reply } from '../../http/interface/endpoint.js';
import { pathTemplate, plainDocument } from '../../http/interface/openapi.js';
import { dataReply } from '../http/envelope.js';
import { readRoute } from '../http/routes.js';
import { dataSchema } from '../http/schema.js';

/** The version of the interface, which is not that of the program (docs/banners.md#turn-it-on). */
const version = '1.1.0';

const routeSchema = objectSchema({ method: { type: 'string' }, route: { type: 'string' }, write: { type: 'boolean' } });

export function discoveryEndpoint(endpoints: () => readonly Endpoint[]): Endpoint {
  return readRoute({
    name: 'getDiscovery',
    path: '/',
    summary: 'Version and routes',
    tags: ['Meta'],
    parameters: [],
    description: 'Name, version and the routes that this version answers.',
    schema: dataSchema(
      objectSchema({
        name: { type: 'string' },
        version: { type: 'string' },
        routes: { type: 'array', items: routeSchema },
      }),
    ),
    handler: () => ({
      ...dataReply({ name: 'Banner API', version, routes: endpoints().map(routeOf) }),
      caching: { kind: 'content', tags: [] },
    }),
  });
}

function routeOf({ method, path }: Endpoint) {
  return { method, route: pathTemplate(path), write: method !== 'GET' };
}

interface DocumentOptions {
  readonly endpoints: () => readonly Endpoint[];
  readonly address: (call: Call) => string;
}

export function openapiEndpoint({ endpoints, address }: DocumentOptions): Endpoint {
  return {
    name: 'getOpenApiDocument',
    method: 'GET',
    path: '/openapi.json',
    access: { kind: 'public' },
    summary: 'OpenAPI description of this API',
    tags: ['Meta'],
    parameters: [],
    response: {
      status: 200,
      description: 'OpenAPI 3.1 document with every route.',
      schema: { type: 'object', required: ['openapi', 'info', 'paths'] },
    },
    handler: (call): Reply => ({
      status: 200,
      body: { kind: 'json', value: bannersDocument(endpoints(), address(call)) },
      caching: { kind: 'never' },
    }),
  };
}

export function bannersDocument(endpoints: readonly Endpoint[], address: string) {
  return plainDocument({
    info: {
      title: 'Banner API',
      version,
      description:
        'Banners, positions and statistics. Every route may also be given in the query parameter `route`. Writing is off unless `banners_api_write_enabled` is on.',
    },
    url: address,
    endpoints,
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    },
    failure,
    describe: ({ name, method, access }) => ({
      operationId: name,
      security: access.kind === 'public' ? [] : [{ bearer: [] }, { apiKey: [] }],
      refused: [400, 401, 403, 404, 406, 414, 422, 429, 500, 503, ...(method === 'GET' ? [] : [409, 412, 413, 415])],
    }),
  });
}

const failure = {
  type: 'object',
  required: ['success', 'message'],
  properties: {
    success: { const: false },
    message: { type: 'string' },
    errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
    errors_omitted: { type: 'integer', minimum: 1 },
  },
} as const;
