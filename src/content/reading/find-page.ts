/** Finds the resource that a requested page path means (docs/gateway.md#pages-by-uri). */

import { AppError } from '../../errors/app-error.js';
import { contextResources } from '../models/elements.js';
import type { Caller } from '../query/authorize.js';
import type { RowPlan } from '../query/plan.js';
import { all, type ColumnRef, columnRef, type Predicate, type Scalar } from '../query/predicate.js';
import { pageCandidates } from '../rules/uri.js';
import { complete, type FoundRecord, isOneOf } from './read-record.js';
import { type ContentReader, type LoadedRow, selectPrepared } from './select-rows.js';

interface FoundPage extends FoundRecord {
  /** The URI stored on the row. */
  readonly resolvedUri: string;
}

/** Fields that decide which of several matches is meant. */
const deciding = ['uri', 'parent', 'menuindex'];

/**
 * `path` is the requested path, decoded. The first candidate that a visible row has wins; among rows with the same URI
 * the first by parent, menuindex and id, as the CMS's own map has it. Throws not_found.
 */
export async function findPage(
  reader: ContentReader,
  asked: { readonly plan: RowPlan; readonly path: string; readonly startPage: number; readonly caller: Caller },
): Promise<FoundPage> {
  const { plan } = asked;
  const { uris, startPage } = pageCandidates(asked.path);
  const findStart = async () => {
    const start = { name: 'by id', field: 'id', values: [asked.startPage], visible: [plan.where] } as const;
    return (await selectBy(reader, plan, start))[0];
  };
  const start = startPage === 'first' ? await findStart() : undefined;
  const byUri = start ?? (await findByUri(reader, plan, uris));
  const row = byUri ?? (await findLinked(reader, plan, uris)) ?? (startPage === 'last' ? await findStart() : undefined);
  if (!row) throw new AppError('not_found');
  const found = await complete(reader, { ...asked, row });
  const { definition } = plan;
  // Another row may get the URI, or become visible, and then take precedence.
  const isStart = isOneOf(refOf(plan, 'id'), [asked.startPage]);
  const rivals =
    start !== undefined
      ? []
      : [
          all([isOneOf(refOf(plan, 'uri'), uris), ...(byUri ? [plan.where] : anyContext(plan))]),
          ...(startPage === 'first' ? [all([isStart, plan.where])] : []),
        ];
  return {
    ...found,
    dependsOn: [...found.dependsOn, ...rivals.map((where) => ({ definition, where }))],
    resolvedUri: String(row.raw('uri') ?? ''),
  };
}

async function findByUri(
  reader: ContentReader,
  plan: RowPlan,
  uris: readonly string[],
): Promise<LoadedRow | undefined> {
  return best(
    await selectBy(reader, plan, { name: 'by uri', field: 'uri', values: uris, visible: [plan.where] }),
    uris,
  );
}

/** A resource of another context is found only when it is linked to this one. */
async function findLinked(
  reader: ContentReader,
  plan: RowPlan,
  uris: readonly string[],
): Promise<LoadedRow | undefined> {
  const links = await contextResources.on(reader.db, reader.prefix).lookUpAll({ contextKey: plan.context });
  const linked = new Set(links.map(({ resource }) => resource));
  if (linked.size === 0) return undefined;
  // The same visibility, with the links instead of the context.
  const visible = anyContext(plan);
  const rows = await selectBy(reader, plan, { name: 'linked', field: 'uri', values: uris, visible });
  // Links may be more than a statement can name; rows with the same URI are few.
  return best(
    rows.filter((row) => linked.has(Number(row.raw('id')))),
    uris,
  );
}

/** The conditions of the plan without the one for its context. */
function anyContext(plan: RowPlan): readonly Predicate[] {
  const context = refOf(plan, plan.definition.visibility.context ?? '');
  const conditions = plan.where.kind === 'all' ? plan.where.of : [plan.where];
  return conditions.filter((one) => one.kind !== 'compare' || one.ref.column !== context.column);
}

interface Wanted {
  /** The name of the statement. */
  readonly name: string;
  readonly field: 'id' | 'uri';
  readonly values: readonly Scalar[];
  readonly visible: readonly Predicate[];
}

function selectBy(reader: ContentReader, plan: RowPlan, { name, field, values, visible }: Wanted) {
  return selectPrepared(reader, plan, {
    name,
    values,
    where: (some) => all([isOneOf(refOf(plan, field), some), ...visible]),
    extra: deciding,
  });
}

/** Resources have these fields by definition. */
function refOf(plan: RowPlan, name: string): ColumnRef {
  const field = plan.definition.fields[name];
  if (!field) throw new AppError('internal_error', { cause: new Error(`no field ${name}`) });
  return columnRef(field);
}

function best(rows: readonly LoadedRow[], candidates: readonly string[]): LoadedRow | undefined {
  const rank = (row: LoadedRow) => [
    candidates.indexOf(String(row.raw('uri') ?? '')),
    Number(row.raw('parent')),
    Number(row.raw('menuindex')),
    Number(row.raw('id')),
  ];
  return [...rows].sort((a, b) => {
    const [left, right] = [rank(a), rank(b)];
    const differing = left.findIndex((value, index) => value !== right[index]);
    return differing < 0 ? 0 : (left[differing] ?? 0) - (right[differing] ?? 0);
  })[0];
}
