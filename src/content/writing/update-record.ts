/** Changes a record of any registered object, found by its key in whatever context and state it is. */

import type { Mutation, RecordChanges } from '../live/mutation.js';
import type { ChangesReading } from '../mutations/read-changes.js';
import { type Guard, guardOf, isResource, readBare, readWritten } from '../mutations/read-written.js';
import { runMutation } from '../mutations/run-mutation.js';
import { readerOf, type Write } from '../mutations/write.js';
import type { AnsweredWrite, TargetedWrite } from '../mutations/write-request.js';
import { findTarget } from '../records/find-target.js';
import { changeRow, writtenRowFields } from '../records/write-record.js';
import { updateResource } from '../resources/update-resource.js';

export type UpdateRequest<T> = AnsweredWrite<T> & TargetedWrite<T>;

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
