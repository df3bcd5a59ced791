/** Checks a definition against its table, and reads nullability, length and form of times from the columns. */

import type { Column, ColumnType, Table, Tables } from '../../store/base/columns.js';
import type { PlacedProblem } from '../../values/json-tree.js';
import { coreObjects } from './core-objects.js';
import {
  defineObject,
  type FieldDraft,
  type FieldType,
  fieldLists,
  flags,
  type ObjectDefinition,
} from './definition.js';
import { type FieldSpec, fieldTypes, type ObjectSpec, type WithProblems } from './object-spec.js';

export interface RealTables {
  readonly tables: Tables;
  readonly prefix: string;
}

export interface FittedObject {
  readonly definition: ObjectDefinition;
  readonly unique: ReadonlySet<string>;
}

const fitting: Readonly<Record<FieldType, readonly ColumnType[]>> = {
  string: ['text'],
  integer: ['integer'],
  number: ['number', 'integer'],
  // Both databases store booleans as 0 and 1.
  boolean: ['integer'],
  // Integer: Unix seconds; text: 'YYYY-MM-DD HH:MM:SS' in UTC.
  datetime: ['datetime', 'integer', 'text'],
  json: ['text', 'json'],
};

const timeLength = 19;

/** docs/reference/gateway.md#media-paths */
const mediaFields: ReadonlySet<string> = new Set(['image', 'thumbnail', 'photo', 'avatar', 'file', 'media']);

export function fitObject(spec: ObjectSpec, database: RealTables): WithProblems<FittedObject> {
  const found = findTable(spec, database);
  if (!('table' in found)) return { value: null, problems: [found] };
  const { table, prefixed } = found;
  const fields = Object.entries(spec.fields);
  const problems = [
    ...fields.flatMap(([name, field]) => [...checkColumn(name, field, { spec, table })]),
    ...checkKey(spec, table),
    ...checkInsert(spec, table),
  ];
  if (problems.length > 0) return { value: null, problems };
  const definition = defineObject({
    name: spec.name,
    table: spec.table,
    prefixed,
    primaryKey: spec.primaryKey,
    fields: Object.fromEntries(fields.map(([name, field]) => [name, fitField(name, field, { spec, table })])),
    ...Object.fromEntries([...fieldLists, ...flags].map((word) => [word, spec[word]])),
    contexts: spec.contexts ?? null,
  });
  const unique = fields.filter(([name, { column = name }]) => isUnique(column, table)).map(([name]) => name);
  return { value: { definition, unique: new Set(unique) }, problems };
}

/** With the content prefix, else as given; a problem if both exist. */
function findTable(
  spec: ObjectSpec,
  { tables, prefix }: RealTables,
): { readonly table: Table; readonly prefixed: boolean } | PlacedProblem {
  const name = spec.table;
  const problem = (message: string) => ({ ...spec.placeOf('table'), message });
  const withPrefix = tables.get(`${prefix}${name}`);
  const asGiven = prefix === '' ? undefined : tables.get(name);
  if (withPrefix && asGiven) {
    return problem(`both ${prefix}${name} and ${name} exist; write ${prefix}${name} to mean the first`);
  }
  const table = withPrefix ?? asGiven;
  if (!table) {
    const tried = prefix === '' ? `table ${name} does not exist` : `neither ${prefix}${name} nor ${name} exists`;
    return problem(`${tried} in the content database`);
  }
  const refusal = refuseTable(table.name, { prefix, spec });
  return refusal === undefined ? { table, prefixed: table === withPrefix } : problem(refusal);
}

interface Fitting {
  readonly spec: ObjectSpec;
  readonly table: Table;
}

function* checkColumn(
  name: string,
  { type, column: given = name }: FieldSpec,
  { spec: { placeOf }, table }: Fitting,
): Iterable<PlacedProblem> {
  const column = table.columns.get(given);
  const place = placeOf(`fields.${name}.type`);
  if (!column) {
    const names = [...table.columns.keys()];
    const spelled = names.find((one) => one.toLowerCase() === given.toLowerCase());
    const hint = spelled === undefined ? `it has ${names.join(', ')}` : `did you mean ${spelled}?`;
    const message = `table ${table.name} has no column ${given}; ${hint}`;
    yield { ...placeOf(`fields.${name}.column`), message };
  } else if (!fitting[type].includes(column.type)) {
    const usable = fieldTypes.filter((candidate) => fitting[candidate].includes(column.type));
    const instead = usable.length === 0 ? 'no field type fits it' : `fitting: ${usable.join(', ')}`;
    yield { ...place, message: `${type} does not fit column ${given} (${column.type}); ${instead}` };
  } else if (type === 'datetime' && column.type === 'text' && (column.maxLength ?? timeLength) < timeLength) {
    yield { ...place, message: `column ${given} holds ${column.maxLength} characters and a time needs ${timeLength}` };
  }
}

