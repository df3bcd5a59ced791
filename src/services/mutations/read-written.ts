/** Reads a record inside the transaction that writes it: for its precondition before, for the answer afterwards. */
import { readableFields } from '../../access/authorize.js';
import { AppError } from '../../errors/app-error.js';
import type { ObjectDefinition } from '../../objects/definition.js';
import type { RowPlan } from '../../query/plan.js';
import { all } from '../../query/predicate.js';
import { fieldRef } from '../../query/visible-rows.js';
import type { ContentReader } from '../content-reader.js';
import { selectPlanned } from '../prepared-rows.js';
import { complete } from '../read-record.js';
import { type FoundRow, foundRow } from '../select-rows.js';
import type { Mutation } from './mutation.js';
import { readerOf, type Write } from './write.js';
import type { AnsweredWrite, TargetedWrite, WrittenRecord } from './write-request.js';

/** The record of a mutation as it is now. */
export async function readWritten<T>(
  write: Write,
  request: AnsweredWrite<T>,
  { key, context }: Mutation,
): Promise<WrittenRecord> {
  const { definition, caller } = request;
  const reader = readerOf(write);
  const plan = request.plan(context ?? write.context);
  const row = await selectOne(reader, plan, key);
  const bare = foundRow({ ...row, record: { ...row.record } }, { definition });
  return { found: await complete(reader, { plan, row, caller }), bare };
}

/** All readable fields of a record as it is now, in the form of a read without parameters. */
export async function readBare(
  reader: ContentReader,
  asked: Pick<AnsweredWrite<unknown>, 'definition' | 'caller'> & { readonly key: string | number },
): Promise<FoundRow> {
  const { definition, caller, key } = asked;
  const fields = readableFields(definition, caller);
  const plan: RowPlan = { definition, context: '', fields, includes: [], tvs: null, where: all([]) };
  return foundRow(await selectOne(reader, plan, key), { definition });
}

/** Runs the precondition of a request on the locked record; null when there is none. */
export type Guard = (() => Promise<void>) | null;

export function guardOf<T>(write: Write, request: TargetedWrite<T>): Guard {
  const { precondition } = request;
  if (precondition === null) return null;
  return async () => precondition(await readBare(readerOf(write), request));
}

async function selectOne(reader: ContentReader, plan: RowPlan, key: string | number) {
  const ref = fieldRef(plan.definition, plan.definition.primaryKey);
  const [row] = await selectPlanned(reader, plan, { kind: 'compare', ref, comparison: 'eq', value: key });
  if (!row) throw new AppError('not_found');
  return row;
}

/** Whether records of the object are resources, which have rules of their own. */
export function isResource(definition: ObjectDefinition, { registry }: Write['writer']): boolean {
  return definition === registry.resources;
}
