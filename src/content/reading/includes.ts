/** Attaches related records with bounded numbers of rows (docs/reference/gateway.md#relations-in-answers). */
import { groupBy } from '../../values/batches.js';
import { isList } from '../objects/definition.js';
import { type Caller, type TvPolicy, tvPolicy } from '../query/authorize.js';
import type { RowPlan } from '../query/plan.js';
import type { IncludePlan } from '../query/plan-includes.js';
import { all, columnRef, hasAnyKey, hasKey, type OrderTerm, oneOf, type Scalar } from '../query/predicate.js';
import { mostLevels, readAncestors } from './ancestors.js';
import { presentValues, type Remarks } from './present-values.js';
import {
  type ContentReader,
  type FoundRow,
  foundRow,
  type LoadedRow,
  neededFields,
  type RowSet,
  selectRows,
} from './select-rows.js';
import { attachTvs, type TvSlot } from './template-variables.js';
import { loadTranslations } from './translations.js';

const perParent = 100;
/** Parents that can each have their full number of rows: a page of a list with usual limits. */
const fullParents = 100;

/** Relation name -> keys of parents with cut rows. */
export type Truncated = ReadonlyMap<string, readonly Scalar[]>;

export interface Attached extends Remarks {
  readonly truncated: Truncated;
  readonly dependsOn: readonly RowSet[];
}

export const nothingAttached: Attached = { truncated: new Map(), dependsOn: [], untyped: [], unresolved: [] };

export async function attachAll(
  reader: ContentReader,
  asked: { readonly plan: RowPlan; readonly rows: readonly LoadedRow[]; readonly caller: Caller },
): Promise<Attached> {
  const { plan, rows, caller } = asked;
  if (plan.tvs === null && plan.includes.length === 0 && plan.form === null) return nothingAttached;
  const slots: TvSlot[] | null = plan.form === null ? null : [];
  const maySee = tvPolicy(caller, plan.context);
  const sources = await attachTvs(reader, { plan, rows, maySee, slots });
  const { truncated, dependsOn } = await attachIncludes(reader, { plan, rows, path: [], maySee, slots });
  const presented = await presentValues(reader, { plan, rows, slots: slots ?? [] });
  return { ...presented, truncated, dependsOn: [...sources, ...dependsOn, ...presented.dependsOn] };
}

export type FoundRecord = FoundRow & Attached;

export async function complete(
  reader: ContentReader,
  asked: { readonly plan: RowPlan; readonly row: LoadedRow; readonly caller: Caller },
): Promise<FoundRecord> {
  const { plan, row, caller } = asked;
  const attached = await attachAll(reader, { plan, rows: [row], caller });
  const { definition } = plan;
  const found = foundRow(row, plan);
  const itself = hasKey(definition, found.key);
  return { ...found, ...attached, dependsOn: [{ definition, where: itself }, ...attached.dependsOn] };
}

export async function attachIncludes(
  reader: ContentReader,
  asked: {
    readonly plan: Pick<RowPlan, 'definition' | 'includes' | 'tvs' | 'context'>;
    readonly rows: readonly LoadedRow[];
    readonly path: readonly string[];
    readonly maySee: TvPolicy;
    readonly slots: TvSlot[] | null;
  },
): Promise<Pick<Attached, 'truncated' | 'dependsOn'>> {
  const truncated = new Map<string, readonly Scalar[]>();
  const dependsOn: RowSet[] = [];
  for (const include of asked.plan.includes) {
    const path = [...asked.path, include.relation.name];
    const related = await loadRelated(reader, include, asked.rows);
    const below = { ...include, definition: include.target, context: asked.plan.context };
    const { maySee, slots } = asked;
    const sources = await attachTvs(reader, { plan: below, rows: related.rows, maySee, slots });
    const deeper = await attachIncludes(reader, { plan: below, rows: related.rows, path, maySee, slots });
    dependsOn.push(...related.dependsOn, ...sources, ...deeper.dependsOn);
    for (const [name, keys] of deeper.truncated) truncated.set(name, keys);
    const cut = attach(include, asked.rows, related);
    if (cut.length > 0) truncated.set(path.join('.'), cut);
  }
  return { truncated, dependsOn };
}

interface Related {
  readonly rows: readonly LoadedRow[];
  readonly byKey: ReadonlyMap<Scalar | null, readonly LoadedRow[]>;
  /** Rows of a parent may be missing from this key on; null when none are missing. */
  readonly missingFrom: Scalar | null;
  readonly cut: ReadonlySet<Scalar>;
  readonly dependsOn: readonly RowSet[];
}

const nothingRelated: Related = { rows: [], byKey: new Map(), missingFrom: null, cut: new Set(), dependsOn: [] };

function keyField({ relation, target }: IncludePlan): string {
  if (relation.isChain || relation.isTranslation) return target.primaryKey;
  return relation.type === 'to_one' ? relation.foreignKey : relation.localKey;
}

