/** Rows of the CMS's log of what editors did, in `manager_log`. */
import type { RawRow, Reader } from '../../store/base/database.js';

export interface ManagerLogRow {
  readonly id: number;
  /** As the CMS's processors name it, such as `publish_resource`. */
  readonly action: string;
  readonly classKey: string;
  /** Mostly an id, as text. */
  readonly item: string;
  /** Differs from that of another row that had the same id before the log was emptied. */
  readonly text: string;
}

/** Rows after an id, the oldest first, at most `limit`. */
export async function readManagerLog(
  reader: Reader,
  prefix: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly ManagerLogRow[]> {
  const rows = await reader.select({
    sql: `SELECT \`id\`, \`action\`, \`classKey\`, \`item\`, \`occurred\` FROM \`${prefix}manager_log\` WHERE \`id\` > ? ORDER BY \`id\` LIMIT ?`,
    params: [after, limit],
  });
  return rows.map(decode);
}

/** The id of the newest row; 0 for an empty log. */
export async function readManagerLogEnd(reader: Reader, prefix: string): Promise<number> {
  const rows = await reader.select({ sql: `SELECT MAX(\`id\`) FROM \`${prefix}manager_log\``, params: [] });
  return Number(rows[0]?.[0] ?? 0);
}

function decode([id, action, classKey, item, occurred]: RawRow): ManagerLogRow {
  return {
    id: Number(id),
    action: String(action),
    classKey: String(classKey),
    item: String(item),
    text: [id, action, classKey, item, occurred].map(String).join(' '),
  };
}
