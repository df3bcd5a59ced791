/** GET /positions and the routes below it, and GET /templates (docs/banners.md#positions-templates-audit-log). */
import { type Endpoint, objectSchema } from '../../http/interface/endpoint.js';
import { dataReply } from '../http/envelope.js';
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
import { idOf, listRoute, type ManagementDeps, readRoute } from '../http/routes.js';
import { dataSchema, positionBannerRow, positionRow, templateRow } from '../http/schema.js';
import { bannerStoreFor } from '../management/banner-store.js';
import { listPositions, readPosition } from '../management/positions.js';
import { listPresets } from '../management/presets.js';
import { listBannersOfPosition } from '../management/read-banners.js';

const sorts = ['id', 'name'] as const;
const members = Object.keys(positionRow);
const tags = ['Positions'];

export function positionEndpoints({ store, images }: ManagementDeps): readonly Endpoint[] {
  return [
    listRoute({
      name: 'listPositions',
      path: '/positions',
      summary: 'Positions',
      tags,
      description: 'Positions with their figures.',
      parameters: [
        queryDoc({
          name: 'query',
          description: 'Part of the name, in upper or lower case; no character is a wildcard.',
          schema: { type: 'string' },
        }),
        queryDoc({ name: 'sort', description: 'Order.', schema: { type: 'string', enum: sorts, default: 'id' } }),
        directionDoc('asc'),
      ],
      row: positionRow,
      read: (call, page) =>
        listPositions(bannerStoreFor(store, call.asker), {
          ...page,
          query: readText(call, 'query') ?? null,
          sort: readChoice(call, 'sort', sorts) ?? 'id',
          descending: readDescending(call, 'asc'),
        }),
    }),
    readRoute({
      name: 'getPosition',
      path: '/positions/:id',
      summary: 'One position',
      tags,
      description: 'The position.',
      parameters: [fieldsDoc(members)],
      schema: dataSchema(objectSchema(positionRow)),
      async handler(call) {
        const fields = readFields(call, members);
        return dataReply(project(await readPosition(bannerStoreFor(store, call.asker), idOf(call)), fields));
      },
    }),
    listRoute({
      name: 'listPositionAds',
      path: '/positions/:id/ads',
      summary: 'Banners of a position in their order',
      tags,
      description: 'Banners with the id of their link, its place and its weight.',
      row: positionBannerRow,
      read: (call, page) =>
        listBannersOfPosition(bannerStoreFor(store, call.asker), { position: idOf(call), ...page, images: images() }),
    }),
  ];
}

export function templatesEndpoint({ store }: ManagementDeps): Endpoint {
  return listRoute({
    name: 'listTemplates',
    path: '/templates',
    summary: 'Preset templates',
    tags: ['Templates'],
    description: 'Templates in the order of their ids.',
    row: templateRow,
    read: (_call, page) => listPresets(store, page),
  });
}
