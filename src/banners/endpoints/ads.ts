/** Routes that read and write banners (docs/banners.md#banners, docs/banners.md#write). */
import { badParameter } from '../../errors/app-error.js';
import {
  type Call,
  type Endpoint,
  objectSchema,
  type ParameterDoc,
  type Reply,
} from '../../http/interface/endpoint.js';
import { largestUnsigned } from '../../values/unsigned.js';
import { writeScope } from '../http/checks.js';
import { dataReply } from '../http/envelope.js';
import {
  bodyMembers,
  directionDoc,
  fieldsDoc,
  project,
  queryDoc,
  readChoice,
  readDescending,
  readFields,
  readFlag,
  readId,
  readIds,
  readText,
} from '../http/query.js';
import { hasId, idOf, idParameter, listRoute, type ManagementDeps, readRoute } from '../http/routes.js';
import { bannerRow, bannerWithCounters, clickRow, dataSchema } from '../http/schema.js';
import { bannerStoreFor } from '../management/banner-store.js';
import { createBanner, createFromPreset, type WrittenBanner } from '../management/create-banner.js';
import { type BannerView, listBanners, listClicks, readBanner, viewWritten } from '../management/read-banners.js';
import { updateBanner } from '../management/update-banner.js';
import { bannerTypes } from '../rules/banner.js';
import { bannerSchema as bodySchema } from '../rules/banner-fields.js';
import { isTag } from '../rules/field-types.js';

const sorts = ['id', 'name', 'active', 'start', 'end'] as const;
const modes = ['include', 'exclude'] as const;
const oneSchema = dataSchema(objectSchema(bannerWithCounters));
const tags = ['Banners'];

const idSchema = { type: 'integer', minimum: 0, maximum: largestUnsigned };
const flagSchema = { type: 'integer', enum: [0, 1] };

const listParameters: readonly ParameterDoc[] = [
  queryDoc({
    name: 'query',
    description: 'Part of name or description, in upper or lower case; every character stands for itself.',
    schema: { type: 'string' },
    example: 'summer',
  }),
  queryDoc({ name: 'active', description: 'Only active banners, or only others.', schema: flagSchema }),
  queryDoc({ name: 'type', description: 'Only banners of this type.', schema: { type: 'string', enum: bannerTypes } }),
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
];

export function adsReadEndpoints(deps: ManagementDeps): readonly Endpoint[] {
  const { store, images } = deps;
  const members = Object.keys(bannerWithCounters);
  return [
    listRoute({
      name: 'listAds',
      path: '/ads',
      summary: 'Banners',
      tags,
      description: 'Banners with their counters and positions.',
      parameters: listParameters,
      row: bannerRow,
      read: (call, page) =>
        listBanners(bannerStoreFor(store, call.asker), {
          ...page,
          query: readText(call, 'query') ?? null,
          active: readFlag(call, 'active'),
          type: readChoice(call, 'type', bannerTypes),
          productId: readId(call, 'product_id'),
          categoryId: readId(call, 'category_id'),
          tag: readTag(call),
          positions: readPositions(call),
          onScheduleAt:
            readFlag(call, 'on_schedule') === true ? { ms: deps.now(), zone: deps.settings().banners_timezone } : null,
          sort: readChoice(call, 'sort', sorts) ?? 'id',
          descending: readDescending(call, 'asc'),
          images: images(),
        }),
    }),
    readRoute({
      name: 'getAd',
      path: '/ads/:id',
      summary: 'One banner with its counters',
      tags,
      description: 'The banner.',
      parameters: [fieldsDoc(members)],
      schema: oneSchema,
      async handler(call) {
        const fields = readFields(call, members);
        const banner = await readBanner(bannerStoreFor(store, call.asker), { id: idOf(call), images: images() });
        return dataReply(project(withCounters(banner), fields));
      },
    }),
    listRoute({
      name: 'listAdClicks',
      path: '/ads/:id/clicks',
      summary: 'Clicks on a banner',
      tags,
      description: 'Clicks that are kept, the newest first.',
      parameters: [directionDoc('desc')],
      row: clickRow,
      async read(call, page) {
        const asked = { ad: idOf(call), descending: readDescending(call, 'desc'), ...page };
        return listClicks(bannerStoreFor(store, call.asker), asked);
      },
    }),
  ];
}

const username = 'rest-api';

const fromTemplateSchema = {
  type: 'object',
  required: ['template_id'],
  additionalProperties: false,
  properties: {
    template_id: { type: 'integer', minimum: 1 },
    positions: { type: 'array', items: { type: 'integer', minimum: 1 } },
  },
};

function writing(schema: Readonly<Record<string, unknown>>) {
  return {
    access: { kind: 'scope', scope: writeScope },
    tags,
    request: { types: ['application/json'], required: true, schema },
  } as const;
}

export function adsWriteEndpoints(deps: ManagementDeps): readonly Endpoint[] {
  const { store } = deps;
  const response = { status: 201, description: 'The new banner.', schema: oneSchema };
  return [
    {
      ...writing(bodySchema(['name'])),
      name: 'createAd',
      method: 'POST',
      path: '/ads',
      summary: 'Create a banner',
      parameters: [],
      response,
      handler: async (call) =>
        created(deps, { call, banner: await createBanner(store, { body: bodyMembers(call), username }) }),
    },
    {
      ...writing(fromTemplateSchema),
      name: 'createAdFromTemplate',
      method: 'POST',
      path: '/ads/from-template',
      summary: 'Create a banner with the name and values of a template',
      parameters: [],
      response,
      handler: async (call) =>
        created(deps, { call, banner: await createFromPreset(store, { body: bodyMembers(call), username }) }),
    },
    {
      ...writing(bodySchema([])),
      name: 'updateAd',
      method: 'PATCH',
      path: '/ads/:id',
      exists: hasId,
      summary: 'Change a banner',
      parameters: [idParameter],
      response: { status: 200, description: 'The banner as it is now.', schema: oneSchema },
      handler: async (call) =>
        written(deps, await updateBanner(store, { id: idOf(call), body: bodyMembers(call), username })),
    },
  ];
}

async function written({ store, images }: ManagementDeps, banner: WrittenBanner): Promise<Reply> {
  return dataReply(withCounters(await viewWritten(store, { banner, images: images() })));
}

async function created(
  deps: ManagementDeps,
  { call, banner }: { readonly call: Call; readonly banner: WrittenBanner },
): Promise<Reply> {
  const location = `${deps.settings().banners_public_url}${call.base}?route=/ads/${banner.id}`;
  return { ...(await written(deps, banner)), status: 201, headers: { Location: location } };
}

function withCounters(banner: BannerView): object {
  const { clicks, impressions, conversions } = banner;
  return { ...banner, counters: { clicks, impressions, conversions } };
}

function readTag(call: Call): string | null {
  const text = readText(call, 'tag');
  if (text === undefined || isTag(text)) return text ?? null;
  throw badParameter('tag', 'must be a tag: 1 to 64 characters of a-z, 0-9, _ and -');
}

/** `mode` alone, or an empty `position`, names no position. */
function readPositions(call: Call): { readonly mode: (typeof modes)[number]; readonly ids: readonly number[] } | null {
  const mode = readChoice(call, 'mode', modes);
  const ids = readIds(call, 'position');
  return mode === null && ids === null ? null : { mode: mode ?? 'include', ids: ids ?? [] };
}
