/** Runs SQL statements in one transaction. */
import type { Database } from '../../src/store/base/database.js';

export function execute(database: Pick<Database, 'write'>, ...statements: readonly string[]): Promise<void> {
  return database.write(async (tx) => {
    for (const sql of statements) await tx.run({ sql, params: [] });
  });
}
