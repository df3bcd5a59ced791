/** The kinds of member that records have: how each becomes what its column stores. */

import type { FieldDefinition } from '../../content/objects/definition.js';
import { parseWriteValue, storedValue, ValueProblem } from '../../content/objects/values.js';
import { type PhpWritable, serializePhpValue } from '../../content/rules/php-value.js';
import type { Param } from '../../store/base/database.js';
import { isJsonObject, isWithinDepth } from '../../values/json.js';
import { Missing, type NamedKind, type Names, type Place } from './names.js';

/** The stored value, or the reason why it does not exist yet or cannot exist. */
type Read = Param | Missing | ValueProblem;

export interface Member {
  readonly column: string;
  /** What the column gets when a record does not have the member; undefined = each record has it. */
  readonly default: Param | undefined;
  readonly read: (value: unknown, names: Names) => Read | Promise<Read>;
}

export type Members = Readonly<Record<string, Member>>;

const noArray = 'a:0:{}';
const deepest = 32;

/** A value of its own, read as the interfaces read the field. */
export function plain(field: FieldDefinition, byDefault: Param | undefined): Member {
  return {
    column: field.column,
    default: byDefault,
    read(value) {
      const parsed = parseWriteValue(field, value);
      return parsed instanceof ValueProblem ? parsed : storedValue(field, parsed);
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
      if (!isPhpWritable(value)) return new ValueProblem(`must be a list or an object of at most ${deepest} levels`);
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
      return typeof value === 'string' ? names.idOf(kind, value) : new ValueProblem('must be a name');
    },
  };
}

/** The path of a category: the names from the top to it. */
export function category(column: string): Member {
  return {
    column,
    default: 0,
    read(value, names) {
      if (value === null) return 0;
      const path = readPath(value);
      return path instanceof ValueProblem ? path : names.categoryAt(path);
    },
  };
}

export function readPath(value: unknown): readonly string[] | ValueProblem {
  const isPath = Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string');
  return isPath ? value : new ValueProblem('must be the names of categories from the top, as a list');
}

/** `{"context": "web", "uri": "about.html"}`; null means none. */
export function resource(column: string): Member {
  return {
    column,
    default: 0,
    read: (value, names) => (value === null ? 0 : readResource(value, names)),
  };
}

export async function readResource(value: unknown, names: Names): Promise<number | Missing | ValueProblem> {
  const place = readPlace(value);
  return place === null ? new ValueProblem('must be {"context": "web", "uri": "about.html"}') : names.resourceAt(place);
}

function readPlace(value: unknown): Place | null {
  if (!isJsonObject(value) || Object.keys(value).length !== 2) return null;
  const { context, uri } = value;
  return typeof context === 'string' && typeof uri === 'string' ? { context, uri } : null;
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
 * Text that may be an id: of a page, written `{"context": …, "uri": …}`, or of a user, written `{"user": "name"}`. Links
 * are as in every text.
 */
export function textOrId(definition: FieldDefinition, byDefault: Param | undefined): Member {
  const member = linkedText(definition, byDefault);
  return {
    ...member,
    read: (value, names) => (isJsonObject(value) ? idText(value, names) : member.read(value, names)),
  };
}

async function idText(value: Readonly<Record<string, unknown>>, names: Names): Promise<Read> {
  const { user, ...others } = value;
  const isUser = typeof user === 'string' && Object.keys(others).length === 0;
  const read = isUser ? await names.idOf('users', user) : await readResource(value, names);
  return typeof read === 'number' ? String(read) : read;
}

/** Colon and URI in a link; the characters that would end one are percent-encoded. */
const namedLink = /\[\[~([\w.-]+):([^\s[\]?&`]*)/g;

export async function linkPages(content: string, names: Names): Promise<string | Missing> {
  if (!content.includes('[[~')) return content;
  const ids: (number | Missing)[] = [];
  for (const [, context = '', uri = ''] of content.matchAll(namedLink)) {
    ids.push(await names.resourceAt({ context, uri: decodeUri(uri) }));
  }
  const missing = ids.find((id) => id instanceof Missing);
  if (missing instanceof Missing) return missing;
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
