/** Media sources of the content store. */
import type { Reader } from '../../store/base/database.js';

export interface MediaSourceRow {
  readonly id: number;
  readonly classKey: string;
  /** PHP-serialized overrides of the class's properties. */
  readonly properties: string | null;
}

export async function readMediaSources(db: Reader, prefix: string): Promise<MediaSourceRow[]> {
  const rows = await db.select({
    sql: `SELECT \`id\`, \`class_key\`, \`properties\` FROM \`${prefix}media_sources\` ORDER BY \`id\``,
    params: [],
  });
  return rows.map((row) => ({
    id: Number(row[0]),
    classKey: String(row[1]),
    properties: row[2] === null ? null : String(row[2]),
  }));
}
