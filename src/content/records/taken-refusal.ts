/** Runs a write of a row. When a key refuses it, finds which fields another record has: the database says only that some key is taken. */
import { AppError, invalidFields } from '../../errors/app-error.js';
import type { Table } from '../../store/base/columns.js';
import { classifyFailure } from '../../store/base/errors.js';
import { type ColumnValues, hasRow } from '../models/rows.js';
import type { Write } from '../mutations/write.js';
import type { ObjectDefinition } from '../objects/definition.js';
import { readTable, tableName } from './record-table.js';

/** A row whose key may be taken. */
interface RefusableRow {
  /** Every value of the row, those that are not written included. */
  readonly columns: ColumnValues;
  /** The key of the row, when it exists already. */
  readonly self?: ColumnValues;
}

/** What the work gives. When a key refuses the row, nothing is written and the transaction goes on; throws which field is taken. */
export async function refusingTaken<T>(
  write: Write,
  definition: ObjectDefinition,
  { row, work }: { readonly row: RefusableRow; readonly work: () => Promise<T> },
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (classifyFailure(error) !== 'conflict') throw error;
    throw (
      (await findTaken(write, definition, row)) ??
      new AppError('conflict', { message: 'A rule of the table refuses the change', cause: error })
    );
  }
}

async function findTaken(
  { tx, writer }: Write,
  definition: ObjectDefinition,
  { columns, self }: RefusableRow,
): Promise<AppError | undefined> {
  const table = await readTable(tx, tableName(writer, definition));
  for (const names of table === undefined ? [] : uniqueKeys(table)) {
    const where = Object.fromEntries(names.map((name) => [name, columns[name] ?? null]));
    if (table === undefined || Object.values(where).includes(null)) continue;
    if (!(await hasRow(tx, { table: table.name, where }, self))) continue;
    const fields = Object.entries(definition.fields).filter(([, field]) => names.includes(field.column));
    const [first, ...others] = fields.map(([name]) => name).filter((name) => !definition.hidden.includes(name));
    if (first === undefined) return undefined;
    const together = others.length === 0 ? '' : ` together with ${others.join(', ')}`;
    return invalidFields({ [first]: [`is taken by another record${together}`] }, 'Invalid field value');
  }
  return undefined;
}

/** The columns of each key that no two rows may share, the primary key first. */
export function uniqueKeys({ columns, indexes }: Table): readonly (readonly string[])[] {
  const primary = [...columns.values()].filter(({ isPrimary }) => isPrimary).map(({ name }) => name);
  return [primary, ...indexes.filter(({ unique }) => unique).map((index) => index.columns)].filter(
    (names) => names.length > 0,
  );
}
