/** The words of a definition as a file or plugin writes them, each with its place, and the rules for names in them. */

import { AppError } from '../../errors/app-error.js';
import { type JsonNode, type Place, type PlacedProblem, quote } from '../../values/json-tree.js';
import { coreObjects } from './core-objects.js';
import type { FieldType } from './definition.js';

export interface Placed<T> {
  readonly value: T;
  readonly place: Place;
}

export const fieldTypes: readonly FieldType[] = ['string', 'integer', 'number', 'boolean', 'datetime', 'json'];
const relationTypes = ['to_one', 'to_many'] as const;
export const fieldLists = [
  'filterable',
  'sortable',
  'searchable',
  'required',
  'protected',
  'immutable',
  'hidden',
] as const;
export const flags = ['readable', 'creatable', 'updatable', 'deletable'] as const;

export type FieldList = (typeof fieldLists)[number];
type Flag = (typeof flags)[number];

export interface FieldWords {
  readonly name: Placed<string>;
  readonly type: Placed<FieldType>;
  readonly column: Placed<string>;
}

export interface RelationWords {
  readonly name: Placed<string>;
  readonly target: Placed<string>;
  readonly type: Placed<(typeof relationTypes)[number]>;
  readonly foreignKey: Placed<string>;
  /** Null: the primary key of the object that is referred to. */
  readonly localKey: Placed<string> | null;
  /** Null: the fields that defaultRelationFields chooses. */
  readonly fields: readonly Placed<string>[] | null;
}

export interface ObjectWords {
  readonly name: Placed<string>;
  readonly table: Placed<string>;
  readonly primaryKey: Placed<string>;
  readonly fields: readonly FieldWords[];
  readonly lists: Readonly<Record<FieldList, readonly Placed<string>[]>>;
  readonly relations: readonly RelationWords[];
  readonly flags: Readonly<Record<Flag, Placed<boolean>>>;
  /** Null: all allowed contexts. */
  readonly contexts: readonly Placed<string>[] | null;
}

/** What a name must look like; says why a text is none. */
export interface NameRule {
  readonly pattern: RegExp;
  readonly says: string;
  readonly reserved?: (name: string) => string | undefined;
}

const coreNames = new Set(coreObjects.map((object) => object.name));
// Scopes (`preview`, `context.<key>`, `fields.<field>`) and routes of the gateway: `<name>.read` must not look like one.
const reservedNames = new Set(
  'auth constructor context docs fields gateway health meta objects openapi pages preview schema tv types'.split(' '),
);

export const objectName: NameRule = {
  pattern: /^[a-z][a-z0-9_]{0,63}$/,
  says: 'lower-case letters, digits and _, beginning with a letter, at most 64',
  reserved: (name) => {
    if (coreNames.has(name)) return `${name} is a core object`;
    return reservedNames.has(name) ? `${name} is a reserved word` : undefined;
  },
};

const memberName: NameRule = {
  pattern: /^[A-Za-z_][A-Za-z0-9_]{0,63}$/,
  says: 'letters, digits and _, not beginning with a digit, at most 64',
  // A record is a plain object: such a name would be found on every record, whether it has the field or not.
  reserved: (name) => (name in {} ? `${name} is a reserved word` : undefined),
};

const relationName: NameRule = {
  ...memberName,
  reserved: (name) =>
    name === 'tv' || name === 'tvs' ? `include=${name} means template variables` : memberName.reserved?.(name),
};

/** Names of tables and columns go into statements, so nothing else is let through, quoted or not. */
const databaseName: NameRule = {
  pattern: /^[A-Za-z0-9_$]{1,64}$/,
  says: 'letters, digits, _ and $, at most 64',
};

const contextKey: NameRule = { pattern: /^[^\s,]{1,100}$/, says: 'text without spaces and commas, at most 100' };
/** A name that only refers to something else, which is looked up later. */
const reference: NameRule = { pattern: /^[\s\S]{1,128}$/, says: 'a name of at most 128 characters' };

/** A value; null when there are problems. */
export interface Checked<T> {
  readonly value: T | null;
  readonly problems: readonly PlacedProblem[];
}

export function problemAt(place: Place, message: string): PlacedProblem {
  const { source, path, line, column } = place;
  return { source, path, line, column, message };
}

/** A problem of a whole file or module. */
export function problemOf(source: string, message: string): PlacedProblem {
  return { source, path: '', line: null, column: null, message };
}

