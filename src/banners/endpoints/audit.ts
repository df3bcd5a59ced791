/**
 * GET /audit: what was written to banners, positions, templates and clicks
 * (docs/banners.md#positions-templates-audit-log).
 */
import type { Endpoint, Reply } from '../../http/interface/endpoint.js';
import { auditListSchema, auditMembers } from '../http/banner-schema.js';
import { type ManagementDeps, readScope } from '../http/management-deps.js';
import { defaultLimit, limitParameter, offsetParameters, readLimit, readOffset } from '../http/paging.js';
import { directionDoc, fieldsDoc, project, queryDoc, readChoice, readDescending, readFields } from '../http/query.js';
import { pageReply } from '../http/reply.js';
import { bannerStoreFor } from '../management/banner-store.js';
import { listAudit } from '../management/list-audit.js';
import { auditActions, auditEntities } from '../management/note-write.js';

const sorts = ['id', 'entity', 'action', 'created_at', 'username'] as const;

export function auditEndpoint({ store }: ManagementDeps): Endpoint {
  return {
    name: 'audit.list',
    method: 'GET',
    path: '/audit',
    access: { kind: 'scope', scope: readScope },
    object: null,
    summary: 'Audit log',
    tags: ['Audit'],
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
      limitParameter(defaultLimit),
      ...offsetParameters,
      fieldsDoc(auditMembers),
    ],
    response: { status: 200, description: 'Entries, the newest first.', schema: auditListSchema },
    async handler(call): Promise<Reply> {
      const fields = readFields(call, auditMembers);
      const filter = {
        entity: readChoice(call, 'entity', auditEntities),
        action: readChoice(call, 'action', auditActions),
      };
      const sort = readChoice(call, 'sort', sorts) ?? 'id';
      const page = {
        sort: sort === 'created_at' ? ('created_on' as const) : sort,
        descending: readDescending(call, 'desc'),
        limit: readLimit(call, defaultLimit),
        offset: readOffset(call),
      };
      const { entries, total } = await listAudit(bannerStoreFor(store, call.asker), { filter, page });
      return pageReply(call, { route: '/audit', rows: entries.map((entry) => project(entry, fields)), total, ...page });
    },
  };
}
