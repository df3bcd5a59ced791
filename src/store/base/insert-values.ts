/** Inserts one row of a table whose columns the program knows. */
import type { Param, Tx } from './database.js';

/** Gives the id of the new row, where the table counts one. */
export async function insertValues(tx: Tx, table: string, values: Readonly<Record<string, Param>>): Promise<number> {
  const names = Object.keys(values).map((name) => `\`${name}\``);
  const sql = `INSERT INTO \`${table}\` (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
  return (await tx.run({ sql, params: Object.values(values) })).lastId;
}
