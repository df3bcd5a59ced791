/** Checks a definition against its table, and reads nullability, length and form of times from the columns. */

import type { Column, ColumnType, Table, Tables } from '../../store/base/columns.js';
import type { PlacedProblem } from '../../values/json-tree.js';
import { coreObjects } from './core-objects.js';
import { defineObject, type FieldDraft, type FieldType, fieldLists, type ObjectDefinition } from './definition.js';
import { type Checked, type FieldWords, fieldTypes, flags, type ObjectWords, problemAt } from './object-words.js';

export interface RealTables {
  readonly tables: Tables;
  readonly prefix: string;
}

interface FittedObject {
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

export function fitObject(words: ObjectWords, database: RealTables): Checked<FittedObject> {
  const found = findTable(words, database);
  if (!('table' in found)) return { value: null, problems: [found] };
  const { table, prefixed } = found;
  const problems = [
    ...words.fields.flatMap((field) => [...checkColumn(field, table)]),
    ...checkKey(words, table),
    ...checkInsert(words, table),
  ];
  if (problems.length > 0) return { value: null, problems };
  const definition = defineObject({
    name: words.name.value,
    table: words.table.value,
    prefixed,
    primaryKey: words.primaryKey.value,
    fields: Object.fromEntries(words.fields.map((field) => [field.name.value, fitField(field, { words, table })])),
    ...Object.fromEntries(fieldLists.map((list) => [list, words.lists[list].map(({ value }) => value)])),
    ...Object.fromEntries(flags.map((flag) => [flag, words.flags[flag].value])),
    contexts: words.contexts?.map(({ value }) => value) ?? null,
  });
  const unique = words.fields.filter(({ column }) => isUnique(column.value, table)).map(({ name }) => name.value);
  return { value: { definition, unique: new Set(unique) }, problems };
}

/** With the content prefix, else as given; a problem if both exist. */
function findTable(
  words: ObjectWords,
  { tables, prefix }: RealTables,
): { readonly table: Table; readonly prefixed: boolean } | PlacedProblem {
  const { value: name, place } = words.table;
  const withPrefix = tables.get(`${prefix}${name}`);
  const asGiven = prefix === '' ? undefined : tables.get(name);
  if (withPrefix && asGiven) {
    return problemAt(place, `both ${prefix}${name} and ${name} exist; write ${prefix}${name} to mean the first`);
  }
  const table = withPrefix ?? asGiven;
  if (!table) {
    const tried = prefix === '' ? `table ${name} does not exist` : `neither ${prefix}${name} nor ${name} exists`;
    return problemAt(place, `${tried} in the content database`);
  }
  const refusal = refuseTable(table.name, { prefix, words });
  return refusal === undefined ? { table, prefixed: table === withPrefix } : problemAt(place, refusal);
}

function* checkColumn({ column: { value: name, place }, type }: FieldWords, table: Table): Iterable<PlacedProblem> {
  const column = table.columns.get(name);
  if (!column) {
    const names = [...table.columns.keys()];
    const spelled = names.find((one) => one.toLowerCase() === name.toLowerCase());
    const hint = spelled === undefined ? `it has ${names.join(', ')}` : `did you mean ${spelled}?`;
    yield problemAt(place, `table ${table.name} has no column ${name}; ${hint}`);
  } else if (!fitting[type.value].includes(column.type)) {
    const usable = fieldTypes.filter((candidate) => fitting[candidate].includes(column.type));
    const instead = usable.length === 0 ? 'no field type fits it' : `fitting: ${usable.join(', ')}`;
    yield problemAt(type.place, `${type.value} does not fit column ${name} (${column.type}); ${instead}`);
  } else if (type.value === 'datetime' && column.type === 'text' && (column.maxLength ?? timeLength) < timeLength) {
    const short = `column ${name} holds ${column.maxLength} characters and a time needs ${timeLength}`;
    yield problemAt(type.place, short);
  }
}

/** Without a unique key two records would share one address, and paging could skip rows. */
function* checkKey({ fields, primaryKey }: ObjectWords, table: Table): Iterable<PlacedProblem> {
  const column = fields.find(({ name }) => name.value === primaryKey.value)?.column.value;
  if (column === undefined || !table.columns.has(column) || isUnique(column, table)) return;
  const message = `column ${column} of ${table.name} must be its whole primary key or have a unique index of its own`;
  yield problemAt(primaryKey.place, message);
}

/** With such a column every create would fail. */
function* checkInsert(words: ObjectWords, table: Table): Iterable<PlacedProblem> {
  const { creatable } = words.flags;
  if (!creatable.value) return;
  const unwritable = new Set([...words.lists.immutable, ...words.lists.hidden].map(({ value }) => value));
  const written = words.fields.filter(({ name }) => !unwritable.has(name.value));
  const given = new Set(written.map(({ column }) => column.value.toLowerCase()));
  for (const [name, column] of table.columns) {
    if (column.isOptional || given.has(name.toLowerCase())) continue;
    const needs = `column ${name} of ${table.name} needs a value and no field that can be written has it`;
    yield problemAt(creatable.place, `no record could be created: ${needs}`);
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

function fitField(
  { name, type, column: { value } }: FieldWords,
  { words, table }: { readonly words: ObjectWords; readonly table: Table },
): FieldDraft {
  const column = table.columns.get(value);
  const nullable = column?.nullable === true && name.value !== words.primaryKey.value;
  const base = { type: type.value, column: value, nullable };
  switch (type.value) {
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
        ...(mediaFields.has(name.value) ? { media: true } : {}),
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
  { prefix, words }: { readonly prefix: string; readonly words: ObjectWords },
): string | undefined {
  const name = table.toLowerCase();
  const bare = name.startsWith(prefix.toLowerCase()) ? name.slice(prefix.length) : name;
  const core = coreObjects.find((object) => object.table === bare);
  if (core) return `table ${table} is served as the core object ${core.name}, with its own rules of access`;
  const { creatable, updatable } = words.flags;
  if (bare === 'site_tmplvar_contentvalues' && (creatable.value || updatable.value)) {
    return `table ${table} holds values that the content system evaluates: creatable and updatable must be false`;
  }
  // The program's own tables have no content prefix.
  return secretTables.test(bare) || name.startsWith('hcd_')
    ? `table ${table} holds credentials, settings or rules of access and cannot be exposed`
    : undefined;
}
