/** Routes of resources and of pages by URI. Reading them is the public part of the gateway. */
import { findPage } from '../../content/reading/find-page.js';
import { readerFor } from '../../content/reading/select-rows.js';
import { contextRules } from '../../content/resources/resource-write.js';
import { type Call, type Endpoint, objectSchema, type Reply } from '../../http/interface/endpoint.js';
import { callerOf, type GatewayDeps } from '../http/deps.js';
import { pathParameter, shapeParameters } from '../http/parameter-docs.js';
import { cachingOf, presentOne, truncatedMeta } from '../http/success.js';
import { keyParameter, planShape, recordRoutes, writeRoutes } from './record-routes.js';

const publicRead = { kind: 'public_read', scope: 'resources.read' } as const;

/** `/resources`, `/resources/{id}`, `/pages/{uri}`; `/pages` alone is the home page. */
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
        data: { $ref: '#/components/schemas/Resources' },
        meta: { $ref: '#/components/schemas/PageMeta' },
      }),
    },
    handler: (call) => answerPage(deps, call),
  };
  const shape = shapeParameters(resources);
  return [
    ...recordRoutes(deps, resources, { access: publicRead, tag: 'Resources', keyName: 'id' }),
    ...writeRoutes(deps, {
      name: 'resources',
      path: '/resources',
      keyName: 'id',
      access: (action) => ({ kind: 'scope', scope: `resources.${action}` }),
      row: { object: 'resources', tags: ['Resources'] },
      pathParameters: [],
      keyParameter: keyParameter(resources, 'id'),
      definition: resources,
      definitionOf: () => resources,
      noun: 'a resource',
    }),
    { ...page, name: 'pages.home', path: '/pages', summary: 'Read the home page', parameters: shape },
    {
      ...page,
      name: 'pages.get',
      path: '/pages/*uri',
      parameters: [
        pathParameter('uri', 'Path of the page without the leading slash; segments percent-encoded one by one', {
          example: 'index',
        }),
        ...shape,
      ],
    },
  ];
}

async function answerPage(deps: GatewayDeps, call: Call): Promise<Reply> {
  const { resources } = deps.registry;
  const path = call.params['uri'] ?? '';
  const caller = await callerOf(deps, call.identity);
  const plan = planShape(deps, { call, caller, definition: resources });
  const { startPage } = contextRules(deps.live(), plan.context);
  const found = await findPage(readerFor(deps.reader, call.asker), { plan, path, startPage, caller });
  const uri = path.replace(/^\/+|\/+$/g, '');
  const { dependsOn } = found;
  const caching = cachingOf(deps, resources, { context: plan.context, rows: [found], isSet: false, dependsOn });
  return presentOne(found.record, {
    meta: {
      uri: uri === '' ? 'index' : uri,
      resolved_uri: found.resolvedUri,
      context: plan.context,
      ...truncatedMeta(found),
    },
    caching,
  });
}
