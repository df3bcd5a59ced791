/** The words of a definition as a file or plugin writes them, each with its place, and the rules for names in them. */

import type { Place } from '../../values/json-tree.js';
import { coreObjects } from './core-objects.js';
import type { FieldType } from './definition.js';

export interface Placed<T> {
  readonly value: T;
  readonly place: Place;
}

export const fieldTypes: readonly FieldType[] = ['string', 'integer', 'number', 'boolean', 'datetime', 'json'];
export const relationTypes = ['to_one', 'to_many'] as const;
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

export const memberName: NameRule = {
  pattern: /^[A-Za-z_][A-Za-z0-9_]{0,63}$/,
  says: 'letters, digits and _, not beginning with a digit, at most 64',
  // A record is a plain object: such a name would be found on every record, whether it has the field or not.
  reserved: (name) => (name in {} ? `${name} is a reserved word` : undefined),
};

export const relationName: NameRule = {
  ...memberName,
  reserved: (name) =>
    name === 'tv' || name === 'tvs' ? `include=${name} means template variables` : memberName.reserved?.(name),
};

/** Names of tables and columns go into statements, so nothing else is let through, quoted or not. */
export const databaseName: NameRule = {
  pattern: /^[A-Za-z0-9_$]{1,64}$/,
  says: 'letters, digits, _ and $, at most 64',
};

export const contextKey: NameRule = { pattern: /^[^\s,]{1,100}$/, says: 'text without spaces and commas, at most 100' };
/** A name that only refers to something else, which is looked up later. */
export const reference: NameRule = { pattern: /^[\s\S]{1,128}$/, says: 'a name of at most 128 characters' };
