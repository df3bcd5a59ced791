/** Deletes a resource softly with its branch, or its row permanently (docs/reference/storage.md#deletion). */
import { AppError } from '../../errors/app-error.js';
import type { Mutation } from '../live/mutation.js';
import { deleteResource, lockResource, type ResourceState } from '../models/resources.js';
import type { Write } from '../mutations/run-mutation.js';
import { checkRowContext, lockTree, type ResourceWork, rightsTo, startWork, toMutation } from './resource-write.js';

/** Throws not_found (without `force` also for a deleted resource), scope_denied, conflict. */
export async function removeResource(
  write: Write,
  key: number,
  { force, guard }: { readonly force: boolean; readonly guard?: () => Promise<void> },
): Promise<Mutation> {
  const work = await startWork(write);
  const { tx, table, prefix, rows } = work;
  await lockTree(work);
  const before = await lockResource(tx, table, key);
  if (!before || (before.deleted && !force)) throw new AppError('not_found');
  checkRowContext(work, before.context_key);
  const rights = await rightsTo(work, before);
  if (!rights.mayLoad) throw new AppError('not_found');
  await guard?.();
  rights.check('delete');
  checkDeletable(work, before);
  rows.add(before);
  if (force) {
    const { tables } = work.writer.store;
    await deleteResource(tx, { prefix, id: key, hasTable: (name) => tables.has(name) });
    return toMutation(work, 'deleted', { before, after: null });
  }
  await planDeletion(work, { id: key, deletedBy: work.actor });
  await rows.write();
  return toMutation(work, 'deleted', { before, after: rows.get(key) });
}

/** Throws conflict for the pages without which the site does not work. */
export function checkDeletable(work: ResourceWork, row: Pick<ResourceState, 'id' | 'context_key'>): void {
  const setting = work.rulesOf(row.context_key).keptPages.get(row.id);
  if (setting === undefined) return;
  throw new AppError('conflict', {
    message: `The resource is the ${setting} of the context ${row.context_key} and cannot be deleted: set that to another page first`,
  });
}

export async function planDeletion(
  { rows, now, rulesOf }: ResourceWork,
  { id, deletedBy }: { readonly id: number; readonly deletedBy: number },
): Promise<void> {
  const below = await rows.loadBelow(id);
  const above = await rows.loadUpwards(id);
  const deletedon = freeSecond(now, { rows: [...below.map((one) => rows.get(one)), ...above], deletedBy });
  const stamp = { deleted: true, deletedon, deletedby: deletedBy };
  rows.change(id, stamp);
  const skipped = new Set<number>();
  for (const one of below) {
    const row = rows.get(one);
    // Levels are in order, so the parent is already decided.
    if (skipped.has(row.parent) || rulesOf(row.context_key).keptPages.has(one)) skipped.add(one);
    // A row that was deleted before keeps its stamp: restoring this deletion does not restore it.
    else if (!row.deleted) rows.change(one, stamp);
  }
}

/** Identifies the deletion: a second deletion by the same user in the same second must not be restored with it. */
function freeSecond(
  now: number,
  { rows, deletedBy }: { readonly rows: readonly ResourceState[]; readonly deletedBy: number },
): number {
  const taken = new Set(rows.filter((row) => row.deleted && row.deletedby === deletedBy).map((row) => row.deletedon));
  let second = now;
  while (taken.has(second)) second += 1;
  return second;
}

export async function planRestoration({ rows }: ResourceWork, id: number): Promise<void> {
  const row = rows.find(id);
  if (!row) return;
  const { deletedon, deletedby } = row.before;
  const clear = { deleted: false, deletedon: null, deletedby: 0 };
  for (const one of await rows.loadBelow(id)) {
    const other = rows.get(one);
    // The CMS can set the flag alone: such rows have no deletion in common.
    const isSame = deletedon !== null && other.deletedon === deletedon && other.deletedby === deletedby;
    if (other.deleted && isSame) rows.change(one, clear);
  }
  rows.change(id, clear);
}
