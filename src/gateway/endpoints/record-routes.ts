/** The routes of records: list and read, which every object has, and create, change and remove. */
import type { ObjectDefinition, rightOf } from '../../content/objects/definition.js';
import { checkContextAccess } from '../../content/query/authorize.js';
import { planList, planRead, type RowPlan } from '../../content/query/plan.js';
import { listRecords } from '../../content/reading/list-records.js';
import { parseKey, readRecord } from '../../content/reading/read-record.js';
import { readerFor } from '../../content/reading/select-rows.js';
import { jsonReply } from '../../http/answers/representation.js';
import type { Access, Call, Endpoint, ParameterDoc, Reply } from '../../http/interface/endpoint.js';
import { callerOf, type GatewayDeps, type Question, querySource } from '../http/deps.js';
import {
  anyObjectParameters,
  conditionalParameter,
  contextParameters,
  forceParameter,
  idempotencyParameter,
  idsParameter,
  listParameters,
  pathParameter,
  shapeParameters,
  writeParameters,
} from '../http/parameter-docs.js';
import { parseList, parseShape } from '../http/query.js';
import { cachingOf, presentList, remarksMeta } from '../http/success.js';
import { type AskedRecord, answerCreate, answerRemove, answerUpdate, recordBody } from './write-answers.js';

export function planShape(deps: GatewayDeps, question: Question): RowPlan {
  const { call, caller, definition } = question;
  return deps.memos.shapes.get(question, () =>
    planRead(parseShape(querySource(deps, call)), { definition, registry: deps.registry, caller }),
  );
}

async function answerList(deps: GatewayDeps, call: Call, definition: ObjectDefinition): Promise<Reply> {
  const caller = await callerOf(deps, call.identity);
  const { plan, paging } = deps.memos.lists.get({ call, caller, definition }, () => {
    const intent = parseList(querySource(deps, call));
    return { plan: planList(intent, { definition, registry: deps.registry, caller }), paging: intent.paging };
  });
  const { gateway_max_offset, gateway_max_total } = deps.settings();
  const list = await listRecords(readerFor(deps.reader, call.asker), {
    plan,
    paging,
    caller,
    mostTotal: gateway_max_total,
  });
  const { rows, dependsOn } = list;
  const caching = cachingOf(deps, definition, { context: plan.context, rows, isSet: true, dependsOn });
  return presentList(call, list, { paging, caching, maxOffset: gateway_max_offset });
}

async function answerRecord(
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
  return jsonReply({ data: record, meta: remarksMeta(found) }, caching);
}

interface Family {
  readonly name: string;
  readonly path: string;
  readonly keyName: string;
  readonly access: (action: keyof typeof rightOf) => Access;
  readonly row: Pick<Endpoint, 'object' | 'tags' | 'exists'>;
  readonly pathParameters: readonly ParameterDoc[];
  readonly keyParameter: ParameterDoc;
  /** Undefined: the path names the object. */
  readonly definition: ObjectDefinition | undefined;
  readonly definitionOf: (call: Call) => ObjectDefinition;
  readonly noun: string;
}

export function familyOf(
  definition: ObjectDefinition,
  { access, tag, keyName }: Pick<Family, 'access' | 'keyName'> & { readonly tag: string },
): Family {
  const { name } = definition;
  const isInteger = definition.fields[definition.primaryKey]?.type === 'integer';
  const schema = isInteger ? { schema: { type: 'integer', minimum: 1 } } : {};
  return {
    ...{ name, path: `/${name}`, keyName, access, row: { object: name, tags: [tag] }, pathParameters: [] },
    keyParameter: pathParameter(keyName, `Primary key of the ${name} record`, schema),
    ...{ definition, definitionOf: () => definition, noun: 'a resource' },
  };
}

export function recordRoutes(deps: GatewayDeps, family: Family): Endpoint[] {
  const { name, path, keyName, definition, definitionOf, pathParameters, keyParameter } = family;
  const row = { ...family.row, method: 'GET', access: family.access('read') } as const;
  const [records, object] = definition === undefined ? ['records', 'a registered object'] : [name, name];
  return [
    {
      ...row,
      name: `${name}.list`,
      path,
      summary: definition === undefined ? `List records of ${object}` : `List ${name}`,
      parameters: [
        ...pathParameters,
        ...(definition === deps.registry.resources ? [idsParameter] : []),
        ...(definition === undefined ? anyObjectParameters('list') : listParameters(definition)),
      ],
      response: { status: 200, description: `A page of ${records}` },
      handler: (call) => answerList(deps, call, definitionOf(call)),
    },
    {
      ...row,
      name: `${name}.get`,
      path: `${path}/:${keyName}`,
      summary: `Read one record of ${object}`,
      parameters: [
        ...pathParameters,
        keyParameter,
        ...(definition === undefined ? anyObjectParameters('read') : shapeParameters(definition)),
      ],
      response: { status: 200, description: definition === undefined ? 'One record' : `One record of ${name}` },
      handler: (call) => answerRecord(deps, call, { definition: definitionOf(call), key: call.params[keyName] ?? '' }),
    },
  ];
}

export function writeRoutes(deps: GatewayDeps, family: Family): Endpoint[] {
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
