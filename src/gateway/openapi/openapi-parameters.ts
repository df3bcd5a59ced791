/** Parameters of one operation, made exact with the definition of its object. */
import type { FieldDefinition, ObjectDefinition, Registry } from '../../content/objects/definition.js';
import { operatorsOn } from '../../content/query/plan-filter.js';
import type { ParameterDoc } from '../../http/interface/endpoint.js';
import { exampleOf, type JsonSchema, type ParameterObject, readSchema } from '../../http/interface/openapi.js';
import { formParameters } from '../http/filters.js';
import { listParameters } from '../http/parameter-docs.js';
import { includeDepth, shownFields, valueSchema } from './openapi-schemas.js';

/** Second spellings (docs/reference/gateway.md#parameters); new clients should use the first. */
const aliases = new Set(['filters', 'includeDeleted']);
/** Their descriptions name fields, which a setting decides. */
const ofDefinition = new Set(['filter', 'filters', 'sort']);
/** OpenAPI has its own places for these headers. */
const reservedHeaders = new Set(['accept', 'content-type', 'authorization']);

export interface ParameterQuestion {
  readonly parameters: readonly ParameterDoc[];
  readonly definition: ObjectDefinition | undefined;
  readonly registry: Registry;
  readonly maxLimit: number;
  readonly filters: 'each' | 'together';
}

export function describeParameters({ parameters, ...about }: ParameterQuestion): ParameterObject[] {
  const order = ['path', 'query', 'header'];
  const { definition, filters } = about;
  const own = definition === undefined ? [] : listParameters(definition).filter(({ name }) => ofDefinition.has(name));
  // Routes of objects without relations declare the parameter only to refuse it.
  const isIncluding = definition === undefined || definition.templateVariables || definition.relations.length > 0;
  return parameters
    .filter((row) => row.in !== 'header' || !reservedHeaders.has(row.name.toLowerCase()))
    .filter((row) => row.name !== 'include' || isIncluding)
    .map((row) => own.find(({ name }) => name === row.name && row.in === 'query') ?? row)
    .toSorted((a, b) => order.indexOf(a.in) - order.indexOf(b.in))
    .flatMap((row): ParameterObject[] => {
      const isEach = filters === 'each' && row.in === 'query' && row.name === 'filter';
      if (isEach && definition !== undefined) return eachFilter(definition);
      // The other spelling of a name would become the same name in a client.
      if (filters === 'each' && aliases.has(row.name)) return [];
      return [{ ...plainParameter(row), ...(row.in === 'query' ? exactForm(row, about) : {}) }];
    });
}

function plainParameter(row: ParameterDoc): ParameterObject {
  return {
    name: row.name,
    in: row.in,
    // OpenAPI demands it of every path parameter.
    required: row.in === 'path' || row.required === true,
    description: row.description,
    schema: readSchema(row.schema),
    ...(aliases.has(row.name) ? { deprecated: true } : {}),
    ...exampleOf(row),
  };
}

type Form = Partial<Pick<ParameterObject, 'schema' | 'style' | 'explode' | 'example'>>;

function exactForm(row: ParameterDoc, { definition, registry, maxLimit }: Omit<ParameterQuestion, 'parameters'>): Form {
  switch (row.name) {
    case 'filter':
    case 'filters':
      return { style: 'deepObject', explode: true, ...(definition ? filterForm(definition) : {}) };
    case 'fields':
      return commaList(row, definition && shownFields(definition).map(([name]) => name));
    case 'include':
      return commaList(row, definition && includePaths(definition, registry, includeDepth));
    case 'sort':
      return commaList(
        row,
        definition?.sortable.flatMap((name) => [name, `-${name}`]),
      );
    case 'tags':
      return commaList(row, formParameters.tags.accepted);
    case 'limit':
      return { schema: { ...readSchema(row.schema), maximum: maxLimit } };
    case 'uris':
      return { ...commaList(row, undefined), explode: true };
    default:
      return row.list === true ? commaList(row, undefined) : {};
  }
}

/** `a,b,c` is an array in the style form without explode. */
function commaList(row: ParameterDoc, allowed: readonly string[] | undefined): Form {
  const items: JsonSchema = allowed && allowed.length > 0 ? { type: 'string', enum: allowed } : { type: 'string' };
  return { schema: { type: 'array', items }, style: 'form', explode: false, ...exampleOf({ ...row, list: true }) };
}

/** Generators cannot write objects in objects. */
function eachFilter({ filterable, fields }: ObjectDefinition): ParameterObject[] {
  return filterable.flatMap((name) => {
    const field = fields[name];
    if (field === undefined) return [];
    const value = filterValue(field);
    const described = operatorsOn(field.type).map(({ operator, takes, description }): ParameterObject => {
      const about = { name: `filter[${name}][${operator}]`, in: 'query', required: false, description } as const;
      if (takes === 'list') return { ...about, schema: { type: 'array', items: value }, style: 'form', explode: false };
      return { ...about, schema: takes === 'one' ? value : { type: 'string', enum: ['1'] } };
    });
    const plain = {
      name: `filter[${name}]`,
      in: 'query',
      required: false,
      description: `${name} is this value`,
    } as const;
    return [{ ...plain, schema: value }, ...described];
  });
}

/** Null is a matter of the operators null and not_null, never a value. */
function filterValue(field: FieldDefinition): JsonSchema {
  const read = valueSchema({ ...field, nullable: false });
  return field.type === 'datetime' ? { ...read, type: 'string' } : read;
}

function filterForm(definition: ObjectDefinition): Form {
  const properties: Record<string, JsonSchema> = {};
  for (const name of definition.filterable) {
    const field = definition.fields[name];
    if (!field) continue;
    const value = filterValue(field);
    properties[name] = { anyOf: [value, operatorSchema(value, field.type)] };
  }
  const [first] = definition.filterable;
  const field = first === undefined ? undefined : definition.fields[first];
  return {
    // Template variables are named by the site.
    schema: { type: 'object', properties, additionalProperties: definition.templateVariables },
    ...(first === undefined || !field ? {} : { example: { [first]: exampleValue(valueSchema(field)) } }),
  };
}

function operatorSchema(value: JsonSchema, fieldType: FieldDefinition['type']): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const { operator, aliases, takes, description } of operatorsOn(fieldType)) {
    const schema = takes === 'one' ? value : { type: 'string' };
    for (const name of [operator, ...aliases]) properties[name] = { ...schema, description };
  }
  return { type: 'object', properties, additionalProperties: false };
}

function exampleValue({ type }: JsonSchema): string | number | boolean {
  if (type === 'integer' || type === 'number') return 1;
  return type === 'boolean' ? true : 'text';
}

function includePaths(definition: ObjectDefinition, registry: Registry, depth: number): string[] {
  const tvs = definition.templateVariables ? ['tvs'] : [];
  const direct = definition.relations.map((relation) => relation.name);
  if (depth === 1) return [...direct, ...tvs];
  const nested = definition.relations.flatMap((relation) => {
    const target = registry.objects.get(relation.target);
    return target && !relation.isTranslation
      ? includePaths(target, registry, depth - 1).map((path) => `${relation.name}.${path}`)
      : [];
  });
  return [...direct, ...tvs, ...nested];
}
