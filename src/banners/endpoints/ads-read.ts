/**
 * GET /ads/{id} and GET /ads/{id}/clicks: one banner with its counters, and the clicks on it (docs/banners.md#banners).
 */
import type { Endpoint, Reply } from '../../http/interface/endpoint.js';
import { bannerMembers, bannerSchema, clickListSchema, clickMembers } from '../http/banner-schema.js';
import { bannerWithCounters } from '../http/banner-with-counters.js';
import { hasId, idOf, idParameter, type ManagementDeps, readScope } from '../http/management-deps.js';
import { defaultLimit, limitParameter, offsetParameters, readLimit, readOffset } from '../http/paging.js';
import { directionDoc, fieldsDoc, project, readDescending, readFields } from '../http/query.js';
import { dataReply, pageReply } from '../http/reply.js';
import { bannerStoreFor } from '../management/banner-store.js';
import { listClicks } from '../management/click-log.js';
import { readBanner } from '../management/read-banners.js';

export function adsReadEndpoints({ store, images }: ManagementDeps): readonly Endpoint[] {
  return [
    {
      name: 'ads.read',
      method: 'GET',
      path: '/ads/:id',
      exists: hasId,
      access: { kind: 'scope', scope: readScope },
      object: null,
      summary: 'One banner with its counters',
      tags: ['Banners'],
      parameters: [idParameter, fieldsDoc([...bannerMembers, 'counters'])],
      response: { status: 200, description: 'The banner.', schema: bannerSchema },
      async handler(call): Promise<Reply> {
        const fields = readFields(call, [...bannerMembers, 'counters']);
        const banner = await readBanner(bannerStoreFor(store, call.asker), { id: idOf(call), images: images() });
        return dataReply(project(bannerWithCounters(banner), fields));
      },
    },
    {
      name: 'ads.clicks',
      method: 'GET',
      path: '/ads/:id/clicks',
      exists: hasId,
      access: { kind: 'scope', scope: readScope },
      object: null,
      summary: 'Clicks on a banner',
      tags: ['Banners'],
      parameters: [
        idParameter,
        directionDoc('desc'),
        limitParameter(defaultLimit),
        ...offsetParameters,
        fieldsDoc(clickMembers),
      ],
      response: { status: 200, description: 'Clicks that are kept, the newest first.', schema: clickListSchema },
      async handler(call): Promise<Reply> {
        const fields = readFields(call, clickMembers);
        const page = { limit: readLimit(call, defaultLimit), offset: readOffset(call) };
        const ad = idOf(call);
        const { clicks, total } = await listClicks(bannerStoreFor(store, call.asker), {
          ad,
          descending: readDescending(call, 'desc'),
          ...page,
        });
        const rows = clicks.map((click) => project(click, fields));
        return pageReply(call, { route: `/ads/${ad}/clicks`, rows, total, ...page });
      },
    },
  ];
}
