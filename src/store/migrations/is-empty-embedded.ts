/** Whether a store was never used, so that a first start may prepare it. */
import { sqliteTables } from '../state/ledger.js';
import type { MigrationStore } from './migrate.js';

/**
 * Whether this is an embedded store without a single row: new, or left by a first start that was interrupted. Only such
 * a store is migrated without being asked to.
 */
export async function isEmptyEmbedded(store: MigrationStore): Promise<boolean> {
  if (store.kind === 'attached') return false;
  for (const database of new Set([store.content, store.own])) {
    if (database.dialect !== 'sqlite') return false;
    for (const table of await sqliteTables(database)) {
      const [row] = await database.select({ sql: `SELECT EXISTS (SELECT 1 FROM "${table}") AS used`, params: [] });
      if (Number(row?.[0]) !== 0) return false;
    }
  }
  return true;
}
