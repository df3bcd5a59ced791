/** Old addresses of pages: the list of them, and what a request for one of them gets (docs/gateway.md#moved-pages). */
import { keyTag, uriTag } from '../../content/live/content-tags.js';
import type { RowPlan } from '../../content/query/plan.js';
import { findRedirect, listRedirects } from '../../content/reading/find-redirect.js';
import { readerFor } from '../../content/reading/select-rows.js';
import { AppError, invalidField } from '../../errors/app-error.js';
import { encodePath } from '../../files/media-path.js';
import { type Call, type Endpoint, jsonReply, objectSchema, type Reply, text } from '../../http/interface/endpoint.js';
import { trimStartOf } from '../../values/text.js';
import { callerOf, type GatewayDeps, querySource } from '../http/deps.js';
import { contextParameters, cursorParameter, limitParameter } from '../http/parameter-docs.js';
import { parseList } from '../http/query.js';
import { setTags } from '../http/success.js';
import { planShape } from './record-routes.js';

const count = { type: 'integer', minimum: 0 } as const;

export function redirectEndpoints(deps: GatewayDeps): Endpoint[] {
  return [
    {
      name: 'redirects.list',
      method: 'GET',
      path: '/redirects',
      access: { kind: 'public_read', scope: 'resources.read', showsDrafts: false },
      object: null,
      summary: 'List the old addresses of moved pages',
      tags: ['Pages'],
      parameters: [limitParameter, cursorParameter, ...contextParameters],
      // Entries that operators add are in no change of a record.
      isNeverKept: true,
      response: {
        status: 200,
        description: 'Old addresses of a context that lead to a page which the caller may see, or to a whole address',
        schema: objectSchema<Readonly<Record<string, unknown>>>({
          data: { type: 'array', items: { $ref: '#/components/schemas/Redirect' } },
          meta: objectSchema({ count, limit: count, has_more: { type: 'boolean' } }, { next_cursor: text }),
        }),
      },
      handler: (call) => answerRedirects(deps, call),
    },
  ];
}

async function answerRedirects(deps: GatewayDeps, call: Call): Promise<Reply> {
  const { paging } = parseList(querySource(deps, call));
  const { limit } = paging;
  const after = paging.kind === 'cursor' ? paging.cursor : '0';
  if (!/^\d{1,15}$/.test(after)) throw invalidField('cursor', 'must be meta.next_cursor of an earlier answer');
  const caller = await callerOf(deps, call.identity);
  const plan = planShape(deps, { call, caller, definition: deps.registry.resources });
  const { redirects, next } = await listRedirects(sourcesOf(deps, call, plan), { after: Number(after), limit });
  const meta = {
    ...{ count: redirects.length, limit, has_more: next !== null },
    ...(next === null ? {} : { next_cursor: String(next) }),
  };
  const tags = setTags(deps.registry.resources, plan.context);
  return jsonReply({ data: redirects, meta }, { kind: 'content', tags });
}

function sourcesOf({ reader, writer }: GatewayDeps, call: Call, plan: RowPlan) {
  return { reader: readerFor(reader, call.asker), own: writer.store.own, plan };
}

/** For a path without a page. Throws not_found when it is no old address either, or while redirects are turned off. */
export async function answerMoved(deps: GatewayDeps, call: Call, plan: RowPlan): Promise<Reply> {
  const path = call.params['uri'] ?? '';
  const isOn = deps.live().settings.values.gateway_redirects;
  const redirect = isOn ? await findRedirect(sourcesOf(deps, call, plan), path) : null;
  if (redirect === null) throw new AppError('not_found');
  const { to, status, page } = redirect;
  const query = new URLSearchParams(call.query.map(([name, value]): [string, string] => [name, value])).toString();
  const address = `${call.base}/pages/${encodePath(to)}${query === '' ? '' : `?${query}`}`;
  return {
    status,
    headers: page === null ? { Location: new URL(to).href } : { Location: address, 'X-Resolved-Uri': encodePath(to) },
    body: { kind: 'json', value: { data: { from: redirect.from, to, status }, meta: { uri: trimStartOf(path, '/') } } },
    caching: {
      kind: 'content',
      tags: [uriTag(path), ...(page === null ? [] : [keyTag('resources', page), uriTag(to)])],
    },
  };
}
