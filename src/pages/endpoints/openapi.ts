/** GET /openapi.json: the description of the API, as the bare document. */
import type { Call, Endpoint, Reply } from '../../http/interface/endpoint.js';

/** The row; `makeDocument` gives the document for the caller. */
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
