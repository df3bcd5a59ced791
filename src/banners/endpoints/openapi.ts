/** GET /openapi.json: the description of the API, as the bare document; it needs no key. */
import type { Call, Endpoint, Reply } from '../../http/interface/endpoint.js';

/** The row; `makeDocument` gives the document. */
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
      description: 'OpenAPI 3.1 document with every route.',
      schema: { type: 'object', required: ['openapi', 'info', 'paths'] },
    },
    handler: (call): Reply => ({
      status: 200,
      body: { kind: 'json', value: makeDocument(call) },
      caching: { kind: 'never' },
    }),
  };
}
