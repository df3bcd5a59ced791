/** The records above others up to the root: one statement for each level and one for the records. */
import type { IncludePlan } from '../query/plan-includes.js';
import { all, fieldRef, type Predicate, type Scalar } from '../query/predicate.js';
import { mostLevels, readAncestors } from './ancestors.js';
import { type ContentReader, type LoadedRow, neededFields, type RowSet, selectRows } from './select-rows.js';

interface Chains {
  readonly rows: readonly LoadedRow[];
  readonly byKey: ReadonlyMap<Scalar, readonly LoadedRow[]>;
  readonly cut: ReadonlySet<Scalar>;
  readonly dependsOn: readonly RowSet[];
}

interface Chain {
  readonly ids: readonly number[];
  readonly isCut: boolean;
}

/** Records that the caller may not see are left out, but count as levels. */
export async function loadChains(
  reader: ContentReader,
  { relation, target, where, fields, includes }: IncludePlan,
  below: readonly LoadedRow[],
): Promise<Chains> {
  const parentOf = (row: LoadedRow) => Number(row.raw(relation.foreignKey));
  const parents = [...new Set(below.map(parentOf).filter((id) => id > 0))];
  const above = await readAncestors(reader, { ids: parents, levels: mostLevels + 1 });
  const chains = new Map<number, Chain>();
  for (const row of below) {
    const id = Number(row.raw(target.primaryKey));
    chains.set(id, chainOf({ id, parent: parentOf(row) }, above));
  }
  const ref = fieldRef(target, target.primaryKey);
  const isOneOf = (ids: Iterable<number>): Predicate => ({
    kind: 'in',
    ref,
    values: [...new Set(ids)],
    negated: false,
  });
  const shown = [...chains.values()].flatMap(({ ids }) => ids);
  const needed = neededFields({ definition: target, includes });
  const query = { fields, needed, where: all([where, isOneOf(shown)]) };
  const rows = shown.length === 0 ? [] : await selectRows(reader, target, query);
  const byId = new Map(rows.map((row) => [Number(row.raw(target.primaryKey)), row]));
  return {
    rows,
    byKey: new Map([...chains].map(([id, { ids }]) => [id, ids.flatMap((one) => byId.get(one) ?? []).reverse()])),
    cut: new Set([...chains].filter(([, { isCut }]) => isCut).map(([id]) => id)),
    // A hidden record of a chain may move, and the chain with it.
    dependsOn: parents.length === 0 ? [] : [{ definition: target, where: isOneOf([...parents, ...above.keys()]) }],
  };
}

/** Parents of damaged data may form a circle: the chain ends before it repeats a record. */
function chainOf(
  { id, parent }: { readonly id: number; readonly parent: number },
  above: ReadonlyMap<number, number>,
): Chain {
  const ids = new Set<number>();
  for (let at = parent; above.has(at) && at !== id && !ids.has(at); at = above.get(at) ?? 0) {
    if (ids.size === mostLevels) return { ids: [...ids], isCut: true };
    ids.add(at);
  }
  return { ids: [...ids], isCut: false };
}
