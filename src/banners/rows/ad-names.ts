/** Names of banners and positions, of removed ones too: the audit log has them under the last name they had. */
import type { Reader } from '../../store/base/database.js';

export type NamedKind = 'ad' | 'position';

const tables: Readonly<Record<NamedKind, string>> = Object.freeze({ ad: '`hcd_ads`', position: '`hcd_ad_positions`' });

/** Ids of one statement. */
const together = 100;

/** Names by id; without those that nobody knows any more. */
export async function readNames(reader: Reader, kind: NamedKind, ids: readonly number[]): Promise<Map<number, string>> {
  const names = new Map<number, string>();
  const left = [...new Set(ids)];
  while (left.length > 0) {
    const part = left.splice(0, together);
    await addNames(names, { reader, sql: `SELECT \`id\`, \`name\` FROM ${tables[kind]} WHERE \`id\` IN`, ids: part });
    const removed = part.filter((id) => !names.has(id));
    // The last row of each comes last and stays.
    await addNames(names, {
      reader,
      sql: `SELECT \`entity_id\`, \`label\` FROM \`hcd_ad_audit\` WHERE \`entity\` = '${kind}' AND \`entity_id\` IN`,
      ids: removed,
      order: ' ORDER BY `id`',
    });
  }
  return names;
}

interface NamesQuestion {
  readonly reader: Reader;
  /** Up to the list of ids. */
  readonly sql: string;
  readonly ids: readonly number[];
  readonly order?: string;
}

async function addNames(names: Map<number, string>, { reader, sql, ids, order = '' }: NamesQuestion): Promise<void> {
  if (ids.length === 0) return;
  const rows = await reader.select({ sql: `${sql} (${ids.map(() => '?').join(', ')})${order}`, params: ids });
  for (const [id, name] of rows) names.set(Number(id), String(name));
}
