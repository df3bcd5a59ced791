/** A record is read inside the transaction: before the change for a precondition, after it for the answer. */

import { AppError } from '../../errors/app-error.js';
import type { Tx } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import type { LiveSnapshot } from '../live/live-state.js';
import type { FieldValues, Mutation, Warning } from '../live/mutation.js';
import type { ObjectDefinition, Registry } from '../objects/definition.js';
import { decoderOf, type JsonValue, storedValue } from '../objects/values.js';
import { type Caller, readableFields } from '../query/authorize.js';
import type { RowPlan } from '../query/plan.js';
import { all, hasKey, type Predicate } from '../query/predicate.js';
import { type Attached, complete, nothingAttached } from '../reading/includes.js';
import {
  type ContentReader,
  type FoundRow,
  foundRow,
  neededFields,
  type RecordJson,
  selectPlanned,
  selectRows,
} from '../reading/select-rows.js';
import type { MutationListeners, Seal } from './run-mutation.js';

export interface WriteRequest<T> {
  readonly writer: ContentWriter;
  readonly caller: Caller;
  readonly definition: ObjectDefinition;
  readonly context: string;
  readonly namesContext: boolean;
  /** The right to change a record does not include reading it. */
  readonly readable: (context: string) => Predicate;
  readonly seal: Seal<T> | null;
}

export interface WrittenRecord extends Attached {
  readonly key: string | number;
  /** A caller that may not read the record gets its key and the written fields as they were sent. */
  readonly record: RecordJson;
  readonly warnings: readonly Warning[];
  /** What a read without parameters returns; null if the caller may not read it. */
  readonly bare: FoundRow | null;
}

export interface AnsweredWrite<T> extends WriteRequest<T> {
  readonly plan: (context: string) => RowPlan;
  /** Runs in the transaction, so it must have no effect. */
  readonly present: (written: WrittenRecord) => T;
}

export interface TargetedWrite<T> extends WriteRequest<T> {
  readonly key: string | number;
  /** Throws to refuse; `current` is null if the caller may not read the record. */
  readonly precondition: ((current: FoundRow | null) => void) | null;
}

export interface Write extends Pick<WriteRequest<unknown>, 'writer' | 'caller' | 'context' | 'namesContext'> {
  readonly tx: Tx;
}

export function readerOf({ tx, writer }: Pick<Write, 'tx' | 'writer'>): ContentReader {
  return { ...writer.reader, db: tx };
}

export interface ContentWriter {
  readonly store: Store;
  readonly registry: Registry;
  readonly reader: ContentReader;
  readonly live: () => LiveSnapshot;
  readonly now: () => number;
  readonly listeners: MutationListeners;
}

export async function readWritten<T>(
  write: Write,
  request: AnsweredWrite<T>,
  { mutation, values }: { readonly mutation: Mutation; readonly values: FieldValues },
): Promise<WrittenRecord> {
  const { definition, caller } = request;
  const { key, warnings = [] } = mutation;
  const reader = readerOf(write);
  const context = mutation.context ?? write.context;
  const readable = request.readable(context);
  const plan = request.plan(context);
  const [row] =
    readable.kind === 'nothing' ? [] : await selectPlanned(reader, plan, all([hasKey(definition, key), readable]));
  if (!row) {
    return {
      key,
      record: { [definition.primaryKey]: key, ...asSent(definition, values) },
      ...{ ...nothingAttached, warnings, bare: null },
    };
  }
  const bare = foundRow({ ...row, record: { ...row.record } }, { definition });
  return { ...(await complete(reader, { plan, row, caller })), key: bare.key, warnings, bare };
}

export async function readBare(
  reader: ContentReader,
  asked: Pick<TargetedWrite<unknown>, 'definition' | 'caller' | 'context' | 'readable' | 'key'>,
): Promise<FoundRow | null> {
  const { definition, caller, key } = asked;
  const fields = readableFields(definition, caller);
  const { context: field } = definition.visibility;
  const needed = [...neededFields({ definition, includes: [] }), ...(field === undefined ? [] : [field])];
  const [row] = await selectRows(reader, definition, { fields, needed, where: hasKey(definition, key) });
  if (!row) throw new AppError('not_found');
  const readable = asked.readable(field === undefined ? asked.context : String(row.raw(field) ?? ''));
  if (readable.kind === 'nothing') return null;
  const where = all([hasKey(definition, key), readable]);
  const found = await selectRows(reader, definition, { needed: [definition.primaryKey], where });
  return found.length > 0 ? foundRow(row, { definition }) : null;
}

/** The values in the form of a read; some may follow from fields that were not sent. */
function asSent({ fields }: ObjectDefinition, values: FieldValues): RecordJson {
  const record: Record<string, JsonValue> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name];
    if (value !== undefined) record[name] = decoderOf(field)(storedValue(field, value));
  }
  return record;
}

export function guardOf<T>(write: Write, request: TargetedWrite<T>): () => Promise<void> {
  const { precondition } = request;
  return async () => precondition?.(await readBare(readerOf(write), request));
}

export function isResource(definition: ObjectDefinition, { registry }: Write['writer']): boolean {
  return definition === registry.resources;
}
