/**
 * Fits the words of a definition to the real table: finds the table, checks each field against its column and takes
 * from the column what a definition does not say (nullable, length, form of times).
 */

import type { PlacedProblem } from '../../values/json-tree.js';
import { coreObjects } from './core-objects.js';
import { defineObject, type FieldDraft, type FieldType, type ObjectDefinition } from './definition.js';
import {
  type Checked,
  type FieldWords,
  fieldLists,
  fieldTypes,
  flags,
  type ObjectWords,
  problemAt,
} from './object-words.js';

/** What must be known of a column; the store's columns have this shape. */
interface RealColumn {
  readonly type: 'integer' | 'number' | 'text' | 'datetime' | 'binary' | 'json' | 'other';
  readonly nullable: boolean;
  /** Characters; null without a limit. */
  readonly maxLength: number | null;
  /** Bytes of UTF-8; null without a limit. */
  readonly maxBytes?: number | null;
  /** Of an integer; null where the column holds all that JSON carries. */
  readonly range?: readonly [number, number] | null;
  readonly isPrimary: boolean;
  /** An insert may leave the column out. */
  readonly isOptional: boolean;
}

interface RealTable {
  readonly name: string;
  readonly columns: ReadonlyMap<string, RealColumn>;
  readonly indexes: readonly { readonly unique: boolean; readonly columns: readonly string[] }[];
}

/** Tables by real name. */
export interface RealTables {
  readonly tables: ReadonlyMap<string, RealTable>;
  /** Prefix of the content tables. */
  readonly prefix: string;
}

/** A definition, not yet with relations, and the fields that alone identify a row. */
interface FittedObject {
  readonly definition: ObjectDefinition;
  readonly unique: ReadonlySet<string>;
}

