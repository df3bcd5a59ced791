/** Resources that are shown in a context beside its own (table context_resource, storage.md 1.3). */
import type { Reader } from '../../store/base/database.js';

/** Ids of the resources linked to the context. */
export async function readLinkedResources(db: Reader, prefix: string, context: string): Promise<number[]> {
  const rows = await db.select({
    sql: `SELECT \`resource\` FROM \`${prefix}context_resource\` WHERE \`context_key\` = ?`,
    params: [context],
  });
  return rows.map((row) => Number(row[0]));
}
