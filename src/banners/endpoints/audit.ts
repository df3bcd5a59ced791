/** GET /audit: the writes to banners (docs/banners.md#positions-templates-audit-log). */
import type { Endpoint } from '../../http/interface/endpoint.js';
import { directionDoc, queryDoc, readChoice, readDescending } from '../http/query.js';
import { listRoute, type ManagementDeps } from '../http/routes.js';
import { auditRow } from '../http/schema.js';
import { auditActions, auditEntities, listAudit } from '../management/audit.js';
import { bannerStoreFor } from '../management/banner-store.js';

const sorts = ['id', 'entity', 'action', 'created_at', 'username'] as const;

export function auditEndpoint({ store }: ManagementDeps): Endpoint {
  return listRoute({
    name: 'listAudit',
    path: '/audit',
    summary: 'Audit log',
    tags: ['Audit'],
    description: 'Entries, the newest first.',
    parameters: [
      queryDoc({
        name: 'entity',
        description: 'Only entries about this kind of record.',
        schema: { type: 'string', enum: auditEntities },
      }),
      queryDoc({
        name: 'action',
        description: 'Only entries of this action.',
        schema: { type: 'string', enum: auditActions },
      }),
      queryDoc({ name: 'sort', description: 'Order.', schema: { type: 'string', enum: sorts, default: 'id' } }),
      directionDoc('desc'),
    ],
    row: auditRow,
    async read(call, page) {
      const sort = readChoice(call, 'sort', sorts) ?? 'id';
      return listAudit(bannerStoreFor(store, call.asker), {
        ...page,
        entity: readChoice(call, 'entity', auditEntities),
        action: readChoice(call, 'action', auditActions),
        sort: sort === 'created_at' ? 'createdOn' : sort,
        descending: readDescending(call, 'desc'),
      });
    },
  });
}
