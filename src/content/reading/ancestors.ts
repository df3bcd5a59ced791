/** The resources above others, by one statement for each level of the tree. */
import { siteContent } from '../models/resources.js';
import type { ContentReader } from './select-rows.js';

/** Levels of ancestors that are read. Real trees are not so deep, but the parents of damaged data may form a circle. */
const maxDepth = 50;

/** The parent of each of the resources and of their ancestors, visible or not; 0 at the top. */
export async function readAncestors(
  reader: ContentReader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const parents = new Map<number, number>();
  let level = ids;
  for (let depth = 0; depth < maxDepth && level.length > 0; depth++) {
    const rows = siteContent.on(reader.db, reader.prefix);
    const found = await rows.lookUpAll({ id: level }, { attributes: ['id', 'parent'] });
    for (const { id, parent } of found) parents.set(id, parent);
    level = [...new Set(found.map(({ parent }) => parent))].filter((id) => id > 0 && !parents.has(id));
  }
  return parents;
}
