/** The two read routes that every object has: a list and a single record. */

import type { ObjectDefinition } from '../../content/objects/definition.js';
import { checkContextAccess } from '../../content/query/authorize.js';
import { planList, planRead, type RowPlan } from '../../content/query/plan.js';
import { readerFor } from '../../content/reading/content-reader.js';
import { listRecords } from '../../content/reading/list-records.js';
import { parseKey, readRecord } from '../../content/reading/read-record.js';
import type { Access, Call, Endpoint, ParameterDoc, Reply } from '../../http/interface/endpoint.js';
import { cachingOf } from '../http/cache-tags.js';
import { callerOf, type GatewayDeps, querySource } from '../http/deps.js';
import { listParameters, shapeParameters } from '../http/parameter-docs.js';
import type { Question } from '../http/plan-memo.js';
import { parseList, parseShape } from '../http/query.js';
import { presentList, presentOne, truncatedMeta } from '../http/success.js';

/** The plan of a single read: fields, relations, visibility. */
export function planShape(deps: GatewayDeps, question: Question): RowPlan {
  const { call, caller, definition } = question;
  return deps.memos.shapes.get(question, () =>
    planRead(parseShape(querySource(deps, call)), { definition, registry: deps.registry, caller }),
  );
}

/** Answers a list of the object. */
export async function answerList(deps: GatewayDeps, call: Call, definition: ObjectDefinition): Promise<Reply> {
  const caller = await callerOf(deps, call.identity);
  const { plan, paging } = deps.memos.lists.get({ call, caller, definition }, () => {
    const intent = parseList(querySource(deps, call));
    return { plan: planList(intent, { definition, registry: deps.registry, caller }), paging: intent.paging };
  });
  const list = await listRecords(readerFor(deps.reader, call.asker), { plan, paging, caller });
  const { rows, dependsOn } = list;
  const caching = cachingOf(deps, definition, { context: plan.context, rows, isSet: true, dependsOn });
  const { gateway_max_offset } = deps.live().settings.values;
  return presentList(call, list, { paging, caching, maxOffset: gateway_max_offset });
}

/** Answers the record whose key stands in the path. */
export async function answerRecord(
  deps: GatewayDeps,
  call: Call,
  asked: { readonly definition: ObjectDefinition; readonly key: string },
): Promise<Reply> {
  const { definition } = asked;
  const caller = await callerOf(deps, call.identity);
  // Access before existence, as for the settings of a context.
  if (definition.visibility.contextGated) checkContextAccess(caller, asked.key);
  const plan = planShape(deps, { call, caller, definition });
  const found = await readRecord(readerFor(deps.reader, call.asker), {
    plan,
    key: parseKey(definition, asked.key),
    caller,
  });
  const { record, dependsOn } = found;
  const caching = cachingOf(deps, definition, { context: plan.context, rows: [found], isSet: false, dependsOn });
  return presentOne(record, { meta: truncatedMeta(found), caching });
}

/** The key of a record in the path. */
export function keyParameter(definition: ObjectDefinition, keyName: string): ParameterDoc {
  return {
    name: keyName,
    in: 'path',
    description: `Primary key of the ${definition.name} record`,
    required: true,
    schema:
      definition.fields[definition.primaryKey]?.type === 'integer'
        ? { type: 'integer', minimum: 1 }
        : { type: 'string' },
  };
}

/** The list and read rows of one object's own route. */
export function recordRoutes(
  deps: GatewayDeps,
  definition: ObjectDefinition,
  route: { readonly access: Access; readonly tag: string; readonly keyName: string },
): Endpoint[] {
  const { name } = definition;
  return [
    {
      name: `${name}.list`,
      method: 'GET',
      path: `/${name}`,
      access: route.access,
      object: name,
      summary: `List ${name}`,
      tags: [route.tag],
      parameters: listParameters(definition),
      response: { status: 200, description: `A page of ${name}` },
      handler: (call) => answerList(deps, call, definition),
    },
    {
      name: `${name}.get`,
      method: 'GET',
      path: `/${name}/:${route.keyName}`,
      access: route.access,
      object: name,
      summary: `Read one record of ${name}`,
      tags: [route.tag],
      parameters: [keyParameter(definition, route.keyName), ...shapeParameters(definition)],
      response: { status: 200, description: `One record of ${name}` },
      handler: (call) => answerRecord(deps, call, { definition, key: call.params[route.keyName] ?? '' }),
    },
  ];
}
