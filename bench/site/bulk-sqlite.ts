/** Fills a SQLite file: prepared inserts in large transactions without syncs, indexes afterwards. */
import Database from 'better-sqlite3';
import { type BulkLoader, type BulkTable, insertSql } from './bulk.js';

const rowsPerTransaction = 50_000;

/** Opens the loader on a migrated file. `prefix` is that of the content tables. */
export function openSqliteLoader(path: string, prefix: string): BulkLoader {
  const db = new Database(path);
  // A half-made file is thrown away with its folder, so nothing here needs to survive a crash.
  for (const pragma of ['synchronous = OFF', 'cache_size = -500000', 'temp_store = MEMORY']) db.pragma(pragma);
  return {
    async fill(table) {
      const name = `${prefix}${table.name}`;
      const indexes = db
        .prepare<[string], { name: string; sql: string }>(
          "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL",
        )
        .all(name);
      for (const index of indexes) db.exec(`DROP INDEX "${index.name}"`);
      insertRows(db, { ...table, name });
      for (const index of indexes) db.exec(index.sql);
    },
    async analyze() {
      // Without the samples that make SQLite plan each statement again at every run (docs/operations.md).
      db.exec('ANALYZE; DELETE FROM sqlite_stat4');
      db.pragma('wal_checkpoint(TRUNCATE)');
    },
    async close() {
      db.close();
    },
  };
}

function insertRows(db: Database.Database, table: BulkTable): void {
  const insert = db.prepare(insertSql(table));
  let open = 0;
  db.exec('BEGIN');
  for (const row of table.rows) {
    insert.run(...row);
    open += 1;
    if (open < rowsPerTransaction) continue;
    db.exec('COMMIT; BEGIN');
    open = 0;
  }
  db.exec('COMMIT');
}
