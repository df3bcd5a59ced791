import type { Predicate, TvRef } from './predicate.js';

/** Implemented by src/store/base/dialect.ts. */
export interface SqlDialect {
  readonly name: 'sqlite' | 'mariadb';
  quote(identifier: string): string;
  /** Compares and orders text by code point. */
  exactText(column: string): string;
  /** Goes with exactText. */
  readonly exactMark: string;
  /** Ignores case, for LIKE. */
  foldedText(column: string): string;
  /** Goes with foldedText. */
  readonly foldedMark: string;
  /** Text behind the table that makes the statement walk this index; empty if the database does so itself. */
  orderHint(index: string): string;
  /** Text behind the table that makes the statement find single rows by this covering index. */
  lookupHint(index: string): string;
  /**
   * Text behind the table that makes the statement find single rows by the primary key; empty if the database does so
   * itself.
   */
  readonly keyHint: string;
  /** Reads its left side first. */
  readonly inOrderJoin: string;
  /** The forms in which a site stores some texts; absent if each text has one form. */
  formsOf?(values: readonly (string | number)[]): readonly (string | number)[];
}

export interface SqlTable {
  /** Prefix included. */
  readonly name: string;
  /** Older releases of the CMS lack some columns: their fields have no value. */
  hasColumn(column: string): boolean;
  /** True for unknown columns. */
  readonly mayHoldNull: (column: string) => boolean;
  /** The collation already compares text exactly. */
  isExact(column: string): boolean;
  /** For comparing a loose column as it is, by which an index finds candidates. */
  candidateMark(column: string): string;
  /** Real name of the table that joins resources to resource groups. */
  readonly documentGroups: string;
  readonly indexes: readonly TableIndex[];
}

/** 'search', or only if the named table has more than a few rows. */
type Heavy = boolean | 'search' | { readonly over: string };

export interface SqlStatement {
  readonly sql: string;
  readonly params: readonly (string | number)[];
  readonly heavy?: Heavy;
}

/** The index of these values is walked first, and each value names its row. Rows without a value are not met. */
export interface TvDriver {
  readonly tv: TvRef;
  /** Absent for values that are not lists. */
  readonly member?: Predicate;
}

export interface TableIndex {
  readonly name: string;
  readonly columns: readonly string[];
}
