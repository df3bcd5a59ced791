/** The words of a definition, each with its place. Every unknown word and wrong type is a problem. */

import { AppError } from '../../errors/app-error.js';
import { type JsonNode, type Place, type PlacedProblem, quote } from '../../values/json-tree.js';
import { coreObjects } from './core-objects.js';
import { type FieldList, type FieldType, fieldLists } from './definition.js';

export interface Placed<T> {
  readonly value: T;
  readonly place: Place;
}

export const fieldTypes: readonly FieldType[] = ['string', 'integer', 'number', 'boolean', 'datetime', 'json'];
const relationTypes = ['to_one', 'to_many'] as const;
export const flags = ['readable', 'creatable', 'updatable', 'deletable'] as const;

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
  /** Null: the primary key of the referenced object. */
  readonly localKey: Placed<string> | null;
  /** Null: defaultRelationFields chooses. */
  readonly fields: readonly Placed<string>[] | null;
}

export interface ObjectWords {
  readonly name: Placed<string>;
  readonly table: Placed<string>;
  readonly primaryKey: Placed<string>;
  readonly fields: readonly FieldWords[];
  readonly lists: Readonly<Record<FieldList, readonly Placed<string>[]>>;
  readonly relations: readonly RelationWords[];
  readonly flags: Readonly<Record<(typeof flags)[number], Placed<boolean>>>;
  readonly contexts: readonly Placed<string>[] | null;
}

/** `value` is null when there are problems. */
export interface Checked<T> {
  readonly value: T | null;
  readonly problems: readonly PlacedProblem[];
}

export function problemAt({ source, path, line, column }: Place, message: string): PlacedProblem {
  return { source, path, line, column, message };
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
  const fields: Record<string, string[]> = {};
  for (const problem of problems) fields[problem.source] = [...(fields[problem.source] ?? []), formatProblem(problem)];
  return new AppError('configuration_invalid', {
    message: problems.map(formatProblem).join('\n'),
    details: { fields },
    cause,
  });
}

interface NameRule {
  readonly pattern: RegExp;
  readonly says: string;
  readonly reserved?: (name: string) => string | undefined;
}

const coreNames = new Set(coreObjects.map((object) => object.name));
// `<name>.read` must not look like a scope (`preview`, `context.<key>`, `fields.<field>`) or a route.
const reservedNames = new Set(
  'auth constructor context docs fields gateway health media meta objects openapi pages preview schema tv types'.split(
    ' ',
  ),
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
  // Such a name would be found on every record, which is a plain object.
  reserved: (name) => (name in {} ? `${name} is a reserved word` : undefined),
};

const relationName: NameRule = {
  ...memberName,
  reserved: (name) =>
    name === 'tv' || name === 'tvs' ? `include=${name} means template variables` : memberName.reserved?.(name),
};

/** Names of tables and columns go into statements, so no other character is accepted, quoted or not. */
const databaseName: NameRule = { pattern: /^[A-Za-z0-9_$]{1,64}$/, says: 'letters, digits, _ and $, at most 64' };
const contextKey: NameRule = { pattern: /^[^\s,]{1,100}$/, says: 'text without spaces and commas, at most 100' };
const reference: NameRule = { pattern: /^[\s\S]{1,128}$/, says: 'a name of at most 128 characters' };

type KnownWords = Readonly<Record<string, boolean>>;

const objectWords: KnownWords = {
  name: true,
  table: true,
  primaryKey: true,
  fields: true,
  ...Object.fromEntries([...fieldLists, 'relations', ...flags, 'contexts'].map((word) => [word, false])),
};
const fieldWords = { type: true, column: false };
const relationWords = { name: true, target: true, type: true, foreignKey: true, localKey: false, fields: false };

export function readObjectWords(node: JsonNode): Checked<ObjectWords> {
  const reader = new WordsReader();
  const value = reader.object(node);
  return { value: reader.problems.length > 0 ? null : value, problems: reader.problems };
}

export function readRelationWords(node: JsonNode): Checked<RelationWords> {
  const reader = new WordsReader();
  const value = reader.relation(node);
  return { value: reader.problems.length > 0 ? null : value, problems: reader.problems };
}

const kinds = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
};

/** Returns null for an absent word, without a problem: `#members` reports the required ones. */
class WordsReader {
  readonly problems: PlacedProblem[] = [];

  object(node: JsonNode): ObjectWords | null {
    const words = this.#members(node, objectWords);
    const name = this.#name(words?.get('name'), objectName);
    const table = this.#name(words?.get('table'), databaseName);
    const primaryKey = this.#name(words?.get('primaryKey'), memberName);
    const fields = this.#fields(words?.get('fields'));
    const lists = recordOf(fieldLists, (list) => this.#names(words?.get(list), memberName) ?? []);
    const relations = this.#items(words?.get('relations'), 'a list of relations').flatMap(
      (item) => this.relation(item) ?? [],
    );
    this.#refuseRepeated(relations.map((relation) => relation.name));
    const switches = recordOf(flags, (flag) => this.#flag(words?.get(flag), node.place));
    const contexts = this.#names(words?.get('contexts'), contextKey, 'names no context; leave it out for all');
    if (!name || !table || !primaryKey) return null;
    return { name, table, primaryKey, fields, lists, relations, flags: switches, contexts };
  }

