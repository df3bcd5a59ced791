/** Kinds of records: their table, their members with the stored values, and their rows in other tables. */

import type { FieldDefinition } from '../../content/objects/definition.js';
import { parseWriteValue, storedValue, ValueProblem } from '../../content/objects/values.js';
import { type PhpWritable, serializePhpValue } from '../../content/rules/php-value.js';
import type { Param } from '../../store/base/database.js';
import { isJsonObject, isWithinDepth, type JsonObject } from '../../values/json.js';
import { Missing, type NamedKind, type Names, WrongValue } from './names.js';

export interface Member {
  readonly column: string;
  /** What the column gets when a record does not have the member; undefined = each record has it. */
  readonly default: Param | undefined;
  /** The stored value. Throws WrongValue. */
  readonly read: (value: unknown, names: Names) => Param | Promise<Param>;
}

export type Members = Readonly<Record<string, Member>>;

export type Values = Readonly<Record<string, Param>>;

/** A row without its id. */
export interface Row {
  /** Without the prefix. */
  readonly table: string;
  readonly values: Values;
  /** The table counts its rows. */
  readonly isCounted?: boolean;
}

/** The row that a record became. */
export interface Owner {
  readonly id: number;
  readonly record: JsonObject;
}

/** A member whose value is rows of other tables. Throws WrongValue. */
export type Part = (value: unknown, owner: Owner, names: Names) => Promise<readonly Row[]>;

export interface RecordKind {
  /** Without the prefix. */
  readonly table: string;
  readonly members: Members;
  /** Columns that have the same value in every row. */
  readonly constants?: Values;
  readonly parts?: Readonly<Record<string, Part>>;
  /** Rows that each record has in addition to its own. */
  readonly also?: (owner: Owner, names: Names) => Promise<readonly Row[]>;
  /** Columns by which an existing row is found and changed. Without them, the table counts its rows. */
  readonly key?: readonly string[];
  /**
   * Makes the record known to those that name it; false when the name is taken. A record without a valid name is not
   * known.
   */
  readonly claim?: (owner: Owner, names: Names) => Promise<boolean>;
}

export function claimName(kind: NamedKind, member: string): NonNullable<RecordKind['claim']> {
  return async ({ id, record }, names) => {
    const name = record[member];
    return typeof name !== 'string' || names.add(kind, name, id);
  };
}

const noArray = 'a:0:{}';
const deepest = 32;

/** A value of its own, read as the interfaces read the field. */
export function plain(field: FieldDefinition, byDefault: Param | undefined): Member {
  return {
    column: field.column,
    default: byDefault,
    read(value) {
      const parsed = parseWriteValue(field, value);
      if (parsed instanceof ValueProblem) throw new WrongValue(parsed.problem);
      return storedValue(field, parsed);
    },
  };
}

const field = (column: string, type: FieldDefinition['type'], nullable: boolean): FieldDefinition => ({
  column,
  type,
  nullable,
});

export function text(column: string, byDefault: string | undefined = ''): Member {
  return plain(field(column, 'string', false), byDefault);
}

export function optionalText(column: string, byDefault: string | null = null): Member {
  return plain(field(column, 'string', true), byDefault);
}

export function integer(column: string, byDefault: number | undefined = 0): Member {
  return plain(field(column, 'integer', false), byDefault);
}

export function flag(column: string, byDefault = false): Member {
  return plain(field(column, 'boolean', false), byDefault ? 1 : 0);
}

/** ISO 8601, kept in Unix seconds; null is 0. */
export function time(column: string): Member {
  return plain({ ...field(column, 'datetime', true), storage: 'unix' }, 0);
}

/** JSON that is kept as JSON text. */
export function json(column: string): Member {
  return plain(field(column, 'json', true), null);
}

/** JSON that the CMS keeps as PHP's serialize text. */
export function php(column: string, byDefault: string | null = noArray): Member {
  return {
    column,
    default: byDefault,
    read(value) {
      if (value === null) return null;
      if (!isPhpWritable(value)) throw new WrongValue(`must be a list or an object of at most ${deepest} levels`);
      return serializePhpValue(value);
    },
  };
}

/** The name of something; null means none where there is a default. */
export function reference(kind: NamedKind, column: string, byDefault: Param | undefined = 0): Member {
  return {
    column,
    default: byDefault,
    read(value, names) {
      if (value === null && byDefault !== undefined) return byDefault;
      if (typeof value !== 'string') throw new WrongValue('must be a name');
      return names.idOf(kind, value);
    },
  };
}

/** The path of a category: the names from the top to it. */
export function category(column: string): Member {
  return {
    column,
    default: 0,
    read: (value, names) => (value === null ? 0 : names.categoryAt(readPath(value))),
  };
}

export function readPath(value: unknown): readonly string[] {
  const isPath = Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string');
  if (!isPath) throw new WrongValue('must be the names of categories from the top, as a list');
  return value;
}

/** `{"context": "web", "uri": "about.html"}`; null means none. */
export function resource(column: string): Member {
  return {
    column,
    default: 0,
    read: (value, names) => (value === null ? 0 : readResource(value, names)),
  };
}

export async function readResource(value: unknown, names: Names): Promise<number> {
  const { context, uri, ...others } = isJsonObject(value) ? value : {};
  if (typeof context !== 'string' || typeof uri !== 'string' || Object.keys(others).length > 0) {
    throw new WrongValue('must be {"context": "web", "uri": "about.html"}');
  }
  return names.resourceAt({ context, uri });
}

/** What `read` gives; a wrong value is reported with the name. */
export async function underName(name: string, read: () => Param | Promise<Param>): Promise<Param> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof WrongValue) || error instanceof Missing) throw error;
    throw new WrongValue(`${name} ${error.message}`);
  }
}

/** Text in which links may lead to pages: `[[~web:about.html]]` becomes the link to the id that the page has here. */
export function linkedText(definition: FieldDefinition, byDefault: Param | undefined): Member {
  const member = plain(definition, byDefault);
  return {
    ...member,
    async read(value, names) {
      const read = await member.read(value, names);
      return typeof read === 'string' ? linkPages(read, names) : read;
    },
  };
}

/**
 * Text that may be an id: of a page, written `{"context": …, "uri": …}`, or of a user, written `{"user": "name"}`.
 * Links are as in every text.
 */
export function textOrId(definition: FieldDefinition, byDefault: Param | undefined): Member {
  const member = linkedText(definition, byDefault);
  return {
    ...member,
    read: (value, names) => (isJsonObject(value) ? idText(value, names) : member.read(value, names)),
  };
}

async function idText(value: JsonObject, names: Names): Promise<string> {
  const { user, ...others } = value;
  const isUser = typeof user === 'string' && Object.keys(others).length === 0;
  return String(isUser ? await names.idOf('users', user) : await readResource(value, names));
}

/** Colon and URI in a link; the characters that would end one are percent-encoded. */
const namedLink = /\[\[~([\w.-]+):([^\s[\]?&`]*)/g;

export async function linkPages(content: string, names: Names): Promise<string> {
  const ids: number[] = [];
  for (const [, context = '', uri = ''] of content.matchAll(namedLink)) {
    ids.push(await names.resourceAt({ context, uri: decodeUri(uri) }));
  }
  return content.replace(namedLink, () => `[[~${String(ids.shift())}`);
}

function decodeUri(uri: string): string {
  return uri.replace(/(?:%[0-9a-fA-F]{2})+/g, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}

function isPhpWritable(value: unknown): value is PhpWritable & object {
  return typeof value === 'object' && value !== null && isWithinDepth(value, deepest);
}
