/** Published pages, what changed of them, one of them with its parts; and the section types that pages are made of. */
import type { Call, Endpoint, ParameterDoc, Reply } from '../../http/interface/endpoint.js';
import type { PageSource } from '../delivery/page-delivery.js';
import { envelopeSchema, keptSuccess, success } from '../http/envelope.js';
import {
  readContext,
  readInclude,
  readNumber,
  readSearch,
  readSectionTypes,
  refusal,
  single,
  visitQuery,
} from '../http/query.js';
import { catalogSchema, pageListSchema, pageSchema } from '../http/schemas.js';

const defaultContext = 'web';
const largestOffset = 4_294_967_295;

export const contextParameter: ParameterDoc = {
  name: 'context',
  in: 'query',
  description: 'Key of a context.',
  schema: { type: 'string', default: defaultContext, pattern: '^[\\p{L}\\p{N}_.-]{1,100}$' },
  example: 'web',
};

/** Parameters of one page besides its name and context; the free API has the same. */
export const partParameters: readonly ParameterDoc[] = Object.freeze([
  {
    name: 'include',
    in: 'query',
    list: true,
    description: 'Comma list of the parts of the page: document, values, html, sections.',
    schema: { type: 'string', default: 'document,values' },
    example: 'document,values',
  },
  {
    name: 'section_types',
    in: 'query',
    list: true,
    description: 'Comma list of the section types to keep, in every part.',
    schema: { type: 'string' },
  },
  {
    // Every other parameter: `utm_*` and those that the rules of a page ask for.
    name: '*',
    in: 'query',
    description:
      "The visitor's own parameters, by which sections are shown or not: `utm_source`, `utm_campaign` and all others that the rules of a page look at. Of one that comes more than once the first counts.",
    schema: { type: 'object', additionalProperties: { type: 'string' } },
  },
]);

/** GET /pages and GET /pages/{id-or-alias}. */
export function pagesEndpoints(delivery: PageSource): readonly Endpoint[] {
  return [
    {
      name: 'pages.list',
      method: 'GET',
      path: '/pages',
      access: { kind: 'scope', scope: 'pages.read' },
      object: null,
      summary: 'Published pages, or what changed of them',
      tags: ['Pages'],
      parameters: [
        {
          name: 'limit',
          in: 'query',
          description: 'Pages in one answer.',
          schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
        },
        {
          name: 'offset',
          in: 'query',
          description: 'Pages to leave out at the start.',
          schema: { type: 'integer', minimum: 0, maximum: largestOffset, default: 0 },
        },
        contextParameter,
        {
          name: 'q',
          in: 'query',
          description: 'Looks for the text in page title and alias, in upper or lower case, or for a page by its id.',
          schema: { type: 'string', maxLength: 200 },
        },
        {
          name: 'changed_since',
          in: 'query',
          description:
            'The `revision` of an earlier answer, or 0: the answer has what was published or withdrawn after it, the oldest change first. Not together with `offset` or `q`.',
          schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
          example: '0',
        },
      ],
      response: {
        status: 200,
        description: 'Published pages by id, or changes in their order, without documents.',
        schema: envelopeSchema(pageListSchema),
      },
      handler: (call) => listPages(delivery, call),
    },
    {
      name: 'pages.get',
      method: 'GET',
      path: '/pages/:idOrAlias',
      access: { kind: 'scope', scope: 'pages.read' },
      object: null,
      summary: 'One published page',
      tags: ['Pages'],
      parameters: [
        {
          name: 'idOrAlias',
          in: 'path',
          required: true,
          description: 'Numeric id of the page; where no resource has it, or for other texts, its alias.',
          schema: { type: 'string' },
          example: '42',
        },
        {
          ...contextParameter,
          description:
            'Context in which an alias is looked up, and for which sections are shown. A page found by its id is shown for its own context unless this says otherwise.',
        },
        ...partParameters,
      ],
      response: { status: 200, description: 'The page with the requested parts.', schema: envelopeSchema(pageSchema) },
      handler: (call) => onePage(delivery, call),
    },
  ];
}

async function listPages(delivery: PageSource, { query, asker }: Call): Promise<Reply> {
  const limit = readNumber(query, 'limit', { min: 1, max: 100, absent: 20 });
  const offset = readNumber(query, 'offset', { min: 0, max: largestOffset, absent: 0 });
  const context = readContext(query, 'context') ?? defaultContext;
  const search = readSearch(query);
  if (single(query, 'changed_since') === undefined) {
    return success(await delivery.list({ limit, offset, context, search, asker }));
  }
  const since = readNumber(query, 'changed_since', { min: 0, max: Number.MAX_SAFE_INTEGER, absent: 0 });
  if (single(query, 'offset') !== undefined) throw refusal('offset', 'cannot be given together with changed_since');
  if (search !== null) throw refusal('q', 'cannot be given together with changed_since');
  return success(await delivery.changes({ since, context, limit, asker }));
}

function onePage(delivery: PageSource, { query, params }: Call): Reply | Promise<Reply> {
  const context = readContext(query, 'context');
  const page = delivery.page({
    name: { kind: 'either', text: params.idOrAlias ?? '', context: context ?? defaultContext },
    context: context ?? null,
    include: readInclude(query),
    sectionTypes: readSectionTypes(query),
    query: () => visitQuery(query),
    hiddenAs: 'missing',
  });
  return page instanceof Promise ? page.then(keptSuccess) : keptSuccess(page);
}

/** GET /catalog/sections. */
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
