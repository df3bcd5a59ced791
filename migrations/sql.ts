/** SQL text for migrations: quoted names, literals and rows that are inserted unless they are there. */
import type { MigrationContext } from '../src/store/migrations/migration.js';

export type Value = string | number | null;

export function quote(name: string): string {
  return `\`${name}\``;
}

/** Only MariaDB reads a backslash in a string as an escape. */
export function literal(dialect: MigrationContext['dialect'], value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  const text = dialect === 'mariadb' ? value.replaceAll('\\', '\\\\') : value;
  return `'${text.replaceAll("'", "''")}'`;
}

/** Sequelize's `bulkInsert` declares no way to pass over taken keys. */
export async function insertMissing(
  context: MigrationContext,
  table: string,
  rows: readonly Readonly<Record<string, Value>>[],
): Promise<void> {
  const verb = context.dialect === 'mariadb' ? 'INSERT IGNORE INTO' : 'INSERT OR IGNORE INTO';
  for (const row of rows) {
    const names = Object.keys(row).map(quote).join(', ');
    const values = Object.values(row).map((value) => literal(context.dialect, value));
    await context.run(`${verb} ${quote(context.prefix + table)} (${names}) VALUES (${values.join(', ')})`);
  }
}
