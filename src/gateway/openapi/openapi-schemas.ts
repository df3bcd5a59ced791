/** Component schemas of registered objects when read and when written, under unique names. */
import {
  type FieldDefinition,
  fitsTree,
  isList,
  type ObjectDefinition,
  type Registry,
  type RelationDefinition,
  treeFields,
} from '../../content/objects/definition.js';
import { type JsonSchema, schemaRef } from '../../http/interface/openapi.js';
import { envelope, fixedSchemas, listEnvelope } from './openapi-components.js';
import { exampleOf } from './openapi-examples.js';

/** The default of gateway_max_include_depth. */
export const includeDepth = 2;

/** `written`: a caller who may not read the record gets its key and the written fields. */
const suffixes = {
  record: '',
  one: 'Record',
  list: 'List',
  written: 'Written',
  writtenOne: 'WrittenRecord',
  create: 'Create',
  update: 'Update',
} as const;

export type SchemaNames = (definition: ObjectDefinition, kind: keyof typeof suffixes) => string;

/** PascalCase, with a number if two objects would share a name. */
export function nameSchemas(registry: Registry): SchemaNames {
  const used = new Set([...Object.keys(fixedSchemas), treeName]);
  const stems = new Map<string, string>();
  for (const object of registry.objects.keys()) {
    const words = object.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
    const stem = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('') || 'Object';
    const namesOf = (text: string) => Object.values(suffixes).map((suffix) => `${text}${suffix}`);
    let found = stem;
    for (let number = 2; namesOf(found).some((name) => used.has(name)); number += 1) found = `${stem}${number}`;
    for (const name of namesOf(found)) used.add(name);
    stems.set(object, found);
  }
  return ({ name }, kind) => `${stems.get(name)}${suffixes[kind]}`;
}

interface SchemaSource {
  readonly definition: ObjectDefinition;
  readonly registry: Registry;
  readonly names: SchemaNames;
}

export function objectSchemas({ definition, registry, names }: SchemaSource): Readonly<Record<string, JsonSchema>> {
  const { creatable, updatable } = definition;
  const record = recordSchema(definition, registry);
  const name = (kind: keyof typeof suffixes) => names(definition, kind);
  return {
    [name('record')]: record,
    [name('one')]: envelope(schemaRef(name('record')), schemaRef('RecordMeta')),
    [name('list')]: listEnvelope(schemaRef(name('record'))),
    ...(creatable || updatable
      ? {
          [name('written')]: writtenRecordSchema(definition, record),
          [name('writtenOne')]: envelope(schemaRef(name('written')), schemaRef('RecordMeta')),
          [name('create')]: writeSchema(definition, definition.required),
        }
      : {}),
    ...(updatable ? { [name('update')]: writeSchema(definition, []) } : {}),
    ...(definition === registry.resources ? { [treeName]: treeSchema(definition) } : {}),
  };
}

const treeName = 'TreeNode';

function treeSchema(definition: ObjectDefinition): JsonSchema {
  const fields = shownFields(definition)
    .filter(([, field]) => fitsTree(field))
    .map(([name, field]) => [name, fieldSchema({ definition, name, field })] as const);
  return {
    type: 'object',
    description: 'A resource with the resources below it',
    properties: { ...Object.fromEntries(fields), link, children: { type: 'array', items: schemaRef(treeName) } },
    required: [...treeFields, 'children'],
  };
}

function writtenRecordSchema(definition: ObjectDefinition, { properties, required = [] }: JsonSchema): JsonSchema {
  return {
    type: 'object',
    description: `A record of ${definition.name} after a change: as it is read, or the key and the written fields alone for a caller who may not read it`,
    ...(properties === undefined ? {} : { properties }),
    required: required.filter((name) => name === definition.primaryKey),
  };
}

const excerpt: JsonSchema = {
  type: 'string',
  description: 'With search_excerpt: the text around the words as HTML with <mark>, everything else escaped',
};

const link: JsonSchema = {
  type: ['string', 'null'],
  description:
    'With links=resolve, of weblinks and symlinks: the address of the target; null for none that the caller may see',
};

/** Protected fields need their scope, so they are not required. */
function recordSchema(definition: ObjectDefinition, registry: Registry): JsonSchema {
  const fields = Object.fromEntries(
    shownFields(definition).map(([name, field]) => [name, fieldSchema({ definition, name, field })]),
  );
  const properties = {
    ...fields,
    ...includedSchemas(definition, { registry, depth: includeDepth, fields }),
    ...(definition === registry.resources ? { excerpt, link } : {}),
  };
  return {
    type: 'object',
    description: `A record of ${definition.name}`,
    properties,
    required: shownFields(definition).flatMap(([name]) => (definition.protected.includes(name) ? [] : [name])),
    'x-object': {
      name: definition.name,
      primaryKey: definition.primaryKey,
      filterable: definition.filterable,
      sortable: definition.sortable,
      searchable: definition.searchable,
      protected: definition.protected,
      immutable: definition.immutable,
    },
  };
}

export function shownFields(definition: ObjectDefinition): [string, FieldDefinition][] {
  return Object.entries(definition.fields).filter(([name]) => !definition.hidden.includes(name));
}

