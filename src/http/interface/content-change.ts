/**
 * What the cache of answers knows of content: rows that changed, and which of them an answer depends on. It compares
 * them without knowing what a row is; the API that made the answer decides.
 */

/** Values of a row by column; a column that is absent may hold anything. */
export type RowValues = ReadonlyMap<string, string | number | null>;

/** One row that somebody changed. */
export interface ChangedRow {
  /** Name of the set that the row belongs to: a table. */
  readonly set: string;
  /** Null: there was no such row. */
  readonly before: RowValues | null;
  /** Null: the row is gone. */
  readonly after: RowValues | null;
}

/** Rows on whose values an answer depends, whether they are there or not. */
export interface Dependency {
  readonly set: string;
  /** Dependencies with the same text are the same. */
  readonly text: string;
  /** Only a row with one of these values in the column can be meant; null = any row of the set. */
  readonly only: { readonly column: string; readonly values: readonly (string | number)[] } | null;
  /** False only when a row with these values is certainly not meant. */
  readonly includes: (row: RowValues) => boolean;
}

/** Changed rows, or everything where nobody can tell them. */
export type ContentChange = readonly ChangedRow[] | 'everything';
