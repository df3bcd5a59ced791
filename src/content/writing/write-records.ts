/** Changes a record of any registered object, found by its key in whatever context and state it is. */

import type { Mutation, RecordChanges } from '../live/mutation.js';
import type { ChangesReading } from '../mutations/read-changes.js';
import { type Guard, guardOf, isResource, readBare, readWritten } from '../mutations/read-written.js';
import { runMutation } from '../mutations/run-mutation.js';
import { type AnsweredWrite, readerOf, type TargetedWrite, type Write } from '../mutations/write-request.js';
import { findTarget } from '../records/find-target.js';
import { changeRow, createRow, dropRow, writtenRowFields } from '../records/write-record.js';
import { createResource } from '../resources/create-resource.js';
import { removeResource } from '../resources/remove-resource.js';
import { updateResource } from '../resources/update-resource.js';

type UpdateRequest<T> = AnsweredWrite<T> & TargetedWrite<T>;

/**
 * The result that `present` makes of the changed record. Throws, the first that applies: not_found, scope_denied,
 * precondition_failed, the refusal of the changes, whatever a rule refuses.
 */
export async function updateRecord<T>(request: UpdateRequest<T>, reading: ChangesReading): Promise<T> {
  const { writer, definition, seal, key, precondition } = request;
  if (!reading.ok) {
    // Nothing will be written, so that no writer has to wait for it.
    const reader = { ...writer.reader, db: writer.store.content.primary };
    await findTarget(reader, { ...request, fields: [], hideDeleted: false, lock: false });
    precondition?.(await readBare(reader, request));
    throw reading.refusal;
  }
  const { changes } = reading;
  return runMutation({
    store: writer.store,
    listeners: writer.listeners,
    seal,
    work: async (tx) => {
      const write: Write = { ...request, tx };
      const guard = guardOf(write, request);
      const mutation = isResource(definition, writer)
        ? await updateResource(write, Number(key), { ...changes, ...(guard ? { guard } : {}) })
        : await changeFound(write, request, { changes, guard });
      return {
        mutation,
        result: request.present(await readWritten(write, request, { mutation, values: changes.values })),
      };
    },
  });
}

async function changeFound<T>(
  write: Write,
  request: UpdateRequest<T>,
  { changes, guard }: { readonly changes: RecordChanges; readonly guard: Guard },
): Promise<Mutation> {
  const { definition } = request;
  const fields = writtenRowFields(definition);
  const row = await findTarget(readerOf(write), { ...request, fields, hideDeleted: false, lock: true });
  await guard?.();
  return changeRow(write, definition, { row, changes });
}

/** The result that `present` makes of the new record. */
export async function createRecord<T>(request: AnsweredWrite<T>, changes: RecordChanges): Promise<T> {
  const { writer, definition, seal } = request;
  return runMutation({
    store: writer.store,
    listeners: writer.listeners,
    seal,
    work: async (tx) => {
      const write: Write = { ...request, tx };
      const mutation = isResource(definition, writer)
        ? await createResource(write, changes)
        : await createRow(write, definition, changes);
      return {
        mutation,
        result: request.present(await readWritten(write, request, { mutation, values: changes.values })),
      };
    },
  });
}

interface RemoveRequest<T> extends TargetedWrite<T> {
  /** Remove the row for good, deleted already or not. */
  readonly force: boolean;
  readonly present: (removed: { readonly key: string | number; readonly permanent: boolean }) => T;
}

/** The result that `present` makes. Throws not_found (also for a second removal), scope_denied, precondition_failed, conflict. */
export async function removeRecord<T>(request: RemoveRequest<T>): Promise<T> {
  const { writer, definition, seal, key, force } = request;
  const permanent = force || definition.visibility.deleted === undefined;
  return runMutation({
    store: writer.store,
    listeners: writer.listeners,
    seal,
    work: async (tx) => {
      const write: Write = { ...request, tx };
      const guard = guardOf(write, request);
      const mutation = isResource(definition, writer)
        ? await removeResource(write, Number(key), { force, ...(guard ? { guard } : {}) })
        : await removeFound(write, request, guard);
      return { mutation, result: request.present({ key: mutation.key, permanent }) };
    },
  });
}

async function removeFound<T>(write: Write, request: RemoveRequest<T>, guard: Guard): Promise<Mutation> {
  const { definition, force } = request;
  const fields = writtenRowFields(definition);
  const row = await findTarget(readerOf(write), { ...request, fields, hideDeleted: !force, lock: true });
  await guard?.();
  return dropRow(write, definition, { row, force });
}