async function loadRelated(
  reader: ContentReader,
  include: IncludePlan,
  parents: readonly LoadedRow[],
): Promise<Related> {
  const { relation, target } = include;
  if (relation.isTranslation) {
    const resources = [...new Set(parents.map((row) => Number(row.raw('id'))))];
    return { ...nothingRelated, ...(await loadTranslations(reader, include, resources)) };
  }
  if (relation.isChain) return { ...(await loadChains(reader, include, parents)), missingFrom: null };
  const here = keyField(include);
  const there = relation.type === 'to_one' ? relation.localKey : relation.foreignKey;
  const keys = [...new Set(parents.map((row) => keyOf(row, here)).filter((key) => key !== null))];
  const thereField = target.fields[there];
  if (keys.length === 0 || !thereField) return nothingRelated;
  const shown = { fields: include.fields, needed: [there, ...neededFields({ ...include, definition: target })] };
  const ref = columnRef(thereField);
  const within = (values: readonly Scalar[]) => all([include.where, oneOf(ref, values)]);
  const dependsOn = [{ definition: target, where: within(keys) }];
  const order = relation.type === 'to_one' ? [] : [{ ref, direction: 'asc' as const }, ...orderOf(include)];
  // A full result may hide rows of other parents.
  const limit = relation.type === 'to_one' ? undefined : Math.min(keys.length, fullParents) * (perParent + 1);
  const rows = await selectRows(reader, target, {
    ...shown,
    where: within(keys),
    order,
    // A list inside a list may have very many rows below it.
    heavy: keys.length > fullParents,
    limit,
  });
  if (limit === undefined || rows.length < limit || keys.length === 1) {
    return { ...group(there, rows, null), dependsOn };
  }
  if (keys.length <= fullParents) {
    // A parent with very many rows would crowd out the others of a shared limit: each parent gets its own.
    const own = { ...shown, order: orderOf(include), limit: perParent + 1 };
    const perKey = await Promise.all(keys.map((key) => selectRows(reader, target, { ...own, where: within([key]) })));
    return { ...group(there, perKey.flat(), null), dependsOn };
  }
  const last = rows.at(-1);
  return { ...group(there, rows, last ? keyOf(last, there) : null), dependsOn };
}

function orderOf({ relation, target }: IncludePlan): OrderTerm[] {
  return [...relation.order, target.primaryKey].flatMap((name) => {
    const field = target.fields[name];
    return field ? [{ ref: columnRef(field), direction: 'asc' as const }] : [];
  });
}

/** Null, empty and 0 refer to nothing. */
function keyOf(row: LoadedRow, field: string): Scalar | null {
  const value = row.raw(field);
  if (typeof value === 'number') return value === 0 ? null : value;
  return typeof value === 'string' && value !== '' ? value : null;
}

function group(field: string, rows: readonly LoadedRow[], missingFrom: Scalar | null): Omit<Related, 'dependsOn'> {
  const byKey = groupBy(rows, (row) => keyOf(row, field));
  byKey.delete(null);
  return { rows: [...byKey.values()].flatMap((list) => list.slice(0, perParent)), byKey, missingFrom, cut: new Set() };
}

/** The order of the stores: numbers by value, text by code point, which is the order of its UTF-8 bytes. */
function isBefore(key: Scalar, other: Scalar): boolean {
  if (typeof key === 'number' && typeof other === 'number') return key < other;
  return Buffer.compare(Buffer.from(String(key)), Buffer.from(String(other))) < 0;
}

function attach(
  include: IncludePlan,
  parents: readonly LoadedRow[],
  { byKey, missingFrom, cut: known }: Pick<Related, 'byKey' | 'missingFrom' | 'cut'>,
): Scalar[] {
  const { relation } = include;
  const cut = new Set<Scalar>();
  for (const parent of parents) {
    const key = keyOf(parent, keyField(include));
    const related = byKey.get(key) ?? [];
    if (!isList(relation)) {
      const [one] = related;
      // Nothing to refer to, or not visible: the raw field stays.
      if (one) parent.record[relation.name] = one.record;
      continue;
    }
    parent.record[relation.name] = related.slice(0, perParent).map((row) => row.record);
    const isMissing = missingFrom !== null && key !== null && !isBefore(key, missingFrom);
    if (key !== null && (isMissing || related.length > perParent || known.has(key))) cut.add(key);
  }
  return [...cut];
}

/** Records that the caller may not see are left out, but count as levels. */
async function loadChains(
  reader: ContentReader,
  { relation, target, where, fields, includes }: IncludePlan,
  below: readonly LoadedRow[],
): Promise<Omit<Related, 'missingFrom'>> {
  const parentOf = (row: LoadedRow) => Number(row.raw(relation.foreignKey));
  const parents = [...new Set(below.map(parentOf).filter((id) => id > 0))];
  const above = await readAncestors(reader, { ids: parents, levels: mostLevels + 1 });
  const chains = new Map(
    below.map((row) => {
      const id = Number(row.raw(target.primaryKey));
      return [id, chainOf({ id, parent: parentOf(row) }, above)];
    }),
  );
  const isOneOf = (ids: Iterable<number>) => hasAnyKey(target, [...new Set(ids)]);
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
function chainOf({ id, parent }: { readonly id: number; readonly parent: number }, above: ReadonlyMap<number, number>) {
  const ids = new Set<number>();
  for (let at = parent; above.has(at) && at !== id && !ids.has(at); at = above.get(at) ?? 0) {
    if (ids.size === mostLevels) return { ids: [...ids], isCut: true };
    ids.add(at);
  }
  return { ids: [...ids], isCut: false };
}
