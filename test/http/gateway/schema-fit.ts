/**
 * Holds a JSON value to a schema of the document, written apart from the program: types, enums, required and unknown
 * members. Unknown members of described objects count as misfits, so that an undocumented field is noticed.
 */
import type { JsonSchema } from '../../../src/http/interface/openapi.js';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Each place where the value does not fit, as `path: what is wrong`; empty when it does. */
export function findMisfits(value: unknown, schema: JsonSchema, schemas: Schemas, path = '$'): string[] {
  if (schema.$ref !== undefined) {
    const target = schemas[schema.$ref.replace('#/components/schemas/', '')];
    return target ? findMisfits(value, target, schemas, path) : [`${path}: ${schema.$ref} is unknown`];
  }
  if (schema.anyOf !== undefined) {
    const tries = schema.anyOf.map((one) => findMisfits(value, one, schemas, path));
    return tries.some((found) => found.length === 0) ? [] : (tries[0] ?? []);
  }
  if (schema.enum !== undefined && !schema.enum.includes(value))
    return [`${path}: ${String(value)} is not in the enum`];
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    return [`${path}: ${JSON.stringify(value)} is no ${types.join(' or ')}`];
  }
  if (schema.format === 'date-time' && typeof value === 'string' && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value)) {
    return [`${path}: ${value} is no date-time`];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => findMisfits(item, schema.items ?? {}, schemas, `${path}[${index}]`));
  }
  return typeof value === 'object' && value !== null ? memberMisfits(value, schema, schemas, path) : [];
}

function memberMisfits(value: object, schema: JsonSchema, schemas: Schemas, path: string): string[] {
  const { properties, required = [], additionalProperties } = schema;
  const missing = required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${path}.${name} is missing`);
  const wrong = Object.entries(value).flatMap(([name, member]) => {
    const known = properties?.[name];
    if (known !== undefined) return findMisfits(member, known, schemas, `${path}.${name}`);
    if (typeof additionalProperties === 'object')
      return findMisfits(member, additionalProperties, schemas, `${path}.${name}`);
    return properties === undefined ? [] : [`${path}.${name} is not documented`];
  });
  return [...missing, ...wrong];
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'null':
      return value === null;
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}