/** `objects/products.json:12:5: fields.price.type: …` */
export function formatProblem({ source, path, line, column, message }: PlacedProblem): string {
  const where = line === null ? source : `${source}:${line}:${column ?? 1}`;
  return [where, ...(path === '' ? [] : [path]), message].join(': ');
}

/** Throws configuration_invalid with one line per problem; does nothing when there is none. */
export function throwProblems(problems: readonly PlacedProblem[], cause?: unknown): void {
  if (problems.length === 0) return;
  const bySource = new Map<string, string[]>();
  for (const problem of problems) {
    const list = bySource.get(problem.source) ?? [];
    list.push(formatProblem(problem));
    bySource.set(problem.source, list);
  }
  throw new AppError('configuration_invalid', {
    message: problems.map(formatProblem).join('\n'),
    details: { fields: Object.fromEntries(bySource) },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The value; configuration_invalid with its problems when there are any. */
export function requireValue<T>({ value, problems }: Checked<T>): T {
  throwProblems(problems);
  if (value === null) throw new AppError('internal_error', { message: 'a definition is missing without a problem' });
  return value;
}

type Problems = PlacedProblem[];
type Words = ReadonlyMap<string, JsonNode>;

/** Words with `true` must be there. */
const objectWords: Readonly<Record<string, boolean>> = {
  name: true,
  table: true,
  primaryKey: true,
  fields: true,
  ...Object.fromEntries([...fieldLists, 'relations', ...flags, 'contexts'].map((word) => [word, false])),
};
const fieldWords = { type: true, column: false };
const relationWords = { name: true, target: true, type: true, foreignKey: true, localKey: false, fields: false };

/** The words of an object definition; null with at least one problem. */
export function readObjectWords(node: JsonNode): Checked<ObjectWords> {
  const problems: Problems = [];
  const words = readMembers(node, { known: objectWords, problems });
  if (!words) return { value: null, problems };
  const name = readName(words.get('name'), { rule: objectName, problems });
  const table = readName(words.get('table'), { rule: databaseName, problems });
  const primaryKey = readName(words.get('primaryKey'), { rule: memberName, problems });
  const fields = readFields(words.get('fields'), problems);
  const lists = readRecord(fieldLists, (list) => readNames(words.get(list), { rule: memberName, problems }) ?? []);
  const relations = readRelations(words.get('relations'), problems);
  const switches = readRecord(flags, (flag) => readFlag(words.get(flag), { node, problems }));
  const contexts = readNames(words.get('contexts'), {
    rule: contextKey,
    problems,
    empty: 'names no context; leave it out for all',
  });
  if (problems.length > 0 || !name || !table || !primaryKey) return { value: null, problems };
  return { value: { name, table, primaryKey, fields, lists, relations, flags: switches, contexts }, problems };
}

/** The words of one relation; null with at least one problem. */
export function readRelationWords(node: JsonNode): Checked<RelationWords> {
  const problems: Problems = [];
  const value = readRelation(node, problems);
  return { value: problems.length > 0 ? null : value, problems };
}

function readRelation(node: JsonNode, problems: Problems): RelationWords | null {
  const words = readMembers(node, { known: relationWords, problems });
  if (!words) return null;
  const name = readName(words.get('name'), { rule: relationName, problems });
  const target = readName(words.get('target'), { rule: reference, problems });
  const type = readChoice(words.get('type'), { choices: relationTypes, problems });
  const foreignKey = readName(words.get('foreignKey'), { rule: reference, problems });
  const localKey = readName(words.get('localKey'), { rule: reference, problems });
  const fields = readNames(words.get('fields'), {
    rule: reference,
    problems,
    empty: 'names no field; leave it out for the default',
  });
  return name && target && type && foreignKey ? { name, target, type, foreignKey, localKey, fields } : null;
}

function readRelations(node: JsonNode | undefined, problems: Problems): RelationWords[] {
  if (!node) return [];
  if (node.kind !== 'array') {
    problems.push(wrongKind(node, 'a list of relations'));
    return [];
  }
  const relations: RelationWords[] = [];
  for (const item of node.items) {
    const relation = readRelation(item, problems);
    if (relation) relations.push(relation);
  }
  const names = relations.map((relation) => relation.name);
  problems.push(...repeated(names));
  return relations;
}

function readFields(node: JsonNode | undefined, problems: Problems): FieldWords[] {
  if (!node) return [];
  if (node.kind !== 'object') {
    problems.push(wrongKind(node, 'an object of fields'));
    return [];
  }
  if (node.members.length === 0) problems.push(problemAt(node.place, 'has no field'));
  const fields: FieldWords[] = [];
  for (const { key, keyPlace, value } of node.members) {
    const problem = nameProblem(key, memberName);
    if (problem) problems.push(problemAt(keyPlace, problem));
    const words = readMembers(value, { known: fieldWords, problems });
    const type = readChoice(words?.get('type'), { choices: fieldTypes, problems });
    const given = words?.get('column');
    const column = given ? readName(given, { rule: databaseName, problems }) : { value: key, place: keyPlace };
    if (type && column) fields.push({ name: { value: key, place: keyPlace }, type, column });
  }
  return fields;
}

/** Members by key, once each; problems for unknown and missing ones. */
function readMembers(
  node: JsonNode,
  { known, problems }: { readonly known: Readonly<Record<string, boolean>>; readonly problems: Problems },
): Words | null {
  const names = Object.keys(known);
  if (node.kind !== 'object') {
    problems.push(wrongKind(node, `an object with the words ${names.join(', ')}`));
    return null;
  }
  const words = new Map<string, JsonNode>();
  for (const { key, keyPlace, value } of node.members) {
    if (!Object.hasOwn(known, key)) {
      problems.push(problemAt(keyPlace, `is not a known word; known are ${names.join(', ')}`));
    } else if (!words.has(key)) words.set(key, value);
  }
  for (const name of names) {
    if (known[name] && !words.has(name)) problems.push(problemAt(node.place, `the word ${name} is missing`));
  }
  return words;
}

interface NameReading {
  readonly rule: NameRule;
  readonly problems: Problems;
  /** The problem of an empty list; absent: the list may be empty. */
  readonly empty?: string;
}

function readNames(node: JsonNode | undefined, { rule, problems, empty }: NameReading): Placed<string>[] | null {
  if (!node) return null;
  if (node.kind !== 'array') {
    problems.push(wrongKind(node, 'a list of texts'));
    return null;
  }
  if (empty !== undefined && node.items.length === 0) problems.push(problemAt(node.place, empty));
  const names = node.items.flatMap((item) => readName(item, { rule: rule, problems }) ?? []);
  problems.push(...repeated(names));
  return names;
}

function repeated(names: readonly Placed<string>[]): PlacedProblem[] {
  return names
    .filter(({ value }, index) => names.findIndex((earlier) => earlier.value === value) < index)
    .map(({ value, place }) => problemAt(place, `${quote(value)} is listed twice`));
}

function readName(node: JsonNode | undefined, { rule, problems }: NameReading): Placed<string> | null {
  if (!node) return null;
  if (node.kind !== 'string') {
    problems.push(wrongKind(node, 'a text'));
    return null;
  }
  const problem = nameProblem(node.value, rule);
  if (!problem) return { value: node.value, place: node.place };
  problems.push(problemAt(node.place, problem));
  return null;
}

function nameProblem(name: string, rule: NameRule): string | undefined {
  if (!rule.pattern.test(name)) return `${quote(name)} is not allowed; must be ${rule.says}`;
  return rule.reserved?.(name);
}

function readChoice<T extends string>(
  node: JsonNode | undefined,
  { choices, problems }: { readonly choices: readonly T[]; readonly problems: Problems },
): Placed<T> | null {
  if (!node) return null;
  const value = node.kind === 'string' ? choices.find((choice) => choice === node.value) : undefined;
  if (value !== undefined) return { value, place: node.place };
  problems.push(problemAt(node.place, `must be one of: ${choices.join(', ')}`));
  return null;
}

/** A flag that is not given is off. */
function readFlag(node: JsonNode | undefined, within: { node: JsonNode; problems: Problems }): Placed<boolean> {
  if (!node) return { value: false, place: within.node.place };
  if (node.kind !== 'boolean') within.problems.push(wrongKind(node, 'true or false'));
  return { value: node.kind === 'boolean' && node.value, place: node.place };
}

function wrongKind(node: JsonNode, wanted: string): PlacedProblem {
  const kinds = {
    object: 'an object',
    array: 'a list',
    string: 'a text',
    number: 'a number',
    boolean: 'true or false',
    null: 'null',
  };
  return problemAt(node.place, `must be ${wanted}, not ${kinds[node.kind]}`);
}

/** One value per name. */
function readRecord<K extends string, V>(names: readonly K[], read: (name: K) => V): Record<K, V> {
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<K, V>;
}