type Named = Parameters<typeof exampleOf>[0];

function fieldSchema({ definition, name, field }: Named, schema = valueSchema(field)): JsonSchema {
  const secret = definition.protected.includes(name) ? { description: `Only with the scope fields.${name}` } : {};
  return { ...schema, ...secret, ...exampleOf({ definition, name, field }) };
}

export function valueSchema(field: FieldDefinition): JsonSchema {
  const { nullable, maxLength } = field;
  const typed = (type: string): JsonSchema => ({ type: nullable ? [type, 'null'] : type });
  switch (field.type) {
    case 'integer':
    case 'number':
      return typed(field.type);
    case 'boolean':
      return { type: 'boolean' };
    case 'string':
      return { ...typed('string'), ...(maxLength === undefined ? {} : { maxLength }) };
    case 'datetime':
      // Unset times are null whatever the column allows.
      return { type: ['string', 'null'], format: 'date-time' };
    case 'json':
      return field.isMediaSource ? mediaSource : { description: 'Any JSON value' };
  }
}

const mediaSource: JsonSchema = {
  type: ['object', 'null'],
  description: 'The media source of its values in the context',
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
  required: ['id', 'name'],
};

function includedSchemas(
  { relations, templateVariables }: ObjectDefinition,
  {
    registry,
    depth,
    fields,
  }: { readonly registry: Registry; readonly depth: number; readonly fields: Readonly<Record<string, JsonSchema>> },
): Readonly<Record<string, JsonSchema>> {
  if (depth === 0) return {};
  const included: Record<string, JsonSchema> = {};
  for (const relation of relations) {
    const related = relationSchema(relation, registry, depth - 1);
    const field = fields[relation.name];
    included[relation.name] = field === undefined ? related : { anyOf: [field, related] };
  }
  return templateVariables ? { ...included, tvs: templateValues } : included;
}

const templateValues: JsonSchema = {
  type: 'object',
  description:
    'With include=tvs, tv_fields or include_tv: values of template variables by name, texts unless tv_format=typed',
  additionalProperties: schemaRef('TemplateValue'),
};

function relationSchema(relation: RelationDefinition, registry: Registry, depth: number): JsonSchema {
  const target = registry.objects.get(relation.target);
  const fields: Record<string, JsonSchema> = {};
  for (const name of relation.fields) {
    const field = target?.fields[name];
    if (target && field) fields[name] = fieldSchema({ definition: target, name, field });
    else if (relation.isTranslation) fields[name] = { type: 'string' };
  }
  const record = {
    type: 'object',
    properties: {
      ...fields,
      ...(target && !relation.isTranslation ? includedSchemas(target, { registry, depth, fields }) : {}),
    },
    required: Object.keys(fields).filter((name) => !target?.protected.includes(name)),
  };
  const included = `With include=${relation.name}`;
  return !isList(relation)
    ? { ...record, description: `${included}: a record of ${relation.target}` }
    : { type: 'array', description: `${included}: records of ${relation.target}`, items: record };
}

function writeSchema(definition: ObjectDefinition, required: readonly string[]): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const [name, field] of shownFields(definition)) {
    if (definition.immutable.includes(name)) continue;
    const schema = writtenSchema(field, definition.required.includes(name));
    properties[name] = fieldSchema({ definition, name, field }, schema);
  }
  if (definition.templateVariables) {
    properties['tvs'] = {
      type: 'object',
      description:
        'Values of template variables by name; each must be attached to the template. What tv_format=typed gives is accepted',
      additionalProperties: {
        anyOf: [
          { type: ['string', 'number', 'boolean', 'null'] },
          { type: 'array', items: {} },
          { type: 'object', additionalProperties: true },
        ],
      },
    };
  }
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    // An unknown or immutable field is refused with 422.
    additionalProperties: false,
  };
}

/** What parseWriteValue accepts, as far as JSON Schema can express it. */
function writtenSchema(field: FieldDefinition, isRequired: boolean): JsonSchema {
  const nullable = field.nullable || field.nullIsEmpty === true;
  const typed = (...types: string[]): JsonSchema => ({ type: nullable && !isRequired ? [...types, 'null'] : types });
  switch (field.type) {
    case 'boolean':
      // Texts of these values are accepted too; listed, generated clients would have two names for each.
      return { enum: [true, false, 0, 1] };
    case 'datetime':
      return {
        anyOf: [
          { type: ['string', 'null'], format: 'date-time' },
          { type: 'integer', description: 'Unix seconds' },
        ],
      };
    case 'integer':
      return {
        anyOf: [
          { ...typed('integer'), ...rangeOf(field) },
          { type: 'string', pattern: '^-?[0-9]{1,16}$' },
        ],
      };
    case 'number':
      return { anyOf: [typed('number'), { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]+)?$' }] };
    case 'string':
      return {
        ...typed('string', 'number'),
        ...(field.maxLength === undefined ? {} : { maxLength: field.maxLength }),
        // Blank means no value.
        ...(isRequired ? { pattern: '\\S' } : {}),
      };
    case 'json':
      return valueSchema(field);
  }
}

function rangeOf({ range }: FieldDefinition): JsonSchema {
  return range === undefined ? {} : { minimum: range[0], maximum: range[1] };
}
