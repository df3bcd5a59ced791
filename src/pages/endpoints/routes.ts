/** The address of the API alone: its version and its routes, without a token. */
import type { Endpoint, Reply } from '../../http/interface/endpoint.js';
import { envelopeSchema, success } from '../http/envelope.js';

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

/** The row; `endpoints` gives the whole table. */
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
