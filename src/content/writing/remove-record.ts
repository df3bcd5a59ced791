/** Removes a record of any registered object: marked as deleted where the object has such a mark, else for good. */

import type { Mutation } from '../live/mutation.js';
import { type Guard, guardOf, isResource } from '../mutations/read-written.js';
import { runMutation } from '../mutations/run-mutation.js';
import { readerOf, type Write } from '../mutations/write.js';
import type { TargetedWrite } from '../mutations/write-request.js';
import { findTarget } from '../records/find-target.js';
import { dropRow, writtenRowFields } from '../records/write-record.js';
import { removeResource } from '../resources/remove-resource.js';

export interface RemoveRequest<T> extends TargetedWrite<T> {
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
