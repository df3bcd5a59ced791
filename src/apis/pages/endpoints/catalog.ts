/** GET /catalog/sections: the section types that pages are made of (contract 2.6). */
import type { Endpoint, Reply } from '../../../http/endpoint.js';
import type { PageSource } from '../../../services/page-delivery/page-delivery.js';
import { envelopeSchema, keptSuccess } from '../envelope.js';
import { catalogSchema } from '../schemas.js';

/** The row. */
export function catalogEndpoint(delivery: PageSource): Endpoint {
  return {
    name: 'catalog.sections',
    method: 'GET',
    path: '/catalog/sections',
    access: { kind: 'scope', scope: 'catalog.read' },
    object: null,
    summary: 'Section types',
    tags: ['Catalog'],
    parameters: [],
    response: {
      status: 200,
      description: 'The section types with their fields, in the order in which editors are offered them.',
      schema: envelopeSchema(catalogSchema),
    },
    handler: async (): Promise<Reply> => keptSuccess(await delivery.catalog(null)),
  };
}