/** Without a unique key two records would share one address, and paging could skip rows. */
function* checkKey({ fields, primaryKey, placeOf }: ObjectSpec, table: Table): Iterable<PlacedProblem> {
  const { column = primaryKey } = fields[primaryKey] ?? {};
  if (!table.columns.has(column) || isUnique(column, table)) return;
  const message = `column ${column} of ${table.name} must be its whole primary key or have a unique index of its own`;
  yield { ...placeOf('primaryKey'), message };
}

/** With such a column every create would fail. */
function* checkInsert(spec: ObjectSpec, table: Table): Iterable<PlacedProblem> {
  if (!spec.creatable) return;
  const unwritable = [...spec.immutable, ...spec.hidden];
  const written = Object.entries(spec.fields).filter(([name]) => !unwritable.includes(name));
  const given = new Set(written.map(([name, { column = name }]) => column.toLowerCase()));
  for (const [name, column] of table.columns) {
    if (column.isOptional || given.has(name.toLowerCase())) continue;
    const needs = `column ${name} of ${table.name} needs a value and no field that can be written has it`;
    yield { ...spec.placeOf('creatable'), message: `no record could be created: ${needs}` };
  }
}

export function uniqueKeys({ columns, indexes }: Table): readonly (readonly string[])[] {
  const primary = [...columns].filter(([, { isPrimary }]) => isPrimary).map(([name]) => name);
  const unique = indexes.filter((index) => index.unique).map((index) => index.columns);
  return [...(primary.length > 0 ? [primary] : []), ...unique];
}

function isUnique(name: string, table: Table): boolean {
  const columns = [...table.columns.values()];
  const isKey = uniqueKeys(table).some((key) => key.length === 1 && key[0] === name);
  const isWholePrimary =
    table.columns.get(name)?.isPrimary === true && columns.filter((one) => one.isPrimary).length === 1;
  // A unique index lets any number of rows be NULL.
  return isWholePrimary || (isKey && table.columns.get(name)?.nullable === false);
}

function fitField(name: string, { type, column: given = name }: FieldSpec, { spec, table }: Fitting): FieldDraft {
  const column = table.columns.get(given);
  const nullable = column?.nullable === true && name !== spec.primaryKey;
  const base = { type, column: given, nullable };
  switch (type) {
    case 'datetime':
      // 0 is unset in a column of Unix seconds, so the field has null whether the column has or not.
      return column?.type === 'integer'
        ? { ...base, storage: 'unix', nullable: true }
        : { ...base, storage: 'datetime' };
    case 'string': {
      const limit = column?.maxLength ?? null;
      return {
        ...base,
        ...(limit === null ? {} : { maxLength: limit }),
        ...bytesOf(column),
        ...(mediaFields.has(name) ? { media: true } : {}),
      };
    }
    case 'json':
      return { ...base, ...bytesOf(column) };
    case 'integer':
      return column?.range ? { ...base, range: column.range } : base;
    default:
      return base;
  }
}

function bytesOf(column: Column | undefined): { readonly maxBytes?: number } {
  return typeof column?.maxBytes === 'number' ? { maxBytes: column.maxBytes } : {};
}

const secretTables =
  /^(hcd_.*|access_.*|session|users|membergroup_names|member_groups|user_group_roles|documentgroup_names|document_groups|.*_group_settings|system_settings|context_setting|user_settings|media_sources|transport_providers)$/;

function refuseTable(
  table: string,
  { prefix, spec }: { readonly prefix: string; readonly spec: ObjectSpec },
): string | undefined {
  const name = table.toLowerCase();
  const bare = name.startsWith(prefix.toLowerCase()) ? name.slice(prefix.length) : name;
  const core = coreObjects.find((object) => object.table === bare);
  if (core) return `table ${table} is served as the core object ${core.name}, with its own rules of access`;
  if (bare === 'site_tmplvar_contentvalues' && (spec.creatable || spec.updatable)) {
    return `table ${table} holds values that the CMS evaluates: creatable and updatable must be false`;
  }
  // The program's own tables have no content prefix.
  return secretTables.test(bare) || name.startsWith('hcd_')
    ? `table ${table} holds credentials, settings or rules of access and cannot be exposed`
    : undefined;
}
