/** Resources that are shown in another context than their own (docs/reference/storage.md#contexts). */
import type { Reader } from '../../store/base/database.js';

/** Ids of the resources linked to the context. */
export async function readLinkedResources(db: Reader, prefix: string, context: string): Promise<number[]> {
  const rows = await db.select({
    sql: `SELECT \`resource\` FROM \`${prefix}context_resource\` WHERE \`context_key\` = ?`,
    params: [context],
  });
  return rows.map((row) => Number(row[0]));
}
