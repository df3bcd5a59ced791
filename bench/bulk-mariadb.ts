/** Fills a MariaDB database: the driver's bulk inserts in large transactions, secondary indexes afterwards. */
import mariadb from 'mariadb';
import { type BulkLoader, type BulkTable, type BulkValue, insertSql } from './bulk.js';

const rowsPerBatch = 2000;

interface IndexPart {
  readonly name: string;
  readonly unique: number;
  readonly columns: string;
}

/** Opens the loader on a migrated database. `prefix` is that of the content tables. */
export async function openMariadbLoader(url: string, prefix: string): Promise<BulkLoader> {
  const { hostname, port, username, pathname } = new URL(url);
  const connection = await mariadb.createConnection({
    host: hostname,
    port: Number(port),
    user: username,
    database: pathname.slice(1),
    bigIntAsNumber: true,
  });
  await connection.query('SET unique_checks = 0, foreign_key_checks = 0');
  const filled: string[] = [];

  const insertRows = async (table: BulkTable): Promise<void> => {
    const sql = insertSql(table);
    let batch: BulkValue[][] = [];
    for (const row of table.rows) {
      batch.push([...row]);
      if (batch.length < rowsPerBatch) continue;
      await connection.batch(sql, batch);
      batch = [];
    }
    if (batch.length > 0) await connection.batch(sql, batch);
  };

  return {
    async fill(table) {
      const name = `${prefix}${table.name}`;
      const indexes: IndexPart[] = await connection.query(
        `SELECT INDEX_NAME AS name, MAX(NON_UNIQUE = 0) AS \`unique\`,
           GROUP_CONCAT(CONCAT('\`', COLUMN_NAME, '\`', IF(SUB_PART IS NULL, '', CONCAT('(', SUB_PART, ')'))) ORDER BY SEQ_IN_INDEX) AS columns
         FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND INDEX_NAME <> 'PRIMARY'
         GROUP BY INDEX_NAME`,
        [name],
      );
      const change = (parts: readonly string[]) =>
        parts.length === 0 ? undefined : connection.query(`ALTER TABLE \`${name}\` ${parts.join(', ')}`);
      await change(indexes.map((index) => `DROP INDEX \`${index.name}\``));
      await insertRows({ ...table, name });
      await change(
        indexes.map((index) => `ADD ${index.unique ? 'UNIQUE ' : ''}INDEX \`${index.name}\` (${index.columns})`),
      );
      filled.push(name);
    },
    async analyze() {
      for (const name of filled) await connection.query(`ANALYZE TABLE \`${name}\``);
    },
    close: () => connection.end(),
  };
}
