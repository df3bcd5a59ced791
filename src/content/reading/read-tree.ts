/** Reads the menu of a site by one statement at any depth. A hidden resource hides what is below it. */
import { AppError } from '../../errors/app-error.js';
import type { TreeIntent } from '../query/ast.js';
import type { RowPlan } from '../query/plan.js';
import { all, fieldRef, type Predicate } from '../query/predicate.js';
import { presentValues, type Remarks } from './present-values.js';
import {
  type ContentReader,
  type LoadedRow,
  type RecordJson,
  type RowSet,
  selectPlanned,
  selectTree,
} from './select-rows.js';

/** The lowest levels are cut. */
const largestTree = 2000;

interface ContentTree extends Pick<Remarks, 'unresolved'> {
  readonly roots: readonly RecordJson[];
  readonly count: number;
  readonly truncated: boolean;
  readonly dependsOn: readonly RowSet[];
}

type TreeAsked = Pick<TreeIntent, 'root' | 'depth' | 'withHidden'> & { readonly plan: RowPlan };

/** Throws not_found for a root that is hidden from the caller and has nothing to show. */
export async function readTree(reader: ContentReader, asked: TreeAsked): Promise<ContentTree> {
  const { plan, root } = asked;
  const { definition } = plan;
  const ofMenu: Predicate = { kind: 'compare', ref: fieldRef(definition, 'hidemenu'), comparison: 'eq', value: 0 };
  const where = asked.withHidden ? plan.where : all([plan.where, ofMenu]);
  const rows = await selectTree(reader, plan, { root, where, depth: asked.depth, limit: largestTree + 1 });
  if (rows.length === 0 && root !== 0) await checkRoot(reader, plan, root);
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

async function checkRoot(reader: ContentReader, plan: RowPlan, root: number): Promise<void> {
  const ref = fieldRef(plan.definition, plan.definition.primaryKey);
  const isRoot: Predicate = { kind: 'compare', ref, comparison: 'eq', value: root };
  const found = await selectPlanned(reader, { ...plan, fields: [] }, all([plan.where, isRoot]));
  if (found.length === 0) throw new AppError('not_found');
}
