/**
 * GET /positions and what is below it: positions, and their banners in order
 * (docs/banners.md#positions-templates-audit-log).
 */
import type { Endpoint, Reply } from '../../http/interface/endpoint.js';
import {
  positionBannerListSchema,
  positionBannerMembers,
  positionListSchema,
  positionMembers,
  positionSchema,
} from '../http/banner-schema.js';
import { hasId, idOf, idParameter, type ManagementDeps, readScope } from '../http/management-deps.js';
import { defaultLimit, limitParameter, offsetParameters, readLimit, readOffset } from '../http/paging.js';
import {
  directionDoc,
  fieldsDoc,
  project,
  queryDoc,
  readChoice,
  readDescending,
  readFields,
  readText,
} from '../http/query.js';
import { dataReply, pageReply } from '../http/reply.js';
import { bannerStoreFor } from '../management/banner-store.js';
import { listPositions, readPosition } from '../management/positions.js';
import { listBannersOfPosition } from '../management/read-banners.js';

const sorts = ['id', 'name'] as const;
const reading = { access: { kind: 'scope', scope: readScope }, object: null, tags: ['Positions'] } as const;

export function positionEndpoints({ store, images }: ManagementDeps): readonly Endpoint[] {
  return [
    {
      ...reading,
      name: 'positions.list',
      method: 'GET',
      path: '/positions',
      summary: 'Positions',
      parameters: [
        queryDoc({
          name: 'query',
          description: 'Part of the name, in upper or lower case; every character stands for itself.',
          schema: { type: 'string' },
        }),
        queryDoc({ name: 'sort', description: 'Order.', schema: { type: 'string', enum: sorts, default: 'id' } }),
        directionDoc('asc'),
        limitParameter(defaultLimit),
        ...offsetParameters,
        fieldsDoc(positionMembers),
      ],
      response: { status: 200, description: 'Positions with their figures.', schema: positionListSchema },
      async handler(call): Promise<Reply> {
        const fields = readFields(call, positionMembers);
        const page = {
          query: readText(call, 'query') ?? null,
          sort: readChoice(call, 'sort', sorts) ?? 'id',
          descending: readDescending(call, 'asc'),
          limit: readLimit(call, defaultLimit),
          offset: readOffset(call),
        };
        const { positions, total } = await listPositions(bannerStoreFor(store, call.asker), page);
        const rows = positions.map((position) => project(position, fields));
        return pageReply(call, { route: '/positions', rows, total, ...page });
      },
    },
    {
      ...reading,
      name: 'positions.read',
      method: 'GET',
      path: '/positions/:id',
      exists: hasId,
      summary: 'One position',
      parameters: [idParameter, fieldsDoc(positionMembers)],
      response: { status: 200, description: 'The position.', schema: positionSchema },
      async handler(call): Promise<Reply> {
        const fields = readFields(call, positionMembers);
        return dataReply(project(await readPosition(bannerStoreFor(store, call.asker), idOf(call)), fields));
      },
    },
    {
      ...reading,
      name: 'positions.ads',
      method: 'GET',
      path: '/positions/:id/ads',
      exists: hasId,
      summary: 'Banners of a position in their order',
      parameters: [idParameter, limitParameter(defaultLimit), ...offsetParameters, fieldsDoc(positionBannerMembers)],
      response: {
        status: 200,
        description: 'Banners with the id of their link, its place and its weight.',
        schema: positionBannerListSchema,
      },
      async handler(call): Promise<Reply> {
        const fields = readFields(call, positionBannerMembers);
        const page = { limit: readLimit(call, defaultLimit), offset: readOffset(call) };
        const position = idOf(call);
        const { banners, total } = await listBannersOfPosition(bannerStoreFor(store, call.asker), {
          position,
          ...page,
          images: images(),
        });
        const rows = banners.map((banner) => project(banner, fields));
        return pageReply(call, { route: `/positions/${position}/ads`, rows, total, ...page });
      },
    },
  ];
}
