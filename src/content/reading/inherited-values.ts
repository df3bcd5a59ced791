/** Values of template variables: stored ones, defaults, and values inherited from the resources above. */
import type { Reader } from '../../store/base/database.js';
import { readTvValues, type TvRow, tvPlace } from '../models/template-variables.js';
import { isInherited, rawValue } from '../rules/tv-values.js';
import { mostLevels, readAncestors } from './ancestors.js';

interface ResolvedValues {
  readonly values: (row: TvRow) => string;
  readonly ancestors: readonly number[];
}

export async function resolveInherited(
  reader: { readonly db: Reader; readonly prefix: string },
  rows: readonly TvRow[],
): Promise<ResolvedValues> {
  const own = (row: TvRow) => row.stored ?? row.defaultText;
  const inheriting = rows.filter((row) => isInherited(own(row)));
  if (inheriting.length === 0) return { values: own, ancestors: [] };
  const ids = [...new Set(inheriting.map((row) => row.resource))];
  const parents = await readAncestors(reader, { ids, levels: mostLevels });
  const ancestors = [...new Set(parents.values())].filter((id) => id > 0);
  const stored = await readTvValues(reader.db, reader.prefix, {
    resources: ancestors,
    tvs: [...new Set(inheriting.map((row) => row.tv))],
  });
  const values = (row: TvRow): string => {
    if (!isInherited(own(row))) return own(row);
    return rawValue({
      variable: { id: row.tv, defaultText: row.defaultText },
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
