/**
 * What the three interfaces promise, as short texts: operations with parameters, bodies and statuses, and the members
 * of schemas. A change of any of them shows here as a line to review; descriptions and examples may change freely.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import {
  documentMethods,
  type JsonSchema,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type Reference,
  type ResponseObject,
} from '../../../src/http/interface/openapi.js';
import { type CliDatabase, prepareCliDatabase } from '../../support/cli-database.js';
import { freshSqliteUrl } from '../../support/databases.js';
import { expectGolden } from '../../support/golden.js';

describe('the contract', () => {
  let db: CliDatabase;

  beforeAll(async () => {
    db = await prepareCliDatabase(await freshSqliteUrl());
  });

  it.each(['gateway', 'pages', 'banners'])('of %s is the reviewed one', async (name) => {
    const { code, stdout } = await db.run(`openapi ${name}`);
    expect(code).toBe(0);
    expectGolden(`http/contract/${name}.contract.txt`, textOf(JSON.parse(stdout)));
  });
});

function textOf({ paths, components }: OpenApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    documentMethods.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [`${method.toUpperCase()} ${path}`, ...operationLines(operation), ''];
    }),
  );
  const schemas = Object.entries(components.schemas ?? {}).flatMap(([name, schema]) => [
    `schema ${name}: ${typeOf(schema)}`,
    ...memberLines(schema, '  '),
    '',
  ]);
  return [...operations, ...schemas].join('\n');
}

function operationLines({ operationId, parameters, requestBody, responses }: OperationObject): string[] {
  return [
    `  as ${operationId}`,
    ...parameters.map(parameterLine),
    ...Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema }]) => [
      `  takes ${type}${requestBody?.required === true ? '' : '?'}: ${typeOf(schema ?? {})}`,
      ...memberLines(schema ?? {}, '    '),
    ]),
    ...Object.entries(responses).flatMap(([status, response]) => responseLines(status, response)),
  ];
}

function parameterLine({ name, in: place, required, schema }: ParameterObject): string {
  return `  ${place} ${name}${required ? '' : '?'}: ${typeOf(schema)}`;
}

function responseLines(status: string, response: ResponseObject | Reference): string[] {
  if ('$ref' in response) return [`  ${status} ${response.$ref.split('/').at(-1)}`];
  const content = Object.entries(response.content ?? {});
  if (content.length === 0) return [`  ${status}`];
  return content.flatMap(([type, { schema }]) => [
    `  ${status} ${type}: ${typeOf(schema ?? {})}`,
    ...memberLines(schema ?? {}, '    '),
  ]);
}

/** Its members, and theirs, each on a line; `?` behind those that may be absent. */
function memberLines({ properties = {}, required = [], items }: JsonSchema, indent: string): string[] {
  const own = Object.entries(properties).flatMap(([name, member]) => [
    `${indent}${name}${required.includes(name) ? '' : '?'}: ${typeOf(member)}`,
    ...memberLines(member, `${indent}  `),
  ]);
  return [...own, ...(items?.properties === undefined ? [] : memberLines(items, `${indent}  `))];
}

/** The type in the words of TypeScript, with bounds. */
function typeOf(schema: JsonSchema): string {
  const { $ref, type, format, anyOf, items, minimum, maximum, maxLength, pattern } = schema;
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? '';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' | ');
  if (type === 'array') return `(${typeOf(items ?? {})})[]`;
  const names = [type ?? (schema.properties === undefined ? 'any' : 'object')].flat().join(' | ');
  const bounds = [
    ...(format === undefined ? [] : [format]),
    ...(minimum === undefined ? [] : [`>= ${minimum}`]),
    ...(maximum === undefined ? [] : [`<= ${maximum}`]),
    ...(maxLength === undefined ? [] : [`length <= ${maxLength}`]),
    ...(pattern === undefined ? [] : [`/${pattern}/`]),
  ];
  return bounds.length === 0 ? names : `${names} (${bounds.join(', ')})`;
}
