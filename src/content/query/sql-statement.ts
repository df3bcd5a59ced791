/** Statements of the content queries, and what they need to know of the database and its tables. */
import type { Predicate, TvRef } from './predicate.js';

/** What differs between the stores, by name. Implemented by src/store/base/dialect.ts. */
export interface SqlDialect {
  readonly name: 'sqlite' | 'mariadb';
  quote(identifier: string): string;
  /** An expression that compares and orders text by code point. */
  exactText(column: string): string;
  /** The placeholder that goes with exactText. */
  readonly exactMark: string;
  /** An expression in which upper and lower case are the same; for LIKE. */
  foldedText(column: string): string;
  /** The placeholder that goes with foldedText. */
  readonly foldedMark: string;
  /** Text behind the table that makes the statement walk this index; empty where the database sees to it itself. */
  orderHint(index: string): string;
  /** Text behind the table that makes the statement find single rows by this index, which has all that it needs of them. */
  lookupHint(index: string): string;
  /** Text behind the table that makes the statement find single rows by the primary key; empty where the database sees to it itself. */
  readonly keyHint: string;
  /** A join that reads its left side first. */
  readonly inOrderJoin: string;
  /** The forms in which a site stores some texts; absent where each text has only one. */
  formsOf?(values: readonly (string | number)[]): readonly (string | number)[];
}

/** The table that a statement reads. */
export interface SqlTable {
  /** Real name, prefix included. */
  readonly name: string;
  /** Older releases of the CMS lack some columns: their fields have no value. */
  hasColumn(column: string): boolean;
  /** True for columns that are not known. */
  readonly mayHoldNull: (column: string) => boolean;
  /** Columns whose collation already compares text exactly. */
  isExact(column: string): boolean;
  /** The placeholder for comparing such a loose column as it is, by which an index finds candidates. */
  candidateMark(column: string): string;
  /** Real name of the table that joins resources to resource groups. */
  readonly documentGroups: string;
  readonly indexes: readonly TableIndex[];
}

/** Whether a statement may look at many rows: always, as a search, or only where the table has more than a few. */
type Heavy = boolean | 'search' | { readonly over: string };

export interface SqlStatement {
  readonly sql: string;
  readonly params: readonly (string | number)[];
  readonly heavy?: Heavy;
}

/**
 * The values of a template variable by which rows are found: their index is walked first, and each value names its row.
 * Rows without a value are not met.
 */
export interface TvDriver {
  readonly tv: TvRef;
  /** The condition on the members of lists; absent for values. */
  readonly member?: Predicate;
}

export interface TableIndex {
  readonly name: string;
  readonly columns: readonly string[];
}
