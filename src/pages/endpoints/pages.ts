/** Published pages, their changes, one page with its parts; and the section types of pages. */
import type { PreviewIdentity } from '../../access/identity.js';
import { AppError, badParameter } from '../../errors/app-error.js';
import { previewParameters } from '../../http/interface/api.js';
import type { Call, Endpoint, Reply } from '../../http/interface/endpoint.js';
import { single } from '../../http/interface/query-pairs.js';
import { largestUnsigned } from '../../values/unsigned.js';
import type { PageDelivery } from '../delivery/page-delivery.js';
import { keptSuccess, success } from '../http/envelope.js';
import {
  readContext,
  readInclude,
  readNumber,
  readSearch,
  readSectionTypes,
  readState,
  visitQuery,
} from '../http/query.js';
import { contextParameter, defaultContext, partParameters, readRoute } from '../http/routes.js';
import { catalogSchema, envelopeSchema, pageListSchema, pageOrDraftSchema } from '../http/schemas.js';

export type PageSource = Pick<PageDelivery, 'page' | 'draft' | 'list' | 'changes' | 'catalog'>;

export function pagesEndpoints(delivery: PageSource): readonly Endpoint[] {
  return [
    readRoute({
      name: 'catalog.sections',
      path: '/catalog/sections',
      scope: 'catalog.read',
      summary: 'Section types',
      tags: ['Catalog'],
      description: 'The section types with their fields, in the order in which editors are offered them.',
      schema: envelopeSchema(catalogSchema),
      handler: async () => keptSuccess(await delivery.catalog(null)),
    }),
    readRoute({
      name: 'pages.list',
      path: '/pages',
      scope: 'pages.read',
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
          schema: { type: 'integer', minimum: 0, maximum: largestUnsigned, default: 0 },
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
      description: 'Published pages by id, or changes in their order, without documents.',
      schema: envelopeSchema(pageListSchema),
      handler: (call) => listPages(delivery, call),
    }),
    readRoute({
      name: 'pages.get',
      path: '/pages/:idOrAlias',
      scope: 'pages.read',
      showsDrafts: true,
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
        ...previewParameters,
        {
          name: 'state',
          in: 'query',
          description:
            'draft: the draft, which needs a preview. Without this parameter a preview shows the draft of what it was made for, and of other pages what is published.',
          schema: { type: 'string', enum: ['published', 'draft'] },
        },
      ],
      description: 'The page with the requested parts.',
      schema: envelopeSchema(pageOrDraftSchema),
      handler: ({ query, params, identity }) => {
        const context = readContext(query, 'context');
        const name = { kind: 'either', text: params['idOrAlias'] ?? '', context: context ?? defaultContext } as const;
        const asked = { name, context: context ?? null, query, hiddenAs: 'missing' } as const;
        const state = readState(query);
        if (identity.kind !== 'preview') {
          if (state === 'draft') throw badParameter('state', 'can be draft only with a preview_token');
          return onePage(delivery, asked);
        }
        return state === 'published' ? onePage(delivery, asked) : draftPage(delivery, { ...asked, identity, state });
      },
    }),
  ];
}

async function listPages(delivery: PageSource, { query, asker }: Call): Promise<Reply> {
  const limit = readNumber(query, 'limit', { min: 1, max: 100, absent: 20 });
  const offset = readNumber(query, 'offset', { min: 0, max: largestUnsigned, absent: 0 });
  const context = readContext(query, 'context') ?? defaultContext;
  const search = readSearch(query);
  if (single(query, 'changed_since') === undefined) {
    return success(await delivery.list({ limit, offset, context, search, asker }));
  }
  const since = readNumber(query, 'changed_since', { min: 0, max: Number.MAX_SAFE_INTEGER, absent: 0 });
  if (single(query, 'offset') !== undefined)
    throw badParameter('offset', 'cannot be given together with changed_since');
  if (search !== null) throw badParameter('q', 'cannot be given together with changed_since');
  return success(await delivery.changes({ since, context, limit, asker }));
}

type PageQuestion = Parameters<PageSource['page']>[0];

type PageRequest = Pick<PageQuestion, 'name' | 'context' | 'hiddenAs'> & Pick<Call, 'query'>;

function questionOf({ query, ...asked }: PageRequest): PageQuestion {
  return {
    ...asked,
    include: readInclude(query),
    sectionTypes: readSectionTypes(query),
    query: () => visitQuery(query),
  };
}

interface DraftRequest extends PageRequest {
  readonly identity: PreviewIdentity;
  readonly state: 'draft' | undefined;
}

/** The draft where the preview shows it; else, unless the draft is asked for, the publication. */
async function draftPage(delivery: PageSource, { identity, state, ...asked }: DraftRequest): Promise<Reply> {
  const draft = await delivery.draft(questionOf(asked), identity);
  if (draft !== null) return success(draft);
  if (state === 'draft') throw new AppError('not_found', { message: 'The preview has no draft of this page.' });
  return onePage(delivery, asked);
}

export async function onePage(delivery: PageSource, asked: PageRequest): Promise<Reply> {
  return keptSuccess(await delivery.page(questionOf(asked)));
}
