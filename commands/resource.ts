/** The commands that show, publish and delete resources, and what the other ones for resources share. */
import { readContent } from '../src/content/administration/browse-content.js';
import {
  type Editing,
  openEditing,
  removeResourceByHand,
  updateResourceByHand,
} from '../src/content/administration/edit-content.js';
import { openAdministration } from '../src/content/live/administrator.js';
import { AppError } from '../src/errors/app-error.js';
import { defineCommand, defineSiteCommand, type JsonRecord, type RecordResult } from './command.js';
import {
  fieldsParameter,
  listParameters,
  listRecordsOf,
  resourceParameters,
  showIntent,
} from './content/list-records.js';
import type { Deps } from './deps.js';
import { idValue, required, toggle } from './parameters.js';

export const resourceParameter = required(idValue, { placeholder: 'ID', description: 'Id of the resource' });

export const eventsParameter = toggle('Send webhook events, as a change through the gateway does');

/** Names the resource that is missing. */
export function notFound(id: number): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    throw new AppError('not_found', { message: `Resource ${id} does not exist`, cause: error });
  };
}

export interface Target {
  readonly id: number;
  readonly events: boolean;
}

/** What people want to see of a resource that they have just written; JSON has every field. */
const shown = ['id', 'pagetitle', 'context_key', 'parent', 'alias', 'uri', 'published', 'deleted'];

export async function changeResource(
  target: Target,
  deps: Deps,
  body: Readonly<Record<string, unknown>>,
): Promise<RecordResult> {
  const editing = await openToEdit(deps, target);
  return writtenRecord(await updateResourceByHand(editing, { id: target.id, body }).catch(notFound(target.id)));
}

export async function openToEdit(deps: Deps, { events }: { readonly events: boolean }): Promise<Editing> {
  const { env, clock, log } = deps;
  return openEditing((await deps.openSite()).store, { env, clock, log, events });
}

export function writtenRecord(written: JsonRecord): RecordResult {
  return { kind: 'record', record: written, fields: shown };
}

export const resourceList = defineCommand({
  description:
    'Lists resources of every context, published and unpublished. Filtering, sorting and searching work as in the gateway. With --json each record has all its fields, unless --fields selects some.',
  options: { ...listParameters, ...resourceParameters },
  examples: {
    'resource list --filter published=0 --sort -editedon': 'List unpublished resources, the last edited first',
    "resource list --context web --filter 'template[in]=2,3' --fields id,pagetitle,uri --limit 1000":
      'List the resources of two templates',
  },
  run: (options, deps) =>
    listRecordsOf(deps, {
      object: 'resources',
      flags: options,
      columns: ['id', 'context_key', 'parent', 'pagetitle', 'uri', 'published', 'deleted', 'hidemenu'],
    }),
});

export const resourceShow = defineSiteCommand({
  description:
    'Shows a resource of any context, even when it is unpublished or deleted. Template variables are shown as stored: bindings that run code are not evaluated.',
  arguments: { id: resourceParameter },
  options: { tvs: toggle('Also show template variables'), fields: fieldsParameter },
  examples: {
    'resource show 42': 'Show all fields',
    'resource show 42 --fields pagetitle,uri --tvs --json': 'Show two fields and the template variables as JSON',
  },
  async run({ id, tvs, fields }, deps) {
    const intent = showIntent({ fields, tvs });
    const admin = await openAdministration(deps.store, deps);
    const asked = { object: 'resources', key: id, intent };
    return { kind: 'record', record: await readContent(admin, asked).catch(notFound(id)) };
  },
});

export const resourcePublish = defineCommand({
  description:
    'Publishes a resource: sets published and the publication time, and cancels a scheduled publication. Servers show the resource within one second. A resource that is already published keeps its publication time.',
  arguments: { id: resourceParameter },
  options: { events: eventsParameter },
  examples: {
    'resource publish 42': 'Publish a resource',
    'resource publish 42 --events --json': 'Publish a resource and send webhook events',
  },
  run: (target, deps) => changeResource(target, deps, { published: true, pub_date: null }),
});

export const resourceUnpublish = defineCommand({
  description:
    'Unpublishes a resource: clears published, the publication time and all scheduled dates. Its descendants do not change.',
  arguments: { id: resourceParameter },
  options: { events: eventsParameter },
  examples: {
    'resource unpublish 42': 'Unpublish a resource',
    'resource unpublish 42 --events --json': 'Unpublish a resource and send webhook events',
  },
  run: (target, deps) => changeResource(target, deps, { published: false, pub_date: null, unpub_date: null }),
});

export const resourceDelete = defineCommand({
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
    const { id, force } = target;
    const editing = await openToEdit(deps, target);
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

/** A resource that is already deleted gets another error than one that does not exist. */
async function checkNotDeleted(editing: Editing, { id, error }: { readonly id: number; readonly error: unknown }) {
  if (!(error instanceof AppError) || error.code !== 'not_found') return;
  const asked = { object: 'resources', key: id, intent: showIntent({ fields: ['id'] }) };
  if ((await readContent(editing, asked).catch(() => null)) === null) return;
  const message = `Resource ${id} is already deleted. Remove it permanently with --force`;
  throw new AppError('not_found', { message, cause: error });
}

export const resourceRestore = defineCommand({
  description:
    'Restores a deleted resource and the descendants that were deleted with it. Refused when another resource uses its URI now.',
  arguments: { id: resourceParameter },
  options: { events: eventsParameter },
  examples: {
    'resource restore 42': 'Restore a resource and its descendants',
    'resource restore 42 --events --json': 'Restore a resource and send webhook events',
  },
  run: (target, deps) => changeResource(target, deps, { deleted: false }),
});
