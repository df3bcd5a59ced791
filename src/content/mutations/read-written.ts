/** Reads a record inside the transaction that writes it: for its precondition before, for the answer afterwards. */

import { AppError } from '../../errors/app-error.js';
import type { FieldValues, Mutation } from '../live/mutation.js';
import type { ObjectDefinition } from '../objects/definition.js';
import { decoderOf, type JsonValue } from '../objects/values.js';
import { storedValue } from '../objects/write-values.js';
import { readableFields } from '../query/authorize.js';
import type { RowPlan } from '../query/plan.js';
import { all, type Predicate } from '../query/predicate.js';
import { fieldRef } from '../query/visible-rows.js';
import type { ContentReader } from '../reading/content-reader.js';
import { selectPlanned } from '../reading/prepared-rows.js';
import { complete } from '../reading/read-record.js';
import { type FoundRow, foundRow, type RecordJson, selectionOf, selectRows } from '../reading/select-rows.js';
import {
  type AnsweredWrite,
  readerOf,
  type TargetedWrite,
  type Write,
  type WriteRequest,
  type WrittenRecord,
} from './write-request.js';

/** The record of a mutation as it is now, as far as the caller may read it; `values` are those that were sent. */
export async function readWritten<T>(
  write: Write,
  request: AnsweredWrite<T>,
  { mutation, values }: { readonly mutation: Mutation; readonly values: FieldValues },
): Promise<WrittenRecord> {
  const { definition, caller } = request;
  const { key } = mutation;
  const reader = readerOf(write);
  const context = mutation.context ?? write.context;
  if (!(await isReadable(reader, request, { key, context }))) {
    return {
      key,
      record: { [definition.primaryKey]: key, ...asSent(definition, values) },
      truncated: new Map(),
      bare: null,
    };
  }
  const plan = request.plan(context);
  const row = await selectOne(reader, plan, key);
  const bare = foundRow({ ...row, record: { ...row.record } }, { definition });
  const { record, truncated } = await complete(reader, { plan, row, caller });
  return { key: bare.key, record, truncated, bare };
}

type Reading = Pick<WriteRequest<unknown>, 'definition' | 'caller' | 'context' | 'readable'> & {
  readonly key: string | number;
};

/** All readable fields of a record as it is now, in the form of a read without parameters; null where it may not be read. */
export async function readBare(reader: ContentReader, asked: Reading): Promise<FoundRow | null> {
  const { definition, caller, key } = asked;
  const fields = readableFields(definition, caller);
  const plan: RowPlan = { definition, context: '', fields, includes: [], tvs: null, where: all([]) };
  const { context: field } = definition.visibility;
  const row = await selectOne(reader, plan, key, field === undefined ? [] : [field]);
  const context = field === undefined ? asked.context : String(row.raw(field) ?? '');
  return (await isReadable(reader, asked, { key, context })) ? foundRow(row, { definition }) : null;
}

async function isReadable(
  reader: ContentReader,
  { definition, readable }: Pick<WriteRequest<unknown>, 'definition' | 'readable'>,
  { key, context }: { readonly key: string | number; readonly context: string },
): Promise<boolean> {
  const condition = readable(context);
  if (condition.kind === 'nothing') return false;
  const rows = await selectRows(reader, definition, {
    selection: selectionOf(reader, definition, { fields: [], needed: [definition.primaryKey] }),
    query: { where: all([byKey(definition, key), condition]), order: [] },
  });
  return rows.length > 0;
}

/** The values in the form of a read. What the rules made of them may come from fields that were not sent. */
function asSent({ fields }: ObjectDefinition, values: FieldValues): RecordJson {
  const entries = Object.entries(fields).flatMap(([name, field]): [string, JsonValue][] => {
    const value = values[name];
    return value === undefined ? [] : [[name, decoderOf(field)(storedValue(field, value))]];
  });
  return Object.fromEntries(entries);
}

/** Checks the precondition of a request, once the record is locked. */
export function guardOf<T>(write: Write, request: TargetedWrite<T>): () => Promise<void> {
  const { precondition } = request;
  return async () => precondition?.(await readBare(readerOf(write), request));
}

async function selectOne(reader: ContentReader, plan: RowPlan, key: string | number, extra: readonly string[] = []) {
  const [row] = await selectPlanned(reader, plan, byKey(plan.definition, key), extra);
  if (!row) throw new AppError('not_found');
  return row;
}

function byKey(definition: ObjectDefinition, key: string | number): Predicate {
  return { kind: 'compare', ref: fieldRef(definition, definition.primaryKey), comparison: 'eq', value: key };
}

/** Whether records of the object are resources, which have further rules. */
export function isResource(definition: ObjectDefinition, { registry }: Write['writer']): boolean {
  return definition === registry.resources;
}
