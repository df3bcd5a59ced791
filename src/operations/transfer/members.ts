/** What a record of a table consists of: its members, what their columns store, and its rows in other tables. */
import type { FieldDefinition } from '../../content/objects/definition.js';
import { decoderOf, type JsonValue, parseWriteValue, storedValue } from '../../content/objects/values.js';
import {
  deepestWritten as deepest,
  isPhpWritable,
  jsonOfPhp,
  parsePhpValue,
  serializePhpValue,
} from '../../content/rules/php-value.js';
import type { Param, RawValue } from '../../store/base/database.js';
import { timeSeconds } from '../../values/dates.js';
import { isJsonObject, isWithinDepth, type JsonObject } from '../../values/json.js';
import { linkPages, namePages } from './links.js';
import type { Names } from './names.js';
import type { NamedKind } from './record-names.js';
import { Missing, type Warned, WrongValue } from './transfer-record.js';

export type Values = Readonly<Record<string, Param>>;
export type RawValues = Readonly<Record<string, RawValue>>;

export interface Member {
  readonly column: string;
  /** For a new record without the member; undefined = each record needs it, unless it is optional. */
  readonly default: Param | undefined;
  readonly isOptional?: boolean;
  /** Files may have it, and exports leave it out: it names what they do not carry. */
  readonly isLocal?: boolean;
  readonly refersTo?: NamedKind;
  /** The stored value. Throws WrongValue. */
  readonly read: (value: unknown, names: Names) => Param | Promise<Param>;
  /** The value of a file; undefined where files leave it out. */
  readonly show: (
    stored: RawValue,
    names: Names,
    row: RawValues,
  ) => JsonValue | undefined | Promise<JsonValue | undefined>;
}

export type Members = Readonly<Record<string, Member>>;

export type Warn = (...warned: Warned) => void;

export interface Part {
  readonly table: string;
  readonly owner: string;
  readonly columns: readonly string[];
  readonly constants?: Values;
  readonly order: readonly string[];
  /** Rows without the owner. Throws WrongValue. */
  readonly read: (value: unknown, names: Names, warn: Warn) => Promise<readonly Values[]>;
  readonly show: (rows: readonly RawValues[], names: Names) => Promise<JsonValue>;
}

/** With the levels around it, a line has at most 64. */
const deepestJson = 60;

/** Read as the interfaces read the field. */
export function plain(field: FieldDefinition, byDefault: Param | undefined): Member {
  const decode = decoderOf(field);
  return {
    column: field.column,
    default: byDefault,
    read(value) {
      // A store may hold times and numbers that the interfaces refuse; what fits the column comes back.
      if (field.type === 'integer' && Number.isSafeInteger(value)) return Number(value);
      const seconds = field.storage === 'unix' ? timeSeconds(value) : Number.NaN;
      if (Number.isInteger(seconds)) return seconds;
      if (field.type === 'json' && value !== null && isWithinDepth(value, deepestJson)) return JSON.stringify(value);
      const parsed = parseWriteValue(field, value);
      if (!parsed.ok) throw new WrongValue(parsed.problem);
      return storedValue(field, parsed.value);
    },
    show(raw, names) {
      const shown = decode(raw);
      if (hasNul(raw, names)) return undefined;
      if (shown !== null || raw === null || /^(0*|null|0000-.*)$/.test(String(raw))) return shown;
      names.lose(`the stored value is not ${field.type === 'json' ? 'JSON' : 'a time'}`);
      return undefined;
    },
  };
}

const field = (column: string, type: FieldDefinition['type'], nullable: boolean): FieldDefinition => ({
  column,
  type,
  nullable,
});

export function requiredText(column: string): Member {
  return plain(field(column, 'string', false), undefined);
}

export function text(column: string, byDefault = ''): Member {
  return plain(field(column, 'string', false), byDefault);
}

export function optionalText(column: string): Member {
  return plain(field(column, 'string', true), null);
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

export function json(column: string): Member {
  return plain(field(column, 'json', true), null);
}

function hasNul(raw: RawValue, names: Names): boolean {
  const has = typeof raw === 'string' && raw.includes('\0');
  if (has) names.lose('the text has a NUL character');
  return has;
}

/** A record by its name. Null means none, which is stored as `none`; without it there must be one. */
export function link(kind: NamedKind, column: string, none?: Param): Member {
  return {
    column,
    default: none,
    refersTo: kind,
    read: (value, names) => (value === null && none !== undefined ? none : names.idOf(kind, value)),
    show: async (raw, names) => (none !== undefined && !none && Number(raw) === 0 ? null : names.nameOrLose(kind, raw)),
  };
}

export async function underName<T>(name: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof WrongValue) || error instanceof Missing) throw error;
    throw new WrongValue(`${name} ${error.message}`);
  }
}

