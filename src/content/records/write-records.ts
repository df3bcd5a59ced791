/** Creates, changes and removes records of any registered object, in any context and state. */
import { AppError } from '../../errors/app-error.js';
import type { FieldValues, Mutation, RecordChanges } from '../live/mutation.js';
import type { ChangesReading } from '../mutations/read-changes.js';
import {
  type AnsweredWrite,
  type ContentWriter,
  readerOf,
  runMutation,
  type TargetedWrite,
  type Write,
  type WriteRequest,
  type WrittenRecord,
} from '../mutations/run-mutation.js';
import type { ObjectDefinition } from '../objects/definition.js';
import { decoderOf, type JsonValue, storedValue } from '../objects/values.js';
import { readableFields } from '../query/authorize.js';
import { all, hasKey } from '../query/predicate.js';
import { complete, nothingAttached } from '../reading/includes.js';
import {
  type ContentReader,
  type FoundRow,
  foundRow,
  neededFields,
  type RecordJson,
  selectPlanned,
  selectRows,
} from '../reading/select-rows.js';
import { createResource } from '../resources/create-resource.js';
import { removeResource } from '../resources/remove-resource.js';
import { updateResource } from '../resources/update-resource.js';
import { findTarget } from './find-target.js';
import { changeRow, createRow, dropRow } from './write-record.js';

export function createRecord<T>(request: AnsweredWrite<T>, changes: RecordChanges): Promise<T> {
  const { writer, definition } = request;
  return run(request, async (write) => {
    const mutation = isResource(definition, writer)
      ? await createResource(write, changes)
      : await createRow(write, definition, changes);
    return answered(write, request, { mutation, values: changes.values });
  });
}

/** Throws the first of not_found, scope_denied, precondition_failed, the refusals of changes and rules. */
export async function updateRecord<T>(
  request: AnsweredWrite<T> & TargetedWrite<T>,
  reading: ChangesReading,
): Promise<T> {
  const { writer, definition, key, precondition } = request;
  if (!reading.ok) {
    // Nothing is written, so no writer has to wait.
    const reader = { ...writer.reader, db: writer.store.content.primary };
    await findTarget(reader, { ...request, fields: [], hideDeleted: false, lock: false });
    precondition?.(await readBare(reader, request));
    throw reading.problem;
  }
  const changes = reading.value;
  return run(request, async (write) => {
    const mutation = isResource(definition, writer)
      ? await updateResource(write, Number(key), { ...changes, guard: guardOf(write, request) })
      : await changeRow(write, definition, { row: await findLocked(write, request, { hideDeleted: false }), changes });
    return answered(write, request, { mutation, values: changes.values });
  });
}

/** Throws not_found (also for a second removal), scope_denied, precondition_failed, conflict. */
export function removeRecord<T>(
  request: TargetedWrite<T> & {
    readonly force: boolean;
    readonly present: (removed: { readonly key: string | number; readonly permanent: boolean }) => T;
  },
): Promise<T> {
  const { writer, definition, key, force } = request;
  const permanent = force || definition.visibility.deleted === undefined;
  return run(request, async (write) => {
    const mutation = isResource(definition, writer)
      ? await removeResource(write, Number(key), { force, guard: guardOf(write, request) })
      : await dropRow(write, definition, { row: await findLocked(write, request, { hideDeleted: !force }), force });
    return { mutation, result: request.present({ key: mutation.key, permanent }) };
  });
}

interface Written<T> {
  readonly mutation: Mutation;
  readonly result: T;
}

function run<T>(request: WriteRequest<T>, work: (write: Write) => Promise<Written<T>>): Promise<T> {
  const { store, listeners } = request.writer;
  return runMutation({ store, listeners, seal: request.seal, work: (tx) => work({ ...request, tx }) });
}

async function answered<T>(
  write: Write,
  request: AnsweredWrite<T>,
  done: { readonly mutation: Mutation; readonly values: FieldValues },
): Promise<Written<T>> {
  return { mutation: done.mutation, result: request.present(await readWritten(write, request, done)) };
}

async function findLocked<T>(write: Write, request: TargetedWrite<T>, { hideDeleted }: { hideDeleted: boolean }) {
  // Every field: only the whole row shows which key is taken.
  const fields = Object.keys(request.definition.fields);
  const row = await findTarget(readerOf(write), { ...request, fields, hideDeleted, lock: true });
  await guardOf(write, request)();
  return row;
}

function isResource(definition: ObjectDefinition, { registry }: ContentWriter): boolean {
  return definition === registry.resources;
}

async function readWritten<T>(
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

async function readBare(
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

function guardOf<T>(write: Write, request: TargetedWrite<T>): () => Promise<void> {
  const { precondition } = request;
  return async () => precondition?.(await readBare(readerOf(write), request));
}
