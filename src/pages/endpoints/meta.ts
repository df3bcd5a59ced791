/** What the page delivery API says about itself: its state, its description, its routes. */

import type { Call, Endpoint, Reply } from '../../http/interface/endpoint.js';
import { isoTimeOfMs } from '../../values/dates.js';
import { envelopeSchema, success } from '../http/envelope.js';

interface HealthDeps {
  readonly version: string;
  /** Milliseconds of the wall clock. */
  readonly now: () => number;
  /** Whether pages can be read without a token at this moment. */
  readonly isPublicApiEnabled: () => boolean;
}

/** GET /health. Its token was looked up in the database, so an answer says that the database answers too. */
export function healthEndpoint({ version, now, isPublicApiEnabled }: HealthDeps): Endpoint {
  return {
    name: 'health',
    method: 'GET',
    path: '/health',
    access: { kind: 'scope', scope: 'catalog.read' },
    object: null,
    summary: 'State of the service',
    tags: ['Catalog'],
    parameters: [],
    response: { status: 200, description: 'Version and time of the service.', schema: envelopeSchema(health) },
    handler: async (): Promise<Reply> =>
      success({ ok: true, version, publicApiEnabled: isPublicApiEnabled(), time: isoTimeOfMs(now()) }),
  };
}

const health = {
  type: 'object',
  required: ['ok', 'version', 'publicApiEnabled', 'time'],
  properties: {
    ok: { const: true },
    version: { type: 'string' },
    publicApiEnabled: { type: 'boolean', description: 'Whether pages can be read without a token too.' },
    time: { type: 'string', format: 'date-time' },
  },
} as const;

/** GET /openapi.json, the bare document; `makeDocument` gives that of the caller. */
export function openapiEndpoint(makeDocument: (call: Call) => unknown): Endpoint {
  return {
    name: 'openapi',
    method: 'GET',
    path: '/openapi.json',
    access: { kind: 'public' },
    object: null,
    summary: 'OpenAPI description of this API',
    tags: ['Meta'],
    parameters: [],
    response: {
      status: 200,
      description: 'OpenAPI 3.1 document with the routes that the token opens; with all of them without token.',
      schema: { type: 'object', required: ['openapi', 'info', 'paths'] },
    },
    handler: async (call): Promise<Reply> => ({
      status: 200,
      body: { kind: 'json', value: makeDocument(call) },
      caching: { kind: 'content', tags: [] },
    }),
  };
}

const schema = {
  type: 'object',
  required: ['name', 'version', 'routes'],
  properties: {
    name: { type: 'string' },
    version: { type: 'string' },
    routes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['method', 'path', 'scope', 'summary'],
        properties: {
          method: { type: 'string' },
          path: { type: 'string' },
          scope: { type: ['string', 'null'], description: 'What the token must allow; null where none is needed.' },
          summary: { type: 'string' },
        },
      },
    },
  },
} as const;

/** GET /: version and routes, without a token; `endpoints` gives the whole table. */
export function routesEndpoint(version: string, endpoints: () => readonly Endpoint[]): Endpoint {
  return {
    name: 'routes',
    method: 'GET',
    path: '/',
    access: { kind: 'public' },
    object: null,
    summary: 'Routes of this API',
    tags: ['Meta'],
    parameters: [],
    response: { status: 200, description: 'Version and routes.', schema: envelopeSchema(schema) },
    handler: (): Reply =>
      success({
        name: 'Page delivery API',
        version,
        routes: endpoints().map(({ method, path, access, summary }) => ({
          method,
          path: path.replaceAll(/:(\w+)/g, '{$1}'),
          scope: access.kind === 'scope' ? access.scope : null,
          summary,
        })),
      }),
  };
}