/** Column types that hold values of a field type. */
const fitting: Readonly<Record<FieldType, readonly RealColumn['type'][]>> = {
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

/** Names of text fields whose values are media paths (docs/reference/gateway.md#media-paths). */
const mediaFields: ReadonlySet<string> = new Set(['image', 'thumbnail', 'photo', 'avatar', 'file', 'media']);

/** The definition as its table allows it; null with at least one problem. */
export function fitObject(words: ObjectWords, database: RealTables): Checked<FittedObject> {
  const found = findTable(words, database);
  if (!('table' in found)) return { value: null, problems: [found] };
  const { table, prefixed } = found;
  const problems = [
    ...words.fields.flatMap((field) => checkColumn(field, table)),
    ...checkKey(words, table),
    ...checkInsert(words, table),
  ];
  if (problems.length > 0) return { value: null, problems };
  const fields = words.fields.map((field): [string, FieldDraft] => [
    field.name.value,
    fitField(field, { words, table }),
  ]);
  const definition = defineObject({
    name: words.name.value,
    table: words.table.value,
    prefixed,
    primaryKey: words.primaryKey.value,
    fields: Object.fromEntries(fields),
    ...Object.fromEntries(fieldLists.map((list) => [list, words.lists[list].map(({ value }) => value)])),
    ...Object.fromEntries(flags.map((flag) => [flag, words.flags[flag].value])),
    contexts: words.contexts?.map(({ value }) => value) ?? null,
  });
  const unique = words.fields.filter(({ column }) => isUnique(column.value, table)).map(({ name }) => name.value);
  return { value: { definition, unique: new Set(unique) }, problems: [] };
}

type FoundTable = { readonly table: RealTable; readonly prefixed: boolean };

/** The table of the given name with the content prefix, else of the name as given; both at once are too many. */
function findTable(words: ObjectWords, { tables, prefix }: RealTables): FoundTable | PlacedProblem {
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
  const refusal = refuseTable(table.name, prefix);
  return refusal === undefined ? { table, prefixed: table === withPrefix } : problemAt(place, refusal);
}

function checkColumn(field: FieldWords, table: RealTable): PlacedProblem[] {
  const column = table.columns.get(field.column.value);
  if (!column) {
    const names = [...table.columns.keys()];
    const spelled = names.find((name) => name.toLowerCase() === field.column.value.toLowerCase());
    const hint = spelled === undefined ? `it has ${names.join(', ')}` : `did you mean ${spelled}?`;
    return [problemAt(field.column.place, `table ${table.name} has no column ${field.column.value}; ${hint}`)];
  }
  const type = field.type.value;
  if (!fitting[type].includes(column.type)) {
    const usable = fieldTypes.filter((candidate) => fitting[candidate].includes(column.type));
    const instead = usable.length === 0 ? 'no field type fits it' : `fitting: ${usable.join(', ')}`;
    return [
      problemAt(field.type.place, `${type} does not fit column ${field.column.value} (${column.type}); ${instead}`),
    ];
  }
  if (type === 'datetime' && column.type === 'text' && (column.maxLength ?? timeLength) < timeLength) {
    const short = `column ${field.column.value} holds ${column.maxLength} characters and a time needs ${timeLength}`;
    return [problemAt(field.type.place, short)];
  }
  return [];
}

/** Without a unique key two records would share one address, and paging could skip rows. */
function checkKey(words: ObjectWords, table: RealTable): PlacedProblem[] {
  const key = words.fields.find(({ name }) => name.value === words.primaryKey.value);
  if (!key || !table.columns.has(key.column.value) || isUnique(key.column.value, table)) return [];
  return [
    problemAt(
      words.primaryKey.place,
      `column ${key.column.value} of ${table.name} must be its whole primary key or have a unique index of its own`,
    ),
  ];
}

/** With such a column every create would fail. */
function checkInsert(words: ObjectWords, table: RealTable): PlacedProblem[] {
  if (!words.flags.creatable.value) return [];
  const unwritable = new Set([...words.lists.immutable, ...words.lists.hidden].map(({ value }) => value));
  const given = new Set(
    words.fields.filter(({ name }) => !unwritable.has(name.value)).map(({ column }) => column.value.toLowerCase()),
  );
  const missing = [...table.columns].filter(([name, column]) => !column.isOptional && !given.has(name.toLowerCase()));
  return missing.map(([name]) =>
    problemAt(
      words.flags.creatable.place,
      `no record could be created: column ${name} of ${table.name} needs a value and no field that can be written has it`,
    ),
  );
}

function isUnique(column: string, table: RealTable): boolean {
  const primary = [...table.columns].filter(([, { isPrimary }]) => isPrimary).map(([name]) => name);
  // A unique index lets any number of rows be NULL.
  const byIndex = table.columns.get(column)?.nullable === false;
  const keys = [primary, ...(byIndex ? table.indexes.filter(({ unique }) => unique).map((one) => one.columns) : [])];
  return keys.some((key) => key.length === 1 && key[0] === column);
}

function fitField(field: FieldWords, { words, table }: { words: ObjectWords; table: RealTable }): FieldDraft {
  const type = field.type.value;
  const name = field.name.value;
  const column = table.columns.get(field.column.value);
  const nullable = column?.nullable === true && name !== words.primaryKey.value;
  const base = { type, column: field.column.value, nullable };
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

function bytesOf(column: RealColumn | undefined): { readonly maxBytes?: number } {
  return typeof column?.maxBytes === 'number' ? { maxBytes: column.maxBytes } : {};
}

const secretTables =
  /^(hcd_.*|access_.*|session|users|membergroup_names|member_groups|user_group_roles|documentgroup_names|document_groups|.*_group_settings|system_settings|context_setting|user_settings|media_sources|transport_providers)$/;

/** Why the table may not be exposed; undefined when it may. */
function refuseTable(table: string, prefix: string): string | undefined {
  const name = table.toLowerCase();
  const bare = name.startsWith(prefix.toLowerCase()) ? name.slice(prefix.length) : name;
  const core = coreObjects.find((object) => object.table === bare);
  if (core) return `table ${table} is served as the core object ${core.name}, with its own rules of access`;
  // The program's own tables have no content prefix.
  return secretTables.test(bare) || name.startsWith('hcd_')
    ? `table ${table} holds credentials, settings or rules of access and cannot be exposed`
    : undefined;
}
