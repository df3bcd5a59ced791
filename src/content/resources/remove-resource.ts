/**
 * Deletes a resource: softly with its branch, or the row alone and permanently (docs/reference/storage.md#deletion).
 */
import { AppError } from '../../errors/app-error.js';
import type { Mutation } from '../live/mutation.js';
import { deleteResource, encodeState, lockResource, updateResource } from '../models/resources.js';
import type { Write } from '../mutations/write.js';
import { checkRowContext, rightsTo } from './check-rights.js';
import { checkDeletable, planDeletion } from './delete-branch.js';
import { lockTree } from './lock-tree.js';
import { changedValues, PlannedRows } from './planned-rows.js';
import { startWork } from './resource-write.js';
import { toMutation } from './row-changes.js';

export interface ResourceRemoval {
  /** Remove the row for good; what is below it stays and points to a missing parent. */
  readonly force: boolean;
  /** As in ResourceUpdate. */
  readonly guard?: () => void | Promise<void>;
}

/** Throws not_found (also for what is deleted already, unless forced), scope_denied, conflict. */
export async function removeResource(
  write: Write,
  key: number,
  { force, guard }: ResourceRemoval,
): Promise<Mutation & { readonly permanent: boolean }> {
  const work = await startWork(write);
  const { tx, table, prefix } = work;
  await lockTree(work);
  const before = await lockResource(tx, table, key);
  if (!before || (before.deleted && !force)) throw new AppError('not_found');
  checkRowContext(work, before.context_key);
  const rights = await rightsTo(work, before);
  if (!rights.mayLoad) throw new AppError('not_found');
  await guard?.();
  rights.check('delete');
  checkDeletable(work, before);
  const rows = new PlannedRows(work);
  rows.add(before);
  if (force) {
    const { tables } = work.writer.store;
    await deleteResource(tx, { prefix, id: key, hasTable: (name) => tables.has(name) });
    return { ...toMutation(work, { action: 'deleted', row: { before, after: null }, rows }), permanent: true };
  }
  await planDeletion(work, { rows, id: key, deletedBy: work.actor });
  const row = rows.find(key);
  if (row) await updateResource(tx, table, { id: key, values: encodeState(changedValues(row)) });
  await rows.write({ except: key });
  return { ...toMutation(work, { action: 'deleted', row: { before, after: rows.get(key) }, rows }), permanent: false };
}
