/** Types of the statements of content queries, and what they need from the database. */
import type { Dialect } from '../../store/base/dialect.js';
import type { Predicate, TvRef } from './predicate.js';

export interface SqlDialect extends Dialect {
  /** The forms in which a site stores some texts; absent if each text has one form. */
  formsOf?(values: readonly (string | number)[]): readonly (string | number)[];
}

export interface SqlTable {
  readonly name: string;
  /** Older releases of the CMS lack some columns: their fields have no value. */
  hasColumn(column: string): boolean;
  readonly mayHoldNull: (column: string) => boolean;
  isExact(column: string): boolean;
  /** For comparing a loose column as it is, by which an index finds candidates. */
  candidateMark(column: string): string;
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
  readonly member?: Predicate;
}

export interface TableIndex {
  readonly name: string;
  readonly columns: readonly string[];
}
