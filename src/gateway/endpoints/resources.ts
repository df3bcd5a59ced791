/** Routes of resources and of pages by URI. Reading them is the public part of the gateway. */

import { keyTag, uriTag } from '../../content/live/mutation.js';
import { planTree, type RowPlan } from '../../content/query/plan.js';
import { findPages, findRedirect, listRedirects } from '../../content/reading/find-page.js';
import { readTree } from '../../content/reading/read-tree.js';
import { readerFor } from '../../content/reading/select-rows.js';
import { rulesOfContext } from '../../content/resources/resource-write.js';
import { redirectStatuses } from '../../content/rules/redirect.js';
import { AppError, invalidField } from '../../errors/app-error.js';
import { encodePath } from '../../files/media-path.js';
import { jsonReply } from '../../http/answers/representation.js';
import { type Call, type Endpoint, objectSchema, type Reply } from '../../http/interface/endpoint.js';
import { trimOf, trimStartOf } from '../../values/text.js';
import { callerOf, type GatewayDeps, querySource } from '../http/deps.js';
import {
  contextParameters,
  cursorParameter,
  limitParameter,
  pathParameter,
  shapeParameters,
  treeParameters,
  urisParameters,
} from '../http/parameter-docs.js';
import { parseList, parseTree, parseUris } from '../http/query.js';
import { cachingOf, cursorMeta, cursorMetaSchema, remarksMeta, setTags } from '../http/success.js';
import { familyOf, planShape, recordRoutes, writeRoutes } from './record-routes.js';

const publicRead = { kind: 'public_read', scope: 'resources.read' } as const;

const record = { $ref: '#/components/schemas/Resources' };

export function resourceEndpoints(deps: GatewayDeps): Endpoint[] {
  const { resources } = deps.registry;
  const page: Omit<Endpoint, 'name' | 'path' | 'parameters'> = {
    method: 'GET',
    access: publicRead,
    object: 'resources',
    summary: 'Read the resource at a URI',
    tags: ['Pages'],
    response: {
      status: 200,
      description: 'The resource; meta names the requested and the matched URI',
      schema: objectSchema({
        data: record,
        meta: { $ref: '#/components/schemas/PageMeta' },
      }),
    },
    handler: (call) => answerPages(deps, call, null),
  };
  const shape = shapeParameters(resources);
  const family = familyOf(resources, {
    access: (action) => (action === 'read' ? publicRead : { kind: 'scope', scope: `resources.${action}` }),
    ...{ tag: 'Resources', keyName: 'id' },
  });
  return [
    treeEndpoint(deps),
    redirectEndpoint(deps),
    ...recordRoutes(deps, family),
    ...writeRoutes(deps, family),
    {
      ...page,
      name: 'pages.home',
      path: '/pages',
      summary: 'Read the home page, or the resources at several URIs',
      response: {
        status: 200,
        description: 'The home page; with uris a list',
        schema: objectSchema<Readonly<Record<string, unknown>>>({
          data: { anyOf: [record, { type: 'array', items: record }] },
          meta: { anyOf: [{ $ref: '#/components/schemas/PageMeta' }, { $ref: '#/components/schemas/PagesMeta' }] },
        }),
      },
      parameters: [...urisParameters, ...shape],
      handler: (call) => answerPages(deps, call, parseUris(call.query)),
    },
    {
      ...page,
      name: 'pages.get',
      path: '/pages/*uri',
      redirects: redirectStatuses,
      parameters: [
        pathParameter(
          'uri',
          'Path of the page without the leading slash, at most 2,048 bytes; segments percent-encoded one by one',
          { example: 'index' },
        ),
        ...shape,
      ],
    },
  ];
}

function treeEndpoint(deps: GatewayDeps): Endpoint {
  return {
    name: 'resources.tree',
    method: 'GET',
    path: '/tree',
    access: publicRead,
    object: 'resources',
    summary: 'Read the tree of resources, for menus',
    tags: ['Resources'],
    parameters: treeParameters(deps.registry.resources),
    response: {
      status: 200,
      description: 'The first level; each record has its children',
      schema: objectSchema<Readonly<Record<string, unknown>>>({
        data: { type: 'array', items: { $ref: '#/components/schemas/TreeNode' } },
        meta: { $ref: '#/components/schemas/TreeMeta' },
      }),
    },
    handler: (call) => answerTree(deps, call),
  };
}

