/** What a kind of record is: its table, its members, and the rows of other tables that belong to it. */
import type { ValueProblem } from '../../content/objects/values.js';
import type { Param } from '../../store/base/database.js';
import type { JsonObject } from '../../values/json.js';
import type { Members } from './members.js';
import type { Missing, NamedKind, Names } from './names.js';

export type Values = Readonly<Record<string, Param>>;

/** A row without its id. */
export interface Row {
  /** Without the prefix. */
  readonly table: string;
  readonly values: Values;
  /** The table counts its rows. */
  readonly isCounted?: boolean;
}

export type Rows = readonly Row[] | Missing | ValueProblem;

/** The row that a record became. */
export interface Owner {
  readonly id: number;
  readonly record: JsonObject;
}

/** A member whose value is rows of other tables. */
export type Part = (value: unknown, owner: Owner, names: Names) => Promise<Rows>;

export interface RecordKind {
  /** Without the prefix. */
  readonly table: string;
  readonly members: Members;
  /** Columns that have the same value in every row. */
  readonly constants?: Values;
  readonly parts?: Readonly<Record<string, Part>>;
  /** Rows that each record has in addition to its own. */
  readonly beside?: (owner: Owner, names: Names) => Promise<Rows>;
  readonly identity: Counted | Keyed;
}

interface Identity {
  /** Makes the record known to those that name it; false when the name is taken. One without a sound name has none. */
  readonly claim: (owner: Owner, names: Names) => Promise<boolean>;
}

/** The table counts its rows. */
interface Counted extends Identity {
  readonly counted: true;
}

/** A row with the same values in these columns is changed. */
interface Keyed extends Identity {
  readonly key: readonly string[];
}

export function isCounted(identity: Counted | Keyed): identity is Counted {
  return 'counted' in identity;
}

/** Nothing names such records. */
export const unnamed: Counted = { counted: true, claim: async () => true };

export function keyedBy(...key: readonly string[]): Keyed {
  return { key, claim: async () => true };
}

export function namedBy(kind: NamedKind, member: string): Counted {
  return {
    counted: true,
    async claim({ id, record }, names) {
      const name = record[member];
      return typeof name !== 'string' || names.add(kind, name, id);
    },
  };
}
