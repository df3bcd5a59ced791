/** Reads one record of an object by its primary key. */
import { type Caller, tvPolicy } from '../access/authorize.js';
import { AppError } from '../errors/app-error.js';
import type { ObjectDefinition } from '../objects/definition.js';
import { columnRef, type RowPlan } from '../query/plan.js';
import { all, type Predicate } from '../query/predicate.js';
import type { ContentReader } from './content-reader.js';
import { attachIncludes, neededFields, type Truncated } from './includes.js';
import { type LoadedRow, type RecordJson, selectionOf, selectRows } from './select-rows.js';
import { attachTvs } from './template-variables.js';

export interface FoundRecord {
  readonly record: RecordJson;
  readonly key: string | number;
  readonly truncated: Truncated;
}

/**
 * A primary key as it may stand in a path: digits without sign, leading zero or fraction for numbers, any text for
 * text keys. Anything else names no record.
 */
export function parseKey(definition: ObjectDefinition, text: string): string | number {
  const field = definition.fields[definition.primaryKey];
  if (field?.type !== 'integer') return text;
  if (!/^(0|[1-9]\d{0,15})$/.test(text)) throw new AppError('not_found');
  return Number(text);
}

/** Throws not_found when there is no such row or the caller may not see it. */
export async function readRecord(
  reader: ContentReader,
  asked: { readonly plan: RowPlan; readonly key: string | number; readonly caller: Caller },
): Promise<FoundRecord> {
  const { plan, key } = asked;
  const field = plan.definition.fields[plan.definition.primaryKey];
  const byKey: Predicate = field
    ? { kind: 'compare', ref: columnRef(field), comparison: 'eq', value: key }
    : { kind: 'nothing' };
  const [row] = await selectPlanned(reader, plan, all([byKey, plan.where]));
  if (!row) throw new AppError('not_found');
  return complete(reader, { ...asked, row });
}

/** Rows that meet a condition, with the fields of a plan. */
export function selectPlanned(
  reader: ContentReader,
  plan: RowPlan,
  where: Predicate,
  extra: readonly string[] = [],
): Promise<LoadedRow[]> {
  const selection = selectionOf(reader, plan.definition, {
    fields: plan.fields,
    needed: [...neededFields(plan), ...extra],
  });
  return selectRows(reader, plan.definition, { selection, query: { where, order: [] } });
}

/** Attaches what the plan asks for to a single row. */
export async function complete(
  reader: ContentReader,
  asked: { readonly plan: RowPlan; readonly row: LoadedRow; readonly caller: Caller },
): Promise<FoundRecord> {
  const { plan, row, caller } = asked;
  const hidden = tvPolicy(caller, plan.context);
  await attachTvs(reader, { plan, rows: [row], hidden });
  const truncated = await attachIncludes(reader, { plan, rows: [row], path: [], hidden });
  const key = row.raw(plan.definition.primaryKey);
  return { record: row.record, key: typeof key === 'number' ? key : String(key), truncated };
}
