/** Reads one record of an object by its primary key, also as a preview would show it. */
import { AppError } from '../../errors/app-error.js';
import type { ObjectDefinition } from '../objects/definition.js';
import { plainShape } from '../query/ast.js';
import type { Caller } from '../query/authorize.js';
import { planRead, type RowPlan } from '../query/plan.js';
import { all, type ColumnRef, equals, fieldRef, type Predicate, type Scalar } from '../query/predicate.js';
import { complete, type FoundRecord } from './includes.js';
import { type ContentReader, selectPrepared } from './select-rows.js';

/** Integer keys are digits without sign, leading zero or fraction; throws not_found for anything else. */
export function parseKey(definition: ObjectDefinition, text: string): string | number {
  const field = definition.fields[definition.primaryKey];
  if (field?.type !== 'integer') return text;
  if (!/^(0|[1-9]\d{0,15})$/.test(text)) throw new AppError('not_found');
  return Number(text);
}

/** Throws not_found when the row is missing or hidden from the caller. */
export async function readRecord(
  reader: ContentReader,
  asked: { readonly plan: RowPlan; readonly key: string | number; readonly caller: Caller },
): Promise<FoundRecord> {
  const { plan, key } = asked;
  const ref = fieldRef(plan.definition, plan.definition.primaryKey);
  const [row] = await selectPrepared(reader, plan, {
    name: 'by key',
    values: [key],
    where: (values) => all([isOneOf(ref, values), plan.where]),
    extra: [],
  });
  if (!row) throw new AppError('not_found');
  return complete(reader, { plan, row, caller: asked.caller });
}

export function isOneOf(ref: ColumnRef, values: readonly Scalar[]): Predicate {
  const [value] = values;
  if (values.length === 1 && value !== undefined) return equals(ref, value);
  return { kind: 'in', ref, values, negated: false };
}

/** Before a preview is made; null when it would not show the resource (docs/previews.md#what-a-token-shows). */
export async function uriInPreview(
  reader: ContentReader,
  { caller, context, resource }: { readonly caller: Caller; readonly context: string; readonly resource: number },
): Promise<string | null> {
  const { userId } = caller.identity;
  const asPreview: Caller = {
    ...caller,
    identity: { kind: 'preview', id: '', userId, context, resource, draftRevision: null },
  };
  const { registry } = reader;
  const intent = { ...plainShape, fields: ['uri'], context };
  const plan = planRead(intent, { definition: registry.resources, registry, caller: asPreview });
  try {
    return (await readRecord(reader, { plan, key: resource, caller: asPreview })).uri;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  }
}
