/** Creates, changes and removes records of any registered object, in any context and state. */
import type { FieldValues, Mutation, RecordChanges } from '../live/mutation.js';
import type { ChangesReading } from '../mutations/read-changes.js';
import { runMutation } from '../mutations/run-mutation.js';
import {
  type AnsweredWrite,
  guardOf,
  isResource,
  readBare,
  readerOf,
  readWritten,
  type TargetedWrite,
  type Write,
  type WriteRequest,
} from '../mutations/write-request.js';
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