export function linkedText(definition: FieldDefinition, byDefault: Param | undefined): Member {
  const member = plain(definition, byDefault);
  return {
    ...member,
    async read(value, names) {
      const read = await member.read(value, names);
      return typeof read === 'string' ? linkPages(read, names) : read;
    },
    async show(raw, names, row) {
      const shown = await member.show(raw, names, row);
      return typeof shown === 'string' ? namePages(shown, names) : shown;
    },
  };
}

/** Where `isId` holds, an id written as `{"context": …, "uri": …}` or `{"user": "name"}`. */
export function textOrId(
  definition: FieldDefinition,
  byDefault: Param | undefined,
  isId: (row: RawValues, names: Names) => boolean | Promise<boolean>,
): Member {
  const member = linkedText(definition, byDefault);
  return {
    ...member,
    read: (value, names) => (isJsonObject(value) ? idText(value, names) : member.read(value, names)),
    async show(raw, names, row) {
      const digits = /^ *([1-9]\d{0,9}) *$/.exec(String(raw ?? ''))?.[1];
      if (digits === undefined || !(await isId(row, names))) return member.show(raw, names, row);
      // The id of a resource that does not exist must not become that of another one.
      return (await names.nameOrLose('resources', digits)) ?? '0';
    },
  };
}

async function idText(value: JsonObject, names: Names): Promise<string> {
  const { user, ...others } = value;
  const isUser = typeof user === 'string' && Object.keys(others).length === 0;
  return String(await (isUser ? names.idOf('users', user) : names.idOf('resources', value)));
}

const noArray = 'a:0:{}';

/** JSON that the CMS keeps as PHP's serialize text; what JSON cannot say is `{"php": "O:8:…"}`. */
export function php(column: string, byDefault: string | null = noArray): Member {
  return {
    column,
    default: byDefault,
    read(value) {
      if (value === null) return null;
      const text = isJsonObject(value) && Object.keys(value).length === 1 ? value['php'] : undefined;
      if (typeof text === 'string') return text;
      if (!isPhpWritable(value)) throw new WrongValue(`must be a list or an object of at most ${deepest} levels`);
      return serializePhpValue(value);
    },
    show(raw, names) {
      if (raw === null) return null;
      if (hasNul(raw, names)) return undefined;
      const stored = String(raw);
      if (stored === '') return [];
      const parsed = parsePhpValue(stored);
      const shown = parsed instanceof Map ? jsonOfPhp(parsed) : undefined;
      return shown !== undefined && isWithinDepth(shown, deepest) ? shown : { php: stored };
    },
  };
}

export function local(member: Member): Member {
  return { ...member, isLocal: true };
}

/** Rows with ids in the store; the order counts where the rows have a `rank`. */
export function nameList(
  kind: NamedKind,
  part: Omit<Part, 'read' | 'show' | 'columns' | 'order'> & { readonly column: string; readonly rank?: string },
): Part {
  const { column, rank, ...rest } = part;
  const order = rank === undefined ? [] : [rank];
  return {
    ...rest,
    columns: [column, ...order],
    order,
    async read(given, names) {
      const wrong = new WrongValue('must be a list of names');
      if (!Array.isArray(given)) throw wrong;
      const ids = new Set<Param>();
      for (const name of given) {
        if (typeof name !== 'string') throw wrong;
        ids.add(await names.idOf(kind, name));
      }
      return [...ids].map((id, at) => ({ [column]: id, ...(rank === undefined ? {} : { [rank]: at }) }));
    },
    async show(rows, names) {
      const found = new Map<string, readonly [rank: number, id: number]>();
      for (const row of rows) {
        const name = await names.nameOrLose(kind, row[column] ?? 0);
        const at = rank === undefined ? ([0, 0] as const) : ([Number(row[rank]), Number(row[column])] as const);
        // An old database may hold a name twice.
        if (isJsonObject(name)) names.lose(`several have the name ${name['name']}`);
        if (typeof name === 'string' && !found.has(name)) found.set(name, at);
      }
      const sorted = [...found].sort(
        ([a, [first, id]], [b, [second, other]]) => first - second || id - other || (a < b ? -1 : 1),
      );
      return sorted.map(([name]) => name);
    },
  };
}
