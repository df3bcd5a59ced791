/** GET /ads: banners with their filters, orders and pages (docs/banners.md#banners). */

import type { Call, Endpoint, ParameterDoc, Reply } from '../../http/interface/endpoint.js';
import { bannerListSchema, bannerMembers } from '../http/banner-schema.js';
import { type ManagementDeps, readScope } from '../http/management-deps.js';
import { defaultLimit, limitParameter, offsetParameters, readLimit, readOffset } from '../http/paging.js';
import {
  directionDoc,
  fieldsDoc,
  largestId,
  project,
  queryDoc,
  readChoice,
  readDescending,
  readFields,
  readFlag,
  readId,
  readIds,
  readText,
  refused,
} from '../http/query.js';
import { pageReply } from '../http/reply.js';
import { bannerStoreFor } from '../management/banner-store.js';
import { listBanners } from '../management/read-banners.js';
import { isTag } from '../rules/field-types.js';

const route = '/ads';
const sorts = ['id', 'name', 'active', 'start', 'end'] as const;
const modes = ['include', 'exclude'] as const;
const types = ['image', 'html'] as const;

const idSchema = { type: 'integer', minimum: 0, maximum: largestId };
const flagSchema = { type: 'integer', enum: [0, 1] };

const parameters: readonly ParameterDoc[] = [
  queryDoc({
    name: 'query',
    description: 'Part of name or description, in upper or lower case; every character stands for itself.',
    schema: { type: 'string' },
    example: 'summer',
  }),
  queryDoc({ name: 'active', description: 'Only active banners, or only others.', schema: flagSchema }),
  queryDoc({ name: 'type', description: 'Only banners of this type.', schema: { type: 'string', enum: types } }),
  queryDoc({ name: 'product_id', description: 'Only banners of this product; 0 = of none.', schema: idSchema }),
  queryDoc({ name: 'category_id', description: 'Only banners of this category; 0 = of none.', schema: idSchema }),
  queryDoc({ name: 'tag', description: 'Only banners with this tag.', schema: { type: 'string' }, example: 'sale' }),
  queryDoc({
    name: 'position',
    list: true,
    description: 'Comma list of ids of positions: only banners at one of them, or at none of them with mode=exclude.',
    schema: { type: 'string' },
    example: '3',
  }),
  queryDoc({
    name: 'mode',
    description: 'What position does. To include the banners of no position at all gives none.',
    schema: { type: 'string', enum: modes, default: 'include' },
  }),
  queryDoc({
    name: 'on_schedule',
    description: '1 = only banners whose dates and hours let them be shown now; 0 = all.',
    schema: flagSchema,
  }),
  queryDoc({
    name: 'sort',
    description: 'Order; rows with the same value are in the order of their ids, and unset times come first.',
    schema: { type: 'string', enum: sorts, default: 'id' },
  }),
  directionDoc('asc'),
  limitParameter(defaultLimit),
  ...offsetParameters,
  fieldsDoc(bannerMembers),
];

export function adsListEndpoint(deps: ManagementDeps): Endpoint {
  return {
    name: 'ads.list',
    method: 'GET',
    path: route,
    access: { kind: 'scope', scope: readScope },
    object: null,
    summary: 'Banners',
    tags: ['Banners'],
    parameters,
    response: { status: 200, description: 'Banners with their counters and positions.', schema: bannerListSchema },
    async handler(call): Promise<Reply> {
      const fields = readFields(call, bannerMembers);
      const page = {
        sort: readChoice(call, 'sort', sorts) ?? 'id',
        descending: readDescending(call, 'asc'),
        limit: readLimit(call, defaultLimit),
        offset: readOffset(call),
      };
      const { banners, total } = await listBanners(bannerStoreFor(deps.store, call.asker), {
        query: readText(call, 'query') ?? null,
        active: readFlag(call, 'active'),
        type: readChoice(call, 'type', types),
        productId: readId(call, 'product_id'),
        categoryId: readId(call, 'category_id'),
        tag: readTag(call),
        positions: readPositions(call),
        onScheduleAt:
          readFlag(call, 'on_schedule') === true ? { ms: deps.now(), zone: deps.settings().banners_timezone } : null,
        page,
        images: deps.images(),
      });
      return pageReply(call, { route, rows: banners.map((banner) => project(banner, fields)), total, ...page });
    },
  };
}

function readTag(call: Call): string | null {
  const text = readText(call, 'tag');
  if (text === undefined || isTag(text)) return text ?? null;
  throw refused('tag', 'must be a tag: 1 to 64 characters of a-z, 0-9, _ and -');
}

/** Whoever says what to include and names nothing gets nothing. */
function readPositions(call: Call): { readonly mode: (typeof modes)[number]; readonly ids: readonly number[] } | null {
  const mode = readChoice(call, 'mode', modes);
  const ids = readIds(call, 'position');
  return mode === null && ids === null ? null : { mode: mode ?? 'include', ids: ids ?? [] };
}
