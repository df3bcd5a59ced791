/** Which resources lie below others, as the column `parent` says. */

import type { Reader } from '../../store/base/database.js';
import { batchesOf } from '../../values/batches.js';

/** Parents of one statement. */
const together = 100;

/** Ids of all descendants, without the given ones; null when there are more than `most`. */
export async function readIdsBelow(
  reader: Reader,
  prefix: string,
  { ids, most }: { readonly ids: readonly number[]; readonly most: number },
): Promise<readonly number[] | null> {
  // Parents of damaged data may form a circle.
  const known = new Set(ids);
  let parents = [...ids];
  while (parents.length > 0) {
    const children: number[] = [];
    for (const part of batchesOf(parents, together)) {
      const rows = await reader.select({
        sql: `SELECT \`id\` FROM \`${prefix}site_content\` WHERE \`parent\` IN (${part.map(() => '?').join(', ')}) LIMIT ?`,
        params: [...part, most + 1],
      });
      for (const [id] of rows) if (!known.has(Number(id))) children.push(Number(id));
      for (const id of children) known.add(id);
      if (known.size - ids.length > most) return null;
    }
    parents = children;
  }
  return [...known].slice(ids.length);
}
