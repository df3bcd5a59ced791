/** What exports, imports and comparisons need of each object, independent of its tables. */
import type { JsonValue } from '../../content/objects/values.js';
import type { Tables } from '../../store/base/columns.js';
import type { RawRow, RawValue, Tx } from '../../store/base/database.js';
import { isJsonObject, type JsonObject } from '../../values/json.js';
import type { Members, Part, RawValues, Values } from './members.js';
import type { Names } from './names.js';
import { type NamedKind, tableOf } from './record-names.js';
import {
  type Filter,
  type Findings,
  isCount,
  type Line,
  type Readers,
  type RowWriter,
  type WantedId,
  type Warned,
} from './transfer-record.js';

/** The id of a row, or the one that a dry run would give it; a text where the rows have no id. */
export type RowKey = number | string;

export interface Scope {
  readonly readers: Readers;
  readonly prefix: string;
  /** As they are: what does not fit a column is refused. */
  readonly tables: Tables;
  readonly names: Names;
  readonly onLost?: (loss: Loss) => void;
}

/** What an export leaves out, mostly dangling references; null as the member = the whole record. */
export interface Loss {
  readonly object: string;
  readonly key: RowKey;
  readonly member: string | null;
  readonly why: string;
}

export interface Writing {
  readonly tx: Tx;
  readonly writer: RowWriter;
  /** Unix milliseconds by the clock of the database. */
  readonly now: number;
  readonly by: string;
  readonly line: Line;
}

export interface Reading extends Pick<Findings, 'missing' | 'problems'> {
  readonly shown: Readonly<Record<string, JsonValue>>;
  readonly warnings?: readonly Warned[];
  /** Returns the key; without a transaction the record only becomes known. */
  readonly write: (writing: Writing | null) => Promise<RowKey>;
}

export interface Stored {
  readonly key: RowKey;
  readonly record: JsonObject;
}

export interface Kind {
  readonly object: string;
  readonly database: 'content' | 'own';
  readonly members: readonly string[];
  readonly list: (scope: Scope, filter: Filter) => AsyncIterable<readonly RowKey[]>;
  /** As files have them; without what exports leave out unless `isWhole`. */
  readonly show: (
    scope: Scope,
    keys: readonly RowKey[],
    how: { readonly isWhole: boolean },
  ) => Promise<ReadonlyMap<RowKey, JsonObject>>;
  /** By name; undefined when the store has no such record. Throws WrongValue. */
  readonly find: (scope: Scope, record: JsonObject) => Promise<RowKey | undefined>;
  readonly read: (scope: Scope, record: JsonObject, stored: Stored | null, id?: WantedId) => Promise<Reading>;
  readonly nameOf: (record: JsonObject) => string;
  /** Completes the records of a batch in its transaction. */
  readonly finish?: (tx: Tx, keys: readonly RowKey[]) => Promise<void>;
}

/** Files may have them: people and what they may do, and settings of the server. */
export const neverExported: ReadonlySet<string> = new Set([
  ...['roles', 'user_groups', 'user_group_settings', 'users', 'user_settings', 'context_access'],
  ...['resource_group_access', 'settings'],
]);

export interface RecordKind {
  /** Real name where it begins with `hcd_` or the kind has no prefix; else without the prefix. */
  readonly table: string;
  readonly hasNoPrefix?: boolean;
  readonly members: Members;
  readonly parts?: Readonly<Record<string, Part>>;
  readonly isTree?: boolean;
  readonly constants?: Values;
  readonly key: readonly string[];
  /** Of an export; the key unless given. */
  readonly order?: readonly string[];
  /** Columns of the primary key where the table does not count its rows. */
  readonly primary?: readonly string[];
  /** The key is a whole number that means the same in every store. */
  readonly isOrderedByKey?: boolean;
  /** The column with the context of a row; empty = every context. */
  readonly context?: string;
  /** Columns with the time of the last change, and their unit. */
  readonly changed?: { readonly columns: readonly string[]; readonly unit: 'seconds' | 'milliseconds' | 'text' };
  readonly hidden?: { readonly columns: readonly string[]; readonly isHidden: (row: RawValues) => boolean };
  /** Rows of other tables that each new record has. */
  readonly also?: (
    record: JsonObject,
    id: number,
    names: Names,
  ) => Promise<readonly { readonly table: string; readonly values: Values }[]>;
  /** Columns that follow from the others, or say when the row was written. */
  readonly completed?: (values: Values, written: { readonly now: number; readonly isNew: boolean }) => Values;
  readonly check?: (record: JsonObject) => readonly (readonly [member: string, problem: string])[];
  /** Completes the rows of a batch in its transaction. */
  readonly finish?: (tx: Tx, keys: readonly RowKey[]) => Promise<void>;
  /** What a new record has until everything that it refers to is there. */
  readonly interim?: Values;
}

/** Of records that others refer to by a name (names.ts). */
export function namedRecords(
  object: NamedKind,
  kind: Omit<RecordKind, 'table' | 'key'> & Partial<Pick<RecordKind, 'key'>>,
): RecordKind {
  const { table, name } = tableOf(object);
  return { table, key: [name], ...kind };
}

export function rowOf(columns: readonly string[], row: RawRow): RawValues {
  return Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null]));
}

export function isWanted({ context, changed }: RecordKind, row: RawValues, { contexts, since }: Filter): boolean {
  const of = context === undefined ? '' : String(row[context] ?? '');
  if (contexts !== undefined && of !== '' && !contexts.includes(of)) return false;
  if (since === undefined || changed === undefined) return true;
  return changed.columns.some((column) => secondsOf(row[column] ?? null, changed.unit) >= since);
}

/** Rows without a time count as changed. */
function secondsOf(stored: RawValue, unit: 'seconds' | 'milliseconds' | 'text'): number {
  if (stored === null) return Number.POSITIVE_INFINITY;
  if (unit !== 'text') return Number(stored) / (unit === 'seconds' ? 1 : 1000);
  const seconds = Date.parse(`${String(stored).slice(0, 19).replace(' ', 'T')}Z`) / 1000;
  return Number.isNaN(seconds) ? Number.POSITIVE_INFINITY : seconds;
}

export function recordName({ key }: RecordKind, record: JsonObject): string {
  const { nth } = record;
  const words = key.filter((name) => name !== 'nth').map((name) => wordOf(record[name]));
  const name = key.includes('parent')
    ? words
        .toReversed()
        .filter((word) => word !== '')
        .join(' / ')
    : words.join(':');
  return isCount(nth) && nth > 1 ? `${name} (${nth})` : name;
}

function wordOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.join(' / ');
  if (!isJsonObject(value)) return String(value);
  const { name, nth } = value;
  return isCount(nth) ? `${String(name)} (${nth})` : JSON.stringify(value);
}
