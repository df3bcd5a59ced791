/** A definition as a file or plugin writes it. Every unknown word and wrong type is a problem with its place. */

import { AppError } from '../../errors/app-error.js';
import { listsBy } from '../../values/batches.js';
import type { PlacedProblem, PlaceOf } from '../../values/json-tree.js';
import {
  listOf,
  namedMembers,
  oneOf,
  type Reader,
  readBoolean,
  refuse,
  requiredText,
  shapedObject,
  type TextForm,
  uniqueList,
} from '../../values/reading.js';
import { isCoreObject } from './core-objects.js';
import {
  type FieldDraft,
  type FieldList,
  type FieldType,
  fieldLists,
  flags,
  type ObjectDefinition,
  type RelationDefinition,
} from './definition.js';

export const fieldTypes: readonly FieldType[] = ['string', 'integer', 'number', 'boolean', 'datetime', 'json'];

export type FieldSpec = Pick<FieldDraft, 'type' | 'column'>;

interface RelationSpec extends Pick<RelationDefinition, 'name' | 'target' | 'type' | 'foreignKey'> {
  readonly localKey?: string;
  readonly fields?: readonly string[];
}

interface Spec extends Pick<ObjectDefinition, FieldList | (typeof flags)[number] | 'name' | 'table' | 'primaryKey'> {
  readonly fields: Readonly<Record<string, FieldSpec>>;
  readonly relations: readonly RelationSpec[];
  readonly contexts?: readonly string[];
}

export type ObjectSpec = Spec & { readonly placeOf: PlaceOf };
export type PlacedRelation = RelationSpec & { readonly placeOf: PlaceOf };

export interface WithProblems<T> {
  readonly value: T | null;
  readonly problems: readonly PlacedProblem[];
}

export function problemOf(source: string, message: string): PlacedProblem {
  return { source, path: '', line: null, column: null, message };
}

/** `objects/products.json:12:5: fields.price.type: …` */
export function formatProblem({ source, path, line, column, message }: PlacedProblem): string {
  const where = line === null ? source : `${source}:${line}:${column ?? 1}`;
  return [where, ...(path === '' ? [] : [path]), message].join(': ');
}

export function definitionError(problems: readonly PlacedProblem[], cause?: unknown): AppError {
  const fields = Object.fromEntries(listsBy(problems, (problem) => [problem.source, formatProblem(problem)]));
  return new AppError('configuration_invalid', {
    message: problems.map(formatProblem).join('\n'),
    details: { fields },
    cause,
  });
}

// `<name>.read` must not look like a scope (`preview`, `context.<key>`, `fields.<field>`) or a route.
const reservedNames = new Set(
  'auth constructor context docs fields gateway health media meta objects openapi pages preview schema tv types'.split(
    ' ',
  ),
);

export const objectName = {
  pattern: /^[a-z][a-z0-9_]{0,63}$/,
  says: 'a name of lower-case letters, digits and _, beginning with a letter, at most 64',
  reserved: (name: string) => {
    if (isCoreObject(name)) return `${name} is a core object`;
    return reservedNames.has(name) ? `${name} is a reserved word` : undefined;
  },
} satisfies TextForm;

const memberName = {
  pattern: /^[A-Za-z_][A-Za-z0-9_]{0,63}$/,
  says: 'a name of letters, digits and _, not beginning with a digit, at most 64',
  // Such a name would be found on every record, which is a plain object.
  reserved: (name: string) => (name in {} ? `${name} is a reserved word` : undefined),
} satisfies TextForm;

const relationName: TextForm = {
  ...memberName,
  reserved: (name) =>
    name === 'tv' || name === 'tvs' ? `include=${name} means template variables` : memberName.reserved(name),
};

/** Names of tables and columns go into statements, so no other character is accepted, quoted or not. */
const databaseName: TextForm = {
  pattern: /^[A-Za-z0-9_$]{1,64}$/,
  says: 'a name of letters, digits, _ and $, at most 64',
};
const contextKey: TextForm = {
  pattern: /^[^\s,]{1,100}$/,
  says: 'the key of a context, without spaces and commas, at most 100',
};
const reference: TextForm = { pattern: /^[\s\S]{1,128}$/, says: 'a name of at most 128 characters' };

/** As many as the columns of a table. */
const most = 4096;
const readNames = (form: TextForm) => uniqueList(requiredText(form), { most, of: 'texts' });

function given<T>(read: Reader<T>, whenEmpty: string): Reader<T> {
  return (reading) => {
    const { value } = reading;
    if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) refuse(reading, whenEmpty);
    return read(reading);
  };
}

const readField = shapedObject<FieldSpec>(
  { type: oneOf(...fieldTypes), column: requiredText(databaseName) },
  { required: ['type'], hasNull: true },
);
const readRelation = shapedObject<RelationSpec>(
  {
    name: requiredText(relationName),
    target: requiredText(reference),
    type: oneOf('to_one', 'to_many'),
    foreignKey: requiredText(reference),
    localKey: requiredText(reference),
    fields: given(readNames(reference), 'names no field; leave it out for the default'),
  },
  { required: ['name', 'target', 'type', 'foreignKey'], hasNull: true },
);
const readObject = shapedObject<Spec>(
  {
    name: requiredText(objectName),
    table: requiredText(databaseName),
    primaryKey: requiredText(memberName),
    fields: given(namedMembers({ most, of: 'fields', form: memberName }, readField), 'has no field'),
    ...recordOf(fieldLists, () => readNames(memberName)),
    relations: listOf({ of: 'relations' }, readRelation),
    ...recordOf(flags, () => readBoolean),
    contexts: given(readNames(contextKey), 'names no context; leave it out for all'),
  },
  {
    required: ['name', 'table', 'primaryKey', 'fields'],
    hasNull: true,
    defaults: { ...recordOf(fieldLists, () => []), relations: [], ...recordOf(flags, () => false) },
  },
);

export function readObjectSpec(value: unknown, placeOf: PlaceOf): WithProblems<ObjectSpec> {
  return readPlaced(readObject, { value, placeOf });
}

export function readRelationSpec(value: unknown, placeOf: PlaceOf): WithProblems<PlacedRelation> {
  return readPlaced(readRelation, { value, placeOf });
}

function readPlaced<T>(
  read: Reader<T>,
  { value, placeOf }: { readonly value: unknown; readonly placeOf: PlaceOf },
): WithProblems<T & { readonly placeOf: PlaceOf }> {
  const problems: PlacedProblem[] = [];
  const add = (path: string, message: string, part?: 'name') => {
    problems.push({ ...placeOf(path, part), message });
  };
  const spec = read({ value, path: '', problems: { add } });
  return { value: spec === undefined || problems.length > 0 ? null : { ...spec, placeOf }, problems };
}

function recordOf<K extends string, V>(names: readonly K[], make: () => V): Record<K, V> {
  return Object.fromEntries(names.map((name) => [name, make()])) as Record<K, V>;
}
