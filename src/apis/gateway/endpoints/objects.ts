/** Read routes of all registered objects under `/objects/{name}`: never anonymous (interfaces.md A). */
import { AppError } from '../../../errors/app-error.js';
import type { Call, Endpoint } from '../../../http/endpoint.js';
import type { ObjectDefinition } from '../../../objects/definition.js';
import type { GatewayDeps } from '../deps.js';
import { anyObjectParameters } from '../parameter-docs.js';
import { answerList, answerRecord } from './record-routes.js';

export function objectEndpoints(deps: GatewayDeps): Endpoint[] {
  const definitionOf = (call: Call): ObjectDefinition => {
    const definition = deps.registry.get(call.params['name'] ?? '');
    if (!definition) throw new AppError('not_found');
    if (!definition.readable) throw new AppError('scope_denied', { message: `${definition.name} cannot be read` });
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
  const row = {
    method: 'GET',
    access: { kind: 'object_scope', action: 'read' },
    object: null,
    tags: ['Objects'],
    exists: (params: Readonly<Record<string, string>>) => deps.registry.get(params['name'] ?? '') !== undefined,
  } as const;
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
  ];
}
