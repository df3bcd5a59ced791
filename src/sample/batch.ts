/** The form in which the sample site hands over its rows: one batch per table, columns named once. */

export type SampleValue = string | number | null;
export type SampleRow = Readonly<Record<string, SampleValue>>;

export interface SampleBatch {
  /** Name without the table prefix. */
  readonly table: string;
  /** The primary key: a row that is there already under this key is meant to be replaced. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SampleValue[])[];
}

/** A batch from rows that all have the same columns. */
export function makeBatch(table: string, key: readonly string[], rows: readonly SampleRow[]): SampleBatch {
  const columns = Object.keys(rows[0] ?? {});
  return { table, key, columns, rows: rows.map((row) => columns.map((column) => row[column] ?? null)) };
}

/** Unix seconds of a fixed time given as ISO 8601. */
export function fixedTime(text: string): number {
  return Date.parse(text) / 1000;
}

/** The entry at this place, counting round: a steady choice that needs no random numbers. */
export function choose<T>(list: readonly T[], index: number): T {
  const entry = list[((index % list.length) + list.length) % list.length];
  if (entry === undefined) throw new RangeError('nothing to choose from');
  return entry;
}
