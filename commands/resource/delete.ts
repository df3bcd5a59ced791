/** `hcd resource delete`: delete a resource. */
import { readContent } from '../../src/content/administration/browse-content.js';
import { type Editing, removeResourceByHand } from '../../src/content/administration/edit-content.js';
import { AppError } from '../../src/errors/app-error.js';
import { defineCommand } from '../command.js';
import { showIntent } from '../content/list-records.js';
import { toggle } from '../parameters.js';
import { eventsParameter, notFound, openToEdit, resourceId, resourceParameter } from './shared.js';

export const command = defineCommand({
  description:
    'Marks a resource and all its descendants as deleted. hcd resource restore undoes this. With --force the resource and its template variables are removed permanently; its descendants are kept, without a parent. The start page and the error page of a site cannot be deleted.',
  arguments: { id: resourceParameter },
  options: { force: toggle('Remove the resource permanently'), events: eventsParameter },
  examples: {
    'resource delete 42': 'Delete a branch',
    'resource delete 42 --force --yes': 'Remove a resource permanently without confirmation',
  },
  destructive: { when: { says: 'With --force', holds: ({ force }) => force } },
  async run(target, deps) {
    const { force } = target;
    const editing = await openToEdit(deps, target);
    const id = await resourceId(editing, target.id);
    await deps.confirm(async () => {
      const asked = { object: 'resources', key: id, intent: showIntent({ fields: ['pagetitle', 'uri'] }) };
      const { pagetitle, uri } = await readContent(editing, asked).catch(notFound(id));
      const name = `resource ${id} "${String(pagetitle)}" (${String(uri ?? '')})`;
      return force
        ? `Remove ${name} permanently? Its descendants are kept, without a parent.`
        : `Delete ${name} and all its descendants?`;
    });
    const removed = await removeResourceByHand(editing, { id, force }).catch(async (error: unknown) => {
      if (!force) await checkNotDeleted(editing, { id, error });
      return notFound(id)(error);
    });
    const message = removed.permanent
      ? `Removed resource ${id} permanently.`
      : `Deleted resource ${id} and all its descendants. To undo: hcd resource restore ${id}`;
    return { kind: 'done', message, data: { id, deleted: true, permanent: removed.permanent } };
  },
});

/** A deleted resource gets another error than one that does not exist. */
async function checkNotDeleted(editing: Editing, { id, error }: { readonly id: number; readonly error: unknown }) {
  if (!(error instanceof AppError) || error.code !== 'not_found') return;
  const asked = { object: 'resources', key: id, intent: showIntent({ fields: ['id'] }) };
  if ((await readContent(editing, asked).catch(() => null)) === null) return;
  const message = `Resource ${id} is already deleted. Remove it permanently with --force`;
  throw new AppError('not_found', { message, cause: error });
}
