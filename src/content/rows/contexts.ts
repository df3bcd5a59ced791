/** Keys of the contexts of the content store. */
import type { Reader } from '../../store/base/database.js';

/** All context keys in the CMS's own order. */
export async function readContextKeys(db: Reader, prefix: string): Promise<string[]> {
  const rows = await db.select({
    sql: `SELECT \`key\` FROM \`${prefix}context\` ORDER BY \`rank\`, \`key\``,
    params: [],
  });
  return rows.map((row) => String(row[0]));
}
