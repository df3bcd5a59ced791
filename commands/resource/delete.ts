/** `hcd resource delete ID`: marks a branch as deleted, or removes one row permanently. */
import { readContent } from '../../src/content/administration/browse-content.js';
import { type Editing, removeResourceByHand } from '../../src/content/administration/edit-content.js';
import { AppError } from '../../src/errors/app-error.js';
import { defineCommand } from '../command.js';
import { confirmChange } from '../confirm.js';
import { showIntent } from '../content/list-records.js';
import type { Deps } from '../deps.js';
import { required, toggle } from '../parameters.js';
import { eventsParameter } from './field-flags.js';
import { idValue, nameMissing, openToEdit, type Target } from './shared.js';

export const command = defineCommand({
  path: 'resource delete',
  summary: 'Delete a resource',
  description:
    'Marks a resource and all its descendants as deleted. hcd resource restore undoes this. With --force the resource and its template variables are removed permanently; its descendants are kept, without a parent. The start page and the error page of a site cannot be deleted.',
  arguments: { id: required(idValue, { placeholder: 'ID', description: 'Id of the resource' }) },
  options: { force: toggle('Remove the resource permanently'), events: eventsParameter },
  examples: [
    { line: 'resource delete 42', does: 'Delete a branch' },
    { line: 'resource delete 42 --force --yes', does: 'Remove a resource permanently without confirmation' },
  ],
  destructive: { when: { says: 'With --force', holds: ({ force }) => force } },
  async run(target, deps) {
    const { id, force } = target;
    const editing = await openToEdit(deps, target);
    if (deps.prompt.isInteractive) await confirmDelete(editing, target, deps);
    const removed = await removeResourceByHand(editing, { id, force }).catch(async (error: unknown) => {
      throw (await deletedAlready(editing, error, target)) ?? nameMissing(error, id);
    });
    const message = removed.permanent
      ? `Removed resource ${id} permanently.`
      : `Deleted resource ${id} and all its descendants. To undo: hcd resource restore ${id}`;
    return { kind: 'done', message, data: { id, deleted: true, permanent: removed.permanent } };
  },
});

/** A resource that is already deleted gets another error than one that does not exist. */
async function deletedAlready(editing: Editing, error: unknown, { id, force }: Target & { readonly force: boolean }) {
  if (force || !(error instanceof AppError) || error.code !== 'not_found') return undefined;
  const asked = { object: 'resources', key: id, intent: showIntent({ fields: ['id'] }) };
  const isThere = await readContent(editing, asked).then(
    () => true,
    () => false,
  );
  const message = `Resource ${id} is already deleted. Remove it permanently with --force`;
  return isThere ? new AppError('not_found', { message, cause: error }) : undefined;
}

async function confirmDelete(editing: Editing, { id, force }: Target & { readonly force: boolean }, deps: Deps) {
  const intent = showIntent({ fields: ['pagetitle', 'uri'] });
  const found = await readContent(editing, { object: 'resources', key: id, intent }).catch((error: unknown) => {
    throw nameMissing(error, id);
  });
  const name = `resource ${id} "${String(found['pagetitle'])}" (${String(found['uri'] ?? '')})`;
  const message = force
    ? `Remove ${name} permanently? Its descendants are kept, without a parent.`
    : `Delete ${name} and all its descendants?`;
  await confirmChange(deps, message);
}
