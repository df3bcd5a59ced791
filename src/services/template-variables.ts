/**
 * Attaches template variables as `tvs: {name: value}`: one statement for all rows; only values that inherit cost more
 * (one statement per level of the tree). Values are raw: bindings that need PHP, SQL or the disk are never evaluated.
 */
import { isInherited, rawValue } from '../content/template-variables.js';
import type { RowPlan } from '../query/plan.js';
import { readParents, readTvRows, readTvValues, type TvRow } from '../store/rows/template-variables.js';
import type { ContentReader } from './content-reader.js';
import type { LoadedRow, RecordJson } from './select-rows.js';

/** Ancestors are looked up at most this far; deeper trees do not occur in practice, cycles in damaged data do. */
const maxDepth = 50;

/** Ids of tvs and categories that the caller may not load. */
export interface HiddenTvs {
  readonly hiddenTvs: ReadonlySet<number>;
  readonly hiddenCategories: ReadonlySet<number>;
}

/** Adds `tvs` to each record when the plan asks for it. */
export async function attachTvs(
  reader: ContentReader,
  asked: {
    readonly plan: Pick<RowPlan, 'definition' | 'tvs'>;
    readonly rows: readonly LoadedRow[];
    readonly hidden: HiddenTvs;
  },
): Promise<void> {
  const { plan, rows, hidden } = asked;
  if (!plan.tvs || rows.length === 0) return;
  const idOf = (row: LoadedRow) => Number(row.raw(plan.definition.primaryKey));
  const found = await readTvRows(reader.db, reader.prefix, {
    resources: [...new Set(rows.map(idOf))],
    names: plan.tvs.kind === 'named' ? plan.tvs.names : null,
  });
  const shown = found.filter((tv) => !hidden.hiddenTvs.has(tv.tv) && !hidden.hiddenCategories.has(tv.category));
  const values = await resolve(reader, shown);
  const byResource = new Map<number, RecordJson>();
  for (const tv of shown) {
    const tvs = byResource.get(tv.resource) ?? {};
    byResource.set(tv.resource, tvs);
    // Old databases may hold a value twice: the first row counts (storage.md 1.1).
    if (!Object.hasOwn(tvs, tv.name)) setOwn(tvs, tv.name, values(tv));
  }
  for (const row of rows) row.record['tvs'] = byResource.get(idOf(row)) ?? {};
}

/** A tv may be called `__proto__`: plain assignment would not make it a key. */
function setOwn(target: RecordJson, name: string, value: string): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

async function resolve(reader: ContentReader, rows: readonly TvRow[]): Promise<(row: TvRow) => string> {
  const own = (row: TvRow) => row.stored ?? row.defaultText;
  const inheriting = rows.filter((row) => isInherited(own(row)));
  if (inheriting.length === 0) return own;
  const parents = await readAncestors(reader, [...new Set(inheriting.map((row) => row.resource))]);
  const stored = new Map<string, string>();
  const key = (tv: number, resource: number) => `${tv}:${resource}`;
  const above = await readTvValues(reader.db, reader.prefix, {
    resources: [...new Set(parents.values())].filter((id) => id > 0),
    tvs: [...new Set(inheriting.map((row) => row.tv))],
  });
  for (const value of above)
    if (!stored.has(key(value.tv, value.resource))) stored.set(key(value.tv, value.resource), value.value);
  return (row) => {
    if (!isInherited(own(row))) return own(row);
    return rawValue({
      variable: { id: row.tv, name: row.name, defaultText: row.defaultText, rank: 0 },
      resourceId: row.resource,
      source: {
        stored: (tv, resource) =>
          resource === row.resource ? (row.stored ?? undefined) : stored.get(key(tv, resource)),
        parentOf: (resource) => parents.get(resource),
      },
    });
  };
}

async function readAncestors(reader: ContentReader, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const parents = new Map<number, number>();
  let level = ids;
  for (let depth = 0; depth < maxDepth && level.length > 0; depth++) {
    const found = await readParents(reader.db, reader.prefix, level);
    for (const [id, parent] of found) parents.set(id, parent);
    level = [...new Set(found.values())].filter((id) => id > 0 && !parents.has(id));
  }
  return parents;
}