/** Old addresses of pages (docs/gateway.md#moved-pages). */
function redirectEndpoint(deps: GatewayDeps): Endpoint {
  return {
    name: 'redirects.list',
    method: 'GET',
    path: '/redirects',
    access: { kind: 'public_read', scope: 'resources.read', showsDrafts: false },
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
        meta: cursorMetaSchema,
      }),
    },
    handler: (call) => answerRedirects(deps, call),
  };
}

async function answerTree(deps: GatewayDeps, call: Call): Promise<Reply> {
  const { resources: definition } = deps.registry;
  const caller = await callerOf(deps, call.identity);
  const { plan, intent } = deps.memos.trees.get({ call, caller, definition }, () => {
    const asked = parseTree(querySource(deps, call));
    return { plan: planTree(asked, { definition, registry: deps.registry, caller }), intent: asked };
  });
  const { root, depth, withHidden } = intent;
  const tree = await readTree(readerFor(deps.reader, call.asker), { plan, root, depth, withHidden });
  const { roots, count, truncated, unresolved, dependsOn } = tree;
  const { context } = plan;
  const meta = {
    ...{ count, context, ...(truncated ? { truncated: true } : {}) },
    ...(unresolved.length === 0 ? {} : { unresolved }),
  };
  return jsonReply({ data: roots, meta }, cachingOf(deps, definition, { context, rows: [], isSet: true, dependsOn }));
}

async function answerPages(deps: GatewayDeps, call: Call, paths: readonly string[] | null): Promise<Reply> {
  const { resources } = deps.registry;
  const path = call.params['uri'] ?? '';
  const caller = await callerOf(deps, call.identity);
  const plan = planShape(deps, { call, caller, definition: resources });
  const { context } = plan;
  const { startPage } = rulesOfContext(deps.live(), context);
  const asked = { plan, paths: paths ?? [path], startPage, caller };
  const found = await findPages(readerFor(deps.reader, call.asker), paths === null ? 'uri' : 'uris', asked);
  const { rows, missing, isCutShort, dependsOn } = found;
  const caching = cachingOf(deps, resources, { context, rows, isSet: paths !== null, dependsOn });
  if (paths !== null) {
    const cut = isCutShort ? { has_more: true } : {};
    const meta = { count: rows.length, context, missing, ...cut, ...remarksMeta(found) };
    return jsonReply({ data: rows.map(({ record }) => record), meta }, caching);
  }
  const [page] = rows;
  if (page === undefined) return answerMoved(deps, call, plan);
  const uri = trimOf(path, '/') || 'index';
  const meta = { uri, resolved_uri: page.uri, context, ...remarksMeta(found) };
  return jsonReply({ data: page.record, meta }, caching);
}

async function answerRedirects(deps: GatewayDeps, call: Call): Promise<Reply> {
  const { paging } = parseList(querySource(deps, call));
  const { limit } = paging;
  const after = paging.kind === 'cursor' ? paging.cursor : '0';
  if (!/^\d{1,15}$/.test(after)) throw invalidField('cursor', 'must be meta.next_cursor of an earlier answer');
  const caller = await callerOf(deps, call.identity);
  const plan = planShape(deps, { call, caller, definition: deps.registry.resources });
  const { redirects, next } = await listRedirects(sourcesOf(deps, call, plan), { after: Number(after), limit });
  const meta = cursorMeta({ count: redirects.length, limit, next: next === null ? null : String(next) });
  const tags = setTags(deps.registry.resources, plan.context);
  return jsonReply({ data: redirects, meta }, { kind: 'content', tags });
}

function sourcesOf({ reader, writer }: GatewayDeps, call: Call, plan: RowPlan) {
  return { reader: readerFor(reader, call.asker), own: writer.store.own, plan };
}

/** For a path without a page. Throws not_found when it is no old address either, or while redirects are turned off. */
async function answerMoved(deps: GatewayDeps, call: Call, plan: RowPlan): Promise<Reply> {
  const path = call.params['uri'] ?? '';
  const isOn = deps.settings().gateway_redirects;
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
