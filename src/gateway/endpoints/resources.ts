/** Routes of resources and of pages by URI. Reading them is the public part of the gateway. */

import { planTree } from '../../content/query/plan.js';
import { findPage, findPages } from '../../content/reading/find-page.js';
import { readTree } from '../../content/reading/read-tree.js';
import { readerFor } from '../../content/reading/select-rows.js';
import { rulesOfContext } from '../../content/resources/resource-write.js';
import { redirectStatuses } from '../../content/rules/redirect.js';
import { type Call, type Endpoint, objectSchema, type Reply } from '../../http/interface/endpoint.js';
import { trimOf } from '../../values/text.js';
import { callerOf, type GatewayDeps, querySource } from '../http/deps.js';
import { pathParameter, shapeParameters, treeParameters, urisParameters } from '../http/parameter-docs.js';
import { parseTree, parseUris } from '../http/query.js';
import { cachingOf, presentOne, remarksMeta } from '../http/success.js';
import { familyOf, planShape, recordRoutes, writeRoutes } from './record-routes.js';
import { answerMoved, redirectEndpoints } from './redirects.js';

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
    handler: (call) => answerPage(deps, call),
  };
  const shape = shapeParameters(resources);
  const family = familyOf(resources, {
    access: (action) => (action === 'read' ? publicRead : { kind: 'scope', scope: `resources.${action}` }),
    ...{ tag: 'Resources', keyName: 'id' },
  });
  return [
    treeEndpoint(deps),
    ...redirectEndpoints(deps),
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
      handler(call) {
        const paths = parseUris(call.query);
        return paths === null ? answerPage(deps, call) : answerPages(deps, call, paths);
      },
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
  return presentOne(roots, {
    meta: {
      ...{ count, context, ...(truncated ? { truncated: true } : {}) },
      ...(unresolved.length === 0 ? {} : { unresolved }),
    },
    caching: cachingOf(deps, definition, { context, rows: [], isSet: true, dependsOn }),
  });
}

async function answerPages(deps: GatewayDeps, call: Call, paths: readonly string[]): Promise<Reply> {
  const { resources } = deps.registry;
  const caller = await callerOf(deps, call.identity);
  const plan = planShape(deps, { call, caller, definition: resources });
  const { context } = plan;
  const { startPage } = rulesOfContext(deps.live(), context);
  const found = await findPages(readerFor(deps.reader, call.asker), { plan, paths, startPage, caller });
  const { rows, missing, isCutShort, dependsOn } = found;
  return presentOne(
    rows.map(({ record }) => record),
    {
      meta: { count: rows.length, context, missing, ...(isCutShort ? { has_more: true } : {}), ...remarksMeta(found) },
      caching: cachingOf(deps, resources, { context, rows, isSet: true, dependsOn }),
    },
  );
}

async function answerPage(deps: GatewayDeps, call: Call): Promise<Reply> {
  const { resources } = deps.registry;
  const path = call.params['uri'] ?? '';
  const caller = await callerOf(deps, call.identity);
  const plan = planShape(deps, { call, caller, definition: resources });
  const { startPage } = rulesOfContext(deps.live(), plan.context);
  const asked = { plan, path, startPage, caller };
  const found = await findPage(readerFor(deps.reader, call.asker), asked);
  if (found === null) return answerMoved(deps, call, plan);
  const { page, resolvedUri, rivals } = found;
  const uri = trimOf(path, '/');
  const dependsOn = [...page.dependsOn, ...rivals];
  const caching = cachingOf(deps, resources, { context: plan.context, rows: [page], isSet: false, dependsOn });
  return presentOne(page.record, {
    meta: {
      uri: uri === '' ? 'index' : uri,
      resolved_uri: resolvedUri,
      context: plan.context,
      ...remarksMeta(page),
    },
    caching,
  });
}
