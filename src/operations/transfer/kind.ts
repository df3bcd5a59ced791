/** What exports, imports and comparisons need of each object, independent of its tables. */
import type { JsonValue } from '../../content/objects/values.js';
import type { Tables } from '../../store/base/columns.js';
import type { Tx } from '../../store/base/database.js';
import type { JsonObject } from '../../values/json.js';
import type { Names, Readers } from './names.js';
import type { RowWriter } from './row-writer.js';
import type { Line, WantedId } from './transfer-record.js';
import type { Findings, Warned } from './wrong-value.js';

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

export interface Filter {
  readonly contexts?: readonly string[];
  /** Unix seconds of the change. */
  readonly since?: number;
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
  /** Values that are written although they break a rule. */
  readonly warnings?: readonly Warned[];
  /** Returns the key; without a transaction the record only becomes known. */
  readonly write: (writing: Writing | null) => Promise<RowKey>;
}

export interface Kind {
  readonly object: string;
  readonly database: 'content' | 'own';
  readonly members: readonly string[];
  readonly isLocal: boolean;
  readonly list: (scope: Scope, filter: Filter) => AsyncIterable<readonly RowKey[]>;
  /** As files have them; without what exports leave out unless `isWhole`. */
  readonly show: (
    scope: Scope,
    keys: readonly RowKey[],
    how: { readonly isWhole: boolean },
  ) => Promise<ReadonlyMap<RowKey, JsonObject>>;
  /** By name; undefined when the store has no such record. Throws WrongValue. */
  readonly find: (scope: Scope, record: JsonObject) => Promise<RowKey | undefined>;
  readonly read: (
    scope: Scope,
    record: JsonObject,
    stored: { readonly key: RowKey; readonly record: JsonObject } | null,
    /** For a new record. */
    id?: WantedId,
  ) => Promise<Reading>;
  readonly nameOf: (record: JsonObject) => string;
  /** Completes the records of a batch in its transaction. */
  readonly finish?: (tx: Tx, keys: readonly RowKey[]) => Promise<void>;
}
