/** The resources above and below others, by one statement for each level, and the values inherited from above. */
import type { Reader } from '../../store/base/database.js';
import { batchesOf } from '../../values/batches.js';
import { siteContent } from '../models/resources.js';
import { readTvValues, type TvRow, tvPlace } from '../models/template-variables.js';
import { isInherited, rawValue } from '../rules/tv-values.js';

/** Real trees are not so deep, but parents of damaged data may form a circle. */
export const mostLevels = 50;

/** Visible or not; 0 at the top. Each resource gets at least `levels` levels, itself included. */
export async function readAncestors(
  { db, prefix }: { readonly db: Reader; readonly prefix: string },
  { ids, levels }: { readonly ids: readonly number[]; readonly levels: number },
): Promise<ReadonlyMap<number, number>> {
  const parents = new Map<number, number>();
  let level = ids;
  for (let depth = 0; depth < levels && level.length > 0; depth++) {
    const rows = siteContent.on(db, prefix);
    const found = await rows.lookUpAll({ id: level }, { attributes: ['id', 'parent'] });
    for (const { id, parent } of found) parents.set(id, parent);
    level = [...new Set(found.map(({ parent }) => parent))].filter((id) => id > 0 && !parents.has(id));
  }
  return parents;
}

const parentsTogether = 100;

/** Without the given ids; null when there are more than `most`. */
export async function readDescendants(
  { db, prefix }: { readonly db: Reader; readonly prefix: string },
  { ids, most }: { readonly ids: readonly number[]; readonly most: number },
): Promise<readonly number[] | null> {
  // Parents of damaged data may form a circle.
  const known = new Set(ids);
  for (let parents = ids; parents.length > 0; ) {
    const next: number[] = [];
    for (const parent of batchesOf(parents, parentsTogether)) {
      const rows = await siteContent.on(db, prefix).lookUpAll({ parent }, { attributes: ['id'], limit: most + 1 });
      for (const { id } of rows) if (!known.has(id)) next.push(id);
      for (const id of next) known.add(id);
      if (known.size - ids.length > most) return null;
    }
    parents = next;
  }
  return [...known].slice(ids.length);
}

export async function resolveInherited(
  reader: { readonly db: Reader; readonly prefix: string },
  rows: readonly TvRow[],
): Promise<{ readonly values: (row: TvRow) => string; readonly ancestors: readonly number[] }> {
  const own = (row: TvRow) => row.stored ?? row.variable.defaultText;
  const inheriting = rows.filter((row) => isInherited(own(row)));
  if (inheriting.length === 0) return { values: own, ancestors: [] };
  const ids = [...new Set(inheriting.map((row) => row.resource))];
  const parents = await readAncestors(reader, { ids, levels: mostLevels });
  const ancestors = [...new Set(parents.values())].filter((id) => id > 0);
  const stored = await readTvValues(reader.db, reader.prefix, {
    resources: ancestors,
    tvs: [...new Set(inheriting.map((row) => row.variable.id))],
  });
  const values = (row: TvRow): string => {
    if (!isInherited(own(row))) return own(row);
    return rawValue({
      variable: row.variable,
      resourceId: row.resource,
      source: {
        stored: (tv, resource) =>
          resource === row.resource ? (row.stored ?? undefined) : stored.get(tvPlace(tv, resource)),
        parentOf: (resource) => parents.get(resource),
      },
    });
  };
  return { values, ancestors };
}
