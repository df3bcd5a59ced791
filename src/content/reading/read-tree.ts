/** Reads the menu of a site by one statement at any depth. A hidden resource hides what is below it. */
import { AppError } from '../../errors/app-error.js';
import type { TreeIntent } from '../query/ast.js';
import type { RowPlan } from '../query/plan.js';
import { all, equals, fieldRef, hasKey } from '../query/predicate.js';
import { presentValues } from './present-values.js';
import { type ContentReader, type LoadedRow, type RecordJson, selectPlanned, selectTree } from './select-rows.js';

/** The lowest levels are cut. */
const largestTree = 2000;

/** Throws not_found for a root that is hidden from the caller and has nothing to show. */
export async function readTree(
  reader: ContentReader,
  asked: Pick<TreeIntent, 'root' | 'depth' | 'withHidden'> & { readonly plan: RowPlan },
) {
  const { plan, root } = asked;
  const { definition } = plan;
  const where = asked.withHidden ? plan.where : all([plan.where, equals(fieldRef(definition, 'hidemenu'), 0)]);
  const rows = await selectTree(reader, plan, { root, where, depth: asked.depth, limit: largestTree + 1 });
  if (rows.length === 0 && root !== 0) {
    const isRoot = all([plan.where, hasKey(definition, root)]);
    if ((await selectPlanned(reader, { ...plan, fields: [] }, isRoot)).length === 0) throw new AppError('not_found');
  }
  const known = new Map<number, RecordJson[]>([[root, []]]);
  const shown: LoadedRow[] = [];
  for (const row of rows.slice(0, largestTree)) {
    const id = Number(row.raw(definition.primaryKey));
    const siblings = known.get(Number(row.raw('parent')));
    // Parents of damaged data may form a circle.
    if (siblings === undefined || known.has(id)) continue;
    const children: RecordJson[] = [];
    known.set(id, children);
    row.record['children'] = children;
    siblings.push(row.record);
    shown.push(row);
  }
  const { unresolved, dependsOn } = await presentValues(reader, { plan, rows: shown, slots: [] });
  return {
    roots: known.get(root) ?? [],
    count: shown.length,
    truncated: rows.length > largestTree,
    unresolved,
    dependsOn: [{ definition, where: plan.where }, ...dependsOn],
  };
}
