/** Says which fields of a refused row another record has: the database tells only that some key is taken. */
import { AppError, invalidFields } from '../../errors/app-error.js';
import type { Param } from '../../store/base/database.js';
import type { Write } from '../mutations/write.js';
import type { ObjectDefinition } from '../objects/definition.js';
import { hasRow, type RowAddress, readTable, uniqueKeys } from '../rows/records.js';
import { tableName } from './record-table.js';

/** The refusal of a row that a key of the table does not allow: the fields that others have, as far as they are known. */
export async function takenRefusal(
  { tx, writer }: Write,
  definition: ObjectDefinition,
  row: {
    /** Every value of the row by column, those that are not written included. */
    readonly columns: ReadonlyMap<string, Param>;
    /** The row itself, when it exists already. */
    readonly self?: RowAddress;
    readonly cause: unknown;
  },
): Promise<AppError> {
  const table = await readTable(tx, tableName(writer, definition));
  const fields = Object.entries(definition.fields);
  for (const columns of table === undefined ? [] : uniqueKeys(table)) {
    const values = new Map<string, Param>();
    for (const column of columns) {
      const value = row.columns.get(column);
      if (value !== undefined && value !== null) values.set(column, value);
    }
    if (values.size !== columns.length || table === undefined) continue;
    const asked = { table: table.name, values, ...(row.self ? { except: row.self } : {}) };
    if (!(await hasRow(tx, asked))) continue;
    const names = fields.filter(([, field]) => columns.includes(field.column)).map(([name]) => name);
    const shown = names.filter((name) => !definition.hidden.includes(name));
    const [first] = shown;
    if (first === undefined) break;
    const others = shown.length === 1 ? '' : ` together with ${shown.slice(1).join(', ')}`;
    return invalidFields({ [first]: [`is taken by another record${others}`] }, 'Invalid field value');
  }
  return new AppError('conflict', { message: 'A rule of the table refuses the change', cause: row.cause });
}
