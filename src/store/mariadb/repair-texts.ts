/** Connections to a site with double-encoded texts (docs/modx.md#double-encoded-texts). */
import type { Connection, FieldInfo } from 'mariadb';
import { AppError } from '../../errors/app-error.js';
import { isAscii, repairedText } from '../../values/double-encoding.js';

const ours = /^hcd_/i;
const change = /^\s*(?:INSERT(?: IGNORE)? INTO|REPLACE INTO|UPDATE)\s+`?(?!hcd_)[^`\s(]+/i;

/** Repairs the texts of results and refuses to write other than ASCII. */
export function repairTexts(connection: Connection): Connection {
  for (const name of ['query', 'execute'] as const) {
    const ask = connection[name].bind(connection);
    connection[name] = async (...[sql, values]: Parameters<typeof ask>) => {
      refuseMixing(typeof sql === 'string' ? sql : sql.sql, values);
      const result: unknown = await ask(sql, values);
      if (Array.isArray(result) && 'meta' in result) repairRows(result, result.meta as FieldInfo[]);
      return result as never;
    };
  }
  return connection;
}

function repairRows(rows: Record<string | number, unknown>[], columns: FieldInfo[]): void {
  columns.forEach((column, at) => {
    if (ours.test(column.orgTable())) return;
    const key = Array.isArray(rows[0]) ? at : column.name();
    for (const row of rows) row[key] = typeof row[key] === 'string' ? (repairedText(row[key]) ?? row[key]) : row[key];
  });
}

/** Sequelize writes some values into the text of its statements. */
function refuseMixing(sql: string, values: unknown): void {
  const start = change.exec(sql)?.[0];
  if (start === undefined || isAscii.test(`${sql.slice(start.length)}${values}`)) return;
  const message =
    'Only ASCII text can be written while HCD_REPAIR_ENCODING is on: use a copy by hcd db copy --repair-encoding';
  throw new AppError('validation_failed', { message });
}
