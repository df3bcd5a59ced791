/** GET /catalog/sections: the section types that pages are made of. */
import type { Endpoint, Reply } from '../../http/interface/endpoint.js';
import type { PageSource } from '../delivery/page-delivery.js';
import { envelopeSchema, keptSuccess } from '../http/envelope.js';
import { catalogSchema } from '../http/schemas.js';

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
