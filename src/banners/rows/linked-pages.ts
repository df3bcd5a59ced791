/** The few fields of resources that links to them and their places in the tree need. */
import type { Reader } from '../../store/base/database.js';

export interface LinkedPage {
  readonly id: number;
  readonly contextKey: string;
  readonly pagetitle: string;
  /** Empty for none. */
  readonly uri: string;
}

/** Resources of one statement. */
const together = 100;

/** Those of the resources that there are and that are not deleted. */
export async function readLinkedPages(reader: Reader, prefix: string, ids: readonly number[]): Promise<LinkedPage[]> {
  const left = [...new Set(ids)];
  const pages: LinkedPage[] = [];
  while (left.length > 0) {
    const part = left.splice(0, together);
    const rows = await reader.select({
      sql: `SELECT \`id\`, \`context_key\`, \`pagetitle\`, \`uri\` FROM \`${prefix}site_content\` WHERE \`id\` IN (${part.map(() => '?').join(', ')}) AND \`deleted\` = 0`,
      params: part,
    });
    for (const [id, contextKey, pagetitle, uri] of rows) {
      pages.push({
        id: Number(id),
        contextKey: String(contextKey),
        pagetitle: String(pagetitle ?? ''),
        uri: String(uri ?? ''),
      });
    }
  }
  return pages;
}

/** Null when there is no such resource; 0 = at the top. */
export async function readParent(reader: Reader, prefix: string, id: number): Promise<number | null> {
  const rows = await reader.select({
    sql: `SELECT \`parent\` FROM \`${prefix}site_content\` WHERE \`id\` = ?`,
    params: [id],
  });
  return rows[0] === undefined ? null : Number(rows[0][0]);
}
