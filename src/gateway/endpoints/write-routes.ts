/** The rows of the routes that change records: create, change (PUT and PATCH), remove. */

import type { ObjectDefinition } from '../../content/objects/definition.js';
import type { Access, Call, Endpoint, ParameterDoc } from '../../http/interface/endpoint.js';
import { recordBody } from '../http/body.js';
import type { GatewayDeps } from '../http/deps.js';
import {
  conditionalParameter,
  contextParameters,
  forceParameter,
  idempotencyParameter,
  writeParameters,
} from '../http/parameter-docs.js';
import { type AskedRecord, answerCreate, answerRemove, answerUpdate } from './write-answers.js';

/** What the rows of one family share: where they stand and who may call them. */
export interface WriteFamily {
  /** First part of the names of the rows. */
  readonly name: string;
  /** Path of the collection. */
  readonly path: string;
  readonly keyName: string;
  readonly access: (action: 'create' | 'update' | 'delete') => Access;
  readonly row: Pick<Endpoint, 'object' | 'tags' | 'exists'>;
  /** Parameters of the path of the collection. */
  readonly pathParameters: readonly ParameterDoc[];
  readonly keyParameter: ParameterDoc;
  /** Undefined where the path decides. */
  readonly definition: ObjectDefinition | undefined;
  readonly definitionOf: (call: Call) => ObjectDefinition;
  /** What is written, in summaries: `a resource`. */
  readonly noun: string;
}

/** The four rows of a family: POST, PUT, PATCH, DELETE. */
export function writeRoutes(deps: GatewayDeps, family: WriteFamily): Endpoint[] {
  const { row, noun, definitionOf } = family;
  const answer = writeParameters(family.definition);
  const one = {
    ...row,
    path: `${family.path}/:${family.keyName}`,
    parameters: [...family.pathParameters, family.keyParameter],
  };
  const asked = (call: Call): AskedRecord => ({
    definition: definitionOf(call),
    key: call.params[family.keyName] ?? '',
  });
  const change = {
    ...one,
    name: `${family.name}.mutate`,
    access: family.access('update'),
    parameters: [...one.parameters, ...answer, conditionalParameter],
    request: recordBody,
    response: {
      status: 200,
      description:
        'The record as it is afterwards, with all readable fields; without the right to read it the key and the written fields',
    },
    handler: (call: Call) => answerUpdate(deps, call, asked(call)),
  };
  return [
    {
      ...row,
      name: `${family.name}.create`,
      method: 'POST',
      path: family.path,
      access: family.access('create'),
      summary: `Create ${noun}`,
      parameters: [...family.pathParameters, ...answer, idempotencyParameter],
      request: recordBody,
      response: {
        status: 201,
        description:
          'The new record, with all readable fields; without the right to read it the key and the written fields',
      },
      handler: (call) => answerCreate(deps, call, definitionOf(call)),
    },
    { ...change, method: 'PUT', summary: `Change ${noun}; the required fields must be given` },
    { ...change, method: 'PATCH', summary: `Change some fields of ${noun}` },
    {
      ...one,
      name: `${family.name}.delete`,
      method: 'DELETE',
      access: family.access('delete'),
      summary: `Remove ${noun}`,
      parameters: [...one.parameters, forceParameter(family.definition), ...contextParameters, conditionalParameter],
      response: { status: 200, description: 'The key of the removed record' },
      handler: (call) => answerRemove(deps, call, asked(call)),
    },
  ];
}
