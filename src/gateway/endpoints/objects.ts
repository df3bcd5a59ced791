/**
 * Routes of all registered objects under `/objects/{name}`: never anonymous
 * (docs/reference/gateway.md#the-four-checks).
 */

import type { ObjectDefinition } from '../../content/objects/definition.js';
import { AppError } from '../../errors/app-error.js';
import type { Call, Endpoint } from '../../http/interface/endpoint.js';
import type { GatewayDeps } from '../http/deps.js';
import { anyObjectParameters } from '../http/parameter-docs.js';
import { answerList, answerRecord } from './record-routes.js';
import { writeRoutes } from './write-routes.js';

export function objectEndpoints(deps: GatewayDeps): Endpoint[] {
  const definitionOf = (call: Call): ObjectDefinition => {
    const definition = deps.registry.get(call.params['name'] ?? '');
    if (!definition) throw new AppError('not_found');
    return definition;
  };
  const name = {
    name: 'name',
    in: 'path',
    description: 'Name of the registered object',
    required: true,
    schema: { type: 'string', enum: [...deps.registry.objects.keys()] },
  } as const;
  const id = {
    name: 'id',
    in: 'path',
    description: 'Primary key of the record',
    required: true,
    schema: { type: 'string' },
  } as const;
  const family = {
    object: null,
    tags: ['Objects'],
    exists: (params: Readonly<Record<string, string>>) => deps.registry.get(params['name'] ?? '') !== undefined,
  } as const;
  const row = { ...family, method: 'GET', access: { kind: 'object_scope', action: 'read' } } as const;
  return [
    {
      ...row,
      name: 'objects.list',
      path: '/objects/:name',
      summary: 'List records of a registered object',
      parameters: [name, ...anyObjectParameters('list')],
      response: { status: 200, description: 'A page of records' },
      handler: (call) => answerList(deps, call, definitionOf(call)),
    },
    {
      ...row,
      name: 'objects.get',
      path: '/objects/:name/:id',
      summary: 'Read one record of a registered object',
      parameters: [name, id, ...anyObjectParameters('read')],
      response: { status: 200, description: 'One record' },
      handler: (call) => answerRecord(deps, call, { definition: definitionOf(call), key: call.params['id'] ?? '' }),
    },
    ...writeRoutes(deps, {
      name: 'objects',
      path: '/objects/:name',
      keyName: 'id',
      access: (action) => ({ kind: 'object_scope', action }),
      row: family,
      pathParameters: [name],
      keyParameter: id,
      definition: undefined,
      definitionOf,
      noun: 'a record of a registered object',
    }),
  ];
}
