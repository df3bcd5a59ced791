/** Elements, extra objects, settings of contexts (docs/reference/gateway.md#routes-about-the-gateway). */
import { contextSetting } from '../../content/live/live-state.js';
import { contexts } from '../../content/objects/core-objects.js';
import type { ObjectDefinition, rightOf } from '../../content/objects/definition.js';
import { checkContextAccess } from '../../content/query/authorize.js';
import { AppError } from '../../errors/app-error.js';
import { jsonReply } from '../../http/answers/representation.js';
import { type Call, type Endpoint, objectSchema, type Reply } from '../../http/interface/endpoint.js';
import { callerOf, type GatewayDeps } from '../http/deps.js';
import { pathParameter } from '../http/parameter-docs.js';
import { setTags } from '../http/success.js';
import { familyOf, recordRoutes, writeRoutes } from './record-routes.js';

/** No other setting of a context may leave the server. */
const shownSettings = [
  'site_url',
  'base_url',
  'http_host',
  'site_start',
  'error_page',
  'unauthorized_page',
  'cultureKey',
  'locale',
];

export function elementEndpoints(deps: GatewayDeps): Endpoint[] {
  return [
    ...deps.registry.elements.flatMap((definition) =>
      recordRoutes(
        deps,
        familyOf(definition, {
          access: () => ({ kind: 'scope', scope: `${definition.name}.read` }),
          tag: tagOf(definition),
          keyName: definition.primaryKey,
        }),
      ),
    ),
    {
      name: 'contexts.settings',
      method: 'GET',
      path: '/contexts/:key/settings',
      access: { kind: 'scope', scope: 'contexts.read' },
      object: 'contexts',
      summary: 'Read the public settings of a context',
      tags: ['Contexts'],
      parameters: [pathParameter('key', 'Key of the context')],
      response: {
        status: 200,
        description: `Exactly these settings, as text: ${shownSettings.join(', ')}`,
        schema: objectSchema({
          key: { type: 'string' },
          settings: objectSchema(Object.fromEntries(shownSettings.map((name) => [name, { type: 'string' }]))),
        }),
      },
      handler: (call) => answerSettings(deps, call),
    },
  ];
}

/** `ContentTypes` of content_types. */
function tagOf({ name }: ObjectDefinition): string {
  return name === 'tvs' ? 'TVs' : name.replace(/(?:^|_)[a-z]/g, (start) => start.slice(-1).toUpperCase());
}

async function answerSettings(deps: GatewayDeps, call: Call): Promise<Reply> {
  const key = call.params['key'] ?? '';
  const live = deps.live();
  const caller = await callerOf(deps, call.identity);
  // Access before existence: a caller without access must not learn whether the context exists.
  checkContextAccess(caller, key);
  if (!live.contexts.has(key) || !caller.allowedContexts.includes(key)) throw new AppError('not_found');
  const settings = Object.fromEntries(shownSettings.map((name) => [name, contextSetting(live, key, name) ?? '']));
  const tags = setTags(contexts, key);
  // Changed settings make every answer stale.
  return jsonReply({ data: { key, settings }, meta: {} }, { kind: 'content', tags, dependsOn: () => [] });
}

export function objectEndpoints(deps: GatewayDeps): Endpoint[] {
  const definitionOf = (call: Call): ObjectDefinition => {
    const definition = deps.registry.objects.get(call.params['name'] ?? '');
    if (!definition) throw new AppError('not_found');
    return definition;
  };
  const name = pathParameter('name', 'Name of the registered object', {
    schema: { type: 'string', enum: [...deps.registry.objects.keys()] },
  });
  const family = {
    name: 'objects',
    path: '/objects/:name',
    keyName: 'id',
    access: (action: keyof typeof rightOf) => ({ kind: 'object_scope', action }) as const,
    row: {
      tags: ['Objects'],
      exists: (params: Readonly<Record<string, string>>) =>
        deps.registry.objects.get(params['name'] ?? '') !== undefined,
    },
    pathParameters: [name],
    keyParameter: pathParameter('id', 'Primary key of the record'),
    definition: undefined,
    definitionOf,
    noun: 'a record of a registered object',
  };
  return [...recordRoutes(deps, family), ...writeRoutes(deps, family)];
}
