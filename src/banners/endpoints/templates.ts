/** GET /templates: the presets from which banners can be made. */
import type { Endpoint, Reply } from '../../http/interface/endpoint.js';
import { templateListSchema, templateMembers } from '../http/banner-schema.js';
import { type ManagementDeps, readScope } from '../http/management-deps.js';
import { defaultLimit, limitParameter, offsetParameters, readLimit, readOffset } from '../http/paging.js';
import { fieldsDoc, project, readFields } from '../http/query.js';
import { pageReply } from '../http/reply.js';
import { listPresets } from '../management/presets.js';

export function templatesEndpoint({ store }: ManagementDeps): Endpoint {
  return {
    name: 'templates.list',
    method: 'GET',
    path: '/templates',
    access: { kind: 'scope', scope: readScope },
    object: null,
    summary: 'Preset templates',
    tags: ['Templates'],
    parameters: [limitParameter(defaultLimit), ...offsetParameters, fieldsDoc(templateMembers)],
    response: { status: 200, description: 'Templates in the order of their ids.', schema: templateListSchema },
    async handler(call): Promise<Reply> {
      const fields = readFields(call, templateMembers);
      const page = { limit: readLimit(call, defaultLimit), offset: readOffset(call) };
      const { presets, total } = await listPresets(store, page);
      const rows = presets.map((preset) => project(preset, fields));
      return pageReply(call, { route: '/templates', rows, total, ...page });
    },
  };
}
