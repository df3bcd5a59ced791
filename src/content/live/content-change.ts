/**
 * A change of content as processes exchange it: the rows that a mutation touched, before and after, under the generation
 * that it raised. As text for the log of changes and for messages between processes.
 */
import { parseJson } from '../../values/json.js';
import { type Cells, cellsOf } from '../query/evaluate.js';
import type { ContentReader } from '../reading/content-reader.js';
import type { FieldValues, Mutation, RowChange } from './mutation.js';

/** Larger changes are not listed: dropping all answers costs less than comparing every answer with every row. */
const mostRows = 500;
const mostCharacters = 262_144;

/** The rows of one generation; null = it is not known what changed. */
export interface ContentChange {
  readonly generation: number;
  readonly rows: readonly RowChange[] | null;
}

/** One changed row by columns, as conditions look at rows. */
export interface ChangedRow {
  /** Its table. */
  readonly set: string;
  /** Known values before; null = there was no such row. */
  readonly before: Cells | null;
  /** Known values after; null = the row is gone. */
  readonly after: Cells | null;
}

/** The text of a mutation's rows; null when they are too many to list. */
export function writeChangedRows({ rows }: Pick<Mutation, 'rows'>): string | null {
  if (rows.length > mostRows) return null;
  const text = JSON.stringify(rows.map(({ object, key, before, after }) => [object, key, before, after]));
  return text.length > mostCharacters ? null : text;
}

/** Reads such a text; null for one of another version of the program. */
export function readChangedRows(text: string): readonly RowChange[] | null {
  const value = parseJson(text);
  if (!Array.isArray(value)) return null;
  const rows: RowChange[] = [];
  for (const entry of value) {
    const row = readRow(entry);
    if (row === null) return null;
    rows.push(row);
  }
  return rows;
}

function readRow(entry: unknown): RowChange | null {
  if (!Array.isArray(entry)) return null;
  const [object, key, before, after]: readonly unknown[] = entry;
  if (typeof object !== 'string' || (typeof key !== 'string' && typeof key !== 'number')) return null;
  if (!isValues(before) || !isValues(after)) return null;
  return { object, key, before, after };
}

function isValues(value: unknown): value is FieldValues | null {
  return typeof value === 'object' && !Array.isArray(value);
}

/** The rows as conditions look at them; null when a row belongs to no object that this process serves. */
export function changedRows(
  { registry, table }: Pick<ContentReader, 'registry' | 'table'>,
  rows: readonly RowChange[],
): readonly ChangedRow[] | null {
  const changed: ChangedRow[] = [];
  for (const { object, key, before, after } of rows) {
    const definition = registry.get(object);
    if (definition === undefined) return null;
    // The key may be absent among the values.
    const cells = (values: FieldValues | null): Cells | null =>
      values === null ? null : cellsOf(definition, { [definition.primaryKey]: key, ...values });
    changed.push({ set: table(definition).name, before: cells(before), after: cells(after) });
  }
  return changed;
}
