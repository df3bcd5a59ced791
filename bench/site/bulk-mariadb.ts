/** Fills a MariaDB database: the driver's bulk inserts in large transactions, secondary indexes afterwards. */
import mariadb, { type Connection } from 'mariadb';
import { type BulkLoader, type BulkTable, type BulkValue, insertSql } from './bulk.js';

const rowsPerBatch = 2000;

interface IndexPart {
  readonly name: string;
  readonly kind: string;
  readonly columns: string;
}

function connect(url: string): Promise<Connection> {
  const { hostname, port, username, pathname } = new URL(url);
  const database = pathname.slice(1);
  return mariadb.createConnection({
    host: hostname,
    port: Number(port),
    user: username,
    database,
    bigIntAsNumber: true,
  });
}

/** Removes all but the primary key; gives the function that makes them again. */
async function dropIndexes(connection: Connection, name: string): Promise<() => Promise<void>> {
  const indexes: IndexPart[] = await connection.query(
    `SELECT INDEX_NAME AS name,
       IF(MAX(INDEX_TYPE) = 'FULLTEXT', 'FULLTEXT ', IF(MAX(NON_UNIQUE = 0), 'UNIQUE ', '')) AS kind,
       GROUP_CONCAT(CONCAT('\`', COLUMN_NAME, '\`', IF(SUB_PART IS NULL, '', CONCAT('(', SUB_PART, ')'))) ORDER BY SEQ_IN_INDEX) AS columns
     FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND INDEX_NAME <> 'PRIMARY'
     GROUP BY INDEX_NAME`,
    [name],
  );
  const change = async (parts: readonly string[]) => {
    if (parts.length > 0) await connection.query(`ALTER TABLE \`${name}\` ${parts.join(', ')}`);
  };
  await change(indexes.map((index) => `DROP INDEX \`${index.name}\``));
  // A full-text index leaves a hidden column behind, without whose numbers for the rows a new one would stay empty.
  await change(indexes.some(({ kind }) => kind.startsWith('FULLTEXT')) ? ['FORCE'] : []);
  return () => change(indexes.map((index) => `ADD ${index.kind}INDEX \`${index.name}\` (${index.columns})`));
}

/** Runs work that fills the tables, whose indexes are made afterwards. */
export async function withoutIndexes(url: string, names: readonly string[], work: () => Promise<void>): Promise<void> {
  const connection = await connect(url);
  try {
    const restores: (() => Promise<void>)[] = [];
    for (const name of names) restores.push(await dropIndexes(connection, name));
    await work();
    for (const restore of restores) await restore();
  } finally {
    await connection.end();
  }
}

/** Opens the loader on a migrated database. `prefix` is that of the content tables. */
export async function openMariadbLoader(url: string, prefix: string): Promise<BulkLoader> {
  const connection = await connect(url);
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
      const restore = await dropIndexes(connection, name);
      await insertRows({ ...table, name });
      await restore();
      filled.push(name);
    },
    async analyze() {
      for (const name of filled) await connection.query(`ANALYZE TABLE \`${name}\``);
    },
    close: () => connection.end(),
  };
}