  relation(node: JsonNode): RelationWords | null {
    const words = this.#members(node, relationWords);
    const name = this.#name(words?.get('name'), relationName);
    const target = this.#name(words?.get('target'), reference);
    const type = this.#choice(words?.get('type'), relationTypes);
    const foreignKey = this.#name(words?.get('foreignKey'), reference);
    const localKey = this.#name(words?.get('localKey'), reference);
    const fields = this.#names(words?.get('fields'), reference, 'names no field; leave it out for the default');
    return name && target && type && foreignKey ? { name, target, type, foreignKey, localKey, fields } : null;
  }

  #fields(node: JsonNode | undefined): FieldWords[] {
    if (!node) return [];
    if (node.kind !== 'object') {
      this.#refuseKind(node, 'an object of fields');
      return [];
    }
    if (node.members.length === 0) this.#refuse(node.place, 'has no field');
    return node.members.flatMap(({ key, keyPlace, value }): FieldWords[] => {
      const name = { value: key, place: keyPlace };
      this.#checkName(name, memberName);
      const words = this.#members(value, fieldWords);
      const type = this.#choice(words?.get('type'), fieldTypes);
      const given = words?.get('column');
      const column = given ? this.#name(given, databaseName) : name;
      return type && column ? [{ name, type, column }] : [];
    });
  }

  #members(node: JsonNode, known: KnownWords): ReadonlyMap<string, JsonNode> | null {
    const names = Object.keys(known);
    if (node.kind !== 'object') {
      this.#refuseKind(node, `an object with the words ${names.join(', ')}`);
      return null;
    }
    const words = new Map<string, JsonNode>();
    for (const { key, keyPlace, value } of node.members) {
      if (!Object.hasOwn(known, key)) this.#refuse(keyPlace, `is not a known word; known are ${names.join(', ')}`);
      else if (!words.has(key)) words.set(key, value);
    }
    for (const name of names) {
      if (known[name] && !words.has(name)) this.#refuse(node.place, `the word ${name} is missing`);
    }
    return words;
  }

  #items(node: JsonNode | undefined, wanted: string): readonly JsonNode[] {
    if (node?.kind === 'array') return node.items;
    if (node) this.#refuseKind(node, wanted);
    return [];
  }

  #names(node: JsonNode | undefined, rule: NameRule, empty?: string): Placed<string>[] | null {
    if (!node) return null;
    if (empty !== undefined && node.kind === 'array' && node.items.length === 0) this.#refuse(node.place, empty);
    const names = this.#items(node, 'a list of texts').flatMap((item) => this.#name(item, rule) ?? []);
    this.#refuseRepeated(names);
    return names;
  }

  #refuseRepeated(names: readonly Placed<string>[]): void {
    const seen = new Set<string>();
    for (const { value, place } of names) {
      if (seen.has(value)) this.#refuse(place, `${quote(value)} is listed twice`);
      seen.add(value);
    }
  }

  #name(node: JsonNode | undefined, rule: NameRule): Placed<string> | null {
    if (!node) return null;
    if (node.kind === 'string') return this.#checkName({ value: node.value, place: node.place }, rule);
    this.#refuseKind(node, 'a text');
    return null;
  }

  #checkName(name: Placed<string>, { pattern, says, reserved }: NameRule): Placed<string> | null {
    const { value, place } = name;
    const problem = pattern.test(value) ? reserved?.(value) : `${quote(value)} is not allowed; must be ${says}`;
    if (problem === undefined) return name;
    this.#refuse(place, problem);
    return null;
  }

  #choice<T extends string>(node: JsonNode | undefined, choices: readonly T[]): Placed<T> | null {
    if (!node) return null;
    const value = node.kind === 'string' ? choices.find((choice) => choice === node.value) : undefined;
    if (value !== undefined) return { value, place: node.place };
    this.#refuse(node.place, `must be one of: ${choices.join(', ')}`);
    return null;
  }

  #flag(node: JsonNode | undefined, otherwise: Place): Placed<boolean> {
    if (node && node.kind !== 'boolean') this.#refuseKind(node, 'true or false');
    return { value: node?.kind === 'boolean' && node.value, place: node?.place ?? otherwise };
  }

  #refuseKind(node: JsonNode, wanted: string): void {
    this.#refuse(node.place, `must be ${wanted}, not ${kinds[node.kind]}`);
  }

  #refuse(place: Place, message: string): void {
    this.problems.push(problemAt(place, message));
  }
}

function recordOf<K extends string, V>(names: readonly K[], read: (name: K) => V): Record<K, V> {
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<K, V>;
}
