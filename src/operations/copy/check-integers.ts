/** Integers that SQLite has no place for: an unsigned BIGINT of MariaDB goes one bit further. */
import { AppError } from '../../errors/app-error.js';
import type { Param } from '../../store/base/database.js';
import { readingKey, type TableShape } from '../copy-tables/table-shape.js';

const largest = 9_223_372_036_854_775_807n;

/** Throws refused, naming table, column, row and value. */
export function checkIntegers(
  row: readonly Param[],
  { table, columns }: { readonly table: TableShape; readonly columns: readonly string[] },
): void {
  const at = row.findIndex((value) => typeof value === 'bigint' && value > largest);
  if (at === -1) return;
  const key = (readingKey(table) ?? columns).map((name) => `${name} ${String(row[columns.indexOf(name)])}`).join(', ');
  throw new AppError('refused', {
    message: `The row ${key} of ${table.name} cannot be copied: its column ${columns[at]} holds ${row[at]}, and the largest integer in SQLite is ${largest}. Correct it in the source and run the same command again, or copy to MariaDB.`,
  });
}
