/** Finds the row for which the target refused a batch, so that the message can name it. */
import { AppError } from '../../errors/app-error.js';
import type { Database, Param } from '../../store/base/database.js';
import { insertRows, type RowWrite } from '../copy-tables/rows.js';
import { readingKey, type TableShape } from '../copy-tables/table-shape.js';
import { largestInteger } from './row-form.js';

/** Ends a transaction in which nothing may stay. */
class Undo extends Error {}

const reasons: Readonly<Partial<Record<AppError['kind'], string>>> = {
  conflict: 'the target already holds a row with the same unique value',
  invalid: 'a value does not fit its column there: too long, out of range or of another type',
  internal: 'the database refuses it',
};

/** `refused` with the row's key where the row is at fault; any other error comes back as it is. */
export async function explainRefusal(
  error: unknown,
  { target, write, table }: { readonly target: Database; readonly write: RowWrite; readonly table: TableShape },
): Promise<unknown> {
  if (!(error instanceof AppError) || reasons[error.kind] === undefined) return error;
  let found: { row: readonly Param[]; cause: AppError } | undefined;
  try {
    await target.write(async (tx) => {
      for (const row of write.rows) {
        try {
          await insertRows(tx, { ...write, rows: [row] });
        } catch (cause) {
          if (cause instanceof AppError) found = { row, cause };
          break;
        }
      }
      throw new Undo();
    });
  } catch (undone) {
    if (!(undone instanceof Undo)) return error;
  }
  if (found === undefined) return error;
  const { row, cause } = found;
  const shown = (readingKey(table) ?? write.columns).map((name) => `${name} ${text(row[write.columns.indexOf(name)])}`);
  return new AppError('refused', {
    message: `The row ${shown.join(', ')} of ${table.name} cannot be copied: ${reasons[cause.kind] ?? cause.message}. Correct it in the source and run the same command again.`,
    cause,
  });
}

function text(value: Param | undefined): string {
  const full = Buffer.isBuffer(value) ? value.toString('hex') : String(value);
  return full.length > 40 ? `${full.slice(0, 40)}…` : full;
}

/** Throws refused, naming table, column, row and value. */
export function checkIntegers(
  row: readonly Param[],
  { table, columns }: { readonly table: TableShape; readonly columns: readonly string[] },
): void {
  const at = row.findIndex((value) => typeof value === 'bigint' && value > largestInteger);
  if (at === -1) return;
  const key = (readingKey(table) ?? columns).map((name) => `${name} ${String(row[columns.indexOf(name)])}`).join(', ');
  throw new AppError('refused', {
    message: `The row ${key} of ${table.name} cannot be copied: its column ${columns[at]} holds ${row[at]}, and the largest integer in SQLite is ${largestInteger}. Correct it in the source and run the same command again, or copy to MariaDB.`,
  });
}
