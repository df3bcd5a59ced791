/** `hcd resource`: resources. */
import { readContent } from '../src/content/administration/browse-content.js';
import {
  createResourceByHand,
  type Editing,
  removeResourceByHand,
} from '../src/content/administration/edit-content.js';
import { linkTranslationsByHand } from '../src/content/administration/link-translations.js';
import { openAdministration } from '../src/content/live/administrator.js';
import { resources } from '../src/content/objects/core-objects.js';
import { AppError } from '../src/errors/app-error.js';
import { isJsonObject } from '../src/values/json.js';
import { defineCommand, defineSiteCommand } from './command.js';
import {
  fieldsParameter,
  listParameters,
  listRecordsOf,
  resourceParameters,
  showIntent,
} from './content/list-records.js';
import type { Deps } from './deps.js';
import {
  anyText,
  eventsParameter,
  idValue,
  optional,
  readableValue,
  repeated,
  required,
  toggle,
} from './parameters.js';
import { notEmpty } from './prompt.js';
import {
  changeResource,
  notFound,
  openToEdit,
  resourceId,
  resourceParameter,
  writtenResource,
} from './resource/shared.js';
import { aboutField, checkChanges, type Members, recordFlags, type WholeFlags } from './whole-object.js';

/** Other commands delete and restore, which changes more than this one field. */
const written = Object.keys(resources.fields).filter(
  (name) => !resources.immutable.includes(name) && !resources.hidden.includes(name) && name !== 'deleted',
);

const tvValue = readableValue<readonly [name: string, value: string]>({ accepts: 'NAME=VALUE' }, (text) => {
  const [, name, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  return name === undefined ? undefined : [name, value];
});

const flagsOfFields = recordFlags(written, {
  example: '{"pagetitle": "News"}',
  also: 'Fields by name, and tvs; flags override them',
  about: (name) => ({ description: `Value of ${name}`, ...aboutField(resources.fields[name]) }),
});

const writeParameters = {
  ...flagsOfFields.whole,
  tv: repeated(tvValue, 'Template variable to set', { placeholder: tvValue.accepts, members: 'tvs.' }),
  ...flagsOfFields.fields,
  template: optional(anyText, 'Template: its id or name (see hcd element list templates)'),
  parent: optional(anyText, 'Resource above it: its id or URI; 0 for none', { placeholder: 'ID_OR_URI' }),
  trust: toggle('Write values that the CMS evaluates, such as @CHUNK or @EVAL'),
};

type WriteFlags = WholeFlags & { readonly tv: readonly (readonly [name: string, value: string])[] };

async function bodyOf(flags: WriteFlags, deps: Deps): Promise<Members> {
  const body = await flagsOfFields.read(flags, deps, (name, text) => {
    return text === 'null' && resources.fields[name]?.type === 'datetime' ? null : text;
  });
  if (flags.tv.length === 0) return body;
  const { tvs } = body;
  return { ...body, tvs: { ...(isJsonObject(tvs) ? tvs : {}), ...Object.fromEntries(flags.tv) } };
}

export const commands = {
  list: defineCommand({
    description:
      'Lists resources of every context, published and unpublished. Filtering, sorting and searching work as in the gateway with gateway_extended_columns on. With --json each record has all its fields, unless --fields selects some.',
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
  }),

  show: defineSiteCommand({
    description:
      'Shows a resource of any context, even when it is unpublished or deleted. Template variables are shown as stored: bindings that run code are not evaluated.',
    arguments: { id: resourceParameter },
    options: { tvs: toggle('Also show template variables'), fields: fieldsParameter },
    examples: {
      'resource show 42': 'Show all fields',
      'resource show lamps/pier.html --fields pagetitle,uri --tvs --json':
        'Show two fields and the template variables as JSON',
    },
    async run({ id: idOrUri, tvs, fields }, deps) {
      const intent = showIntent({ fields, tvs });
      const admin = await openAdministration(deps.store, deps);
      const id = await resourceId(admin, idOrUri);
      const asked = { object: 'resources', key: id, intent };
      return { kind: 'record', record: await readContent(admin, asked).catch(notFound(id)) };
    },
  }),

  create: defineCommand({
    description:
      'Creates a resource. The rules are those of the gateway: missing fields get the defaults of the CMS, the alias is generated from the title, the URI from the alias and the place in the tree, and a URI that is in use is refused. pagetitle is required. Booleans are 1, 0, true or false. Times are ISO 8601 or Unix seconds.',
    options: { ...writeParameters, events: eventsParameter },
    examples: {
      'resource create --pagetitle Pier --template Product --parent lamps/ --published 1':
        'Create a page under another page',
      'resource create --file page.json --tv color=blue --json': 'Create a page from a file and print it as JSON',
    },
    async run(flags, deps) {
      const given = await bodyOf(flags, deps);
      // Before the database is opened: a missing flag is a usage error.
      const body =
        given['pagetitle'] === undefined
          ? {
              ...given,
              pagetitle: await deps.prompt.text({ message: 'Page title', flag: '--pagetitle', check: notEmpty }),
            }
          : given;
      const editing = await openToEdit(deps, flags);
      const made = await createResourceByHand(editing, body);
      const { id, published } = made.record;
      return writtenResource(made, [published === false && `It is not published: hcd resource publish ${id}`]);
    },
  }),

  update: defineCommand({
    description:
      'Changes the given fields of a resource of any context and keeps the others. The rules are those of the gateway. A new alias, parent or context also moves all descendants. Booleans are 1, 0, true or false. Times are ISO 8601 or Unix seconds.',
    arguments: { id: resourceParameter },
    options: { ...writeParameters, events: eventsParameter },
    examples: {
      'resource update 42 --pagetitle "Old news" --menuindex 3': 'Change two fields',
      'resource update 42 --file changes.json --tv color=red': 'Change fields from a file and a template variable',
    },
    async run(flags, deps) {
      const body = await bodyOf(flags, deps);
      checkChanges(body);
      return changeResource(flags, deps, body);
    },
  }),

  publish: defineCommand({
    description:
      'Publishes a resource: sets published and the publication time, and cancels a scheduled publication. Servers show the resource within one second. A resource that is already published keeps its publication time.',
    arguments: { id: resourceParameter },
    options: { events: eventsParameter },
    examples: {
      'resource publish 42': 'Publish a resource',
      'resource publish 42 --events --json': 'Publish a resource and send webhook events',
    },
    run: (target, deps) => changeResource(target, deps, { published: true, pub_date: null }),
  }),

  unpublish: defineCommand({
    description:
      'Unpublishes a resource: clears published, the publication time and all scheduled dates. Its descendants do not change.',
    arguments: { id: resourceParameter },
    options: { events: eventsParameter },
    examples: {
      'resource unpublish 42': 'Unpublish a resource',
      'resource unpublish 42 --events --json': 'Unpublish a resource and send webhook events',
    },
    run: (target, deps) => changeResource(target, deps, { published: false, pub_date: null, unpub_date: null }),
  }),

  'link-translation': defineCommand({
    description:
      'Makes two pages of different contexts translations of each other, with all pages to which they are linked already. A page that they were linked to in one of these contexts is replaced. The links are kept where the extra Babel keeps them, in the template variable babelLanguageLinks, which a site without a CMS gets with the first link. include=translations shows them.',
    arguments: {
      id: required(idValue, 'Id of a page', { placeholder: 'ID' }),
      other: required(idValue, 'Id of its translation in another context', { placeholder: 'OTHER' }),
    },
    options: { undo: toggle('Remove the link instead: OTHER leaves the group'), events: eventsParameter },
    examples: {
      'resource link-translation 12 57': 'Link a page and its translation',
      'resource link-translation 12 57 --undo --json': 'Remove the link again',
    },
    async run({ id: first, other: second, undo, events }, deps) {
      const editing = await openToEdit(deps, { events });
      const translations = await linkTranslationsByHand(editing, { first, second, isUndone: undo });
      return { kind: 'list', columns: ['context', 'language', 'id', 'uri', 'url'], rows: translations };
    },
  }),

  delete: defineCommand({
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
  }),

  restore: defineCommand({
    description:
      'Restores a deleted resource and the descendants that were deleted with it. Refused when another resource uses its URI now.',
    arguments: { id: resourceParameter },
    options: { events: eventsParameter },
    examples: {
      'resource restore 42': 'Restore a resource and its descendants',
      'resource restore 42 --events --json': 'Restore a resource and send webhook events',
    },
    run: (target, deps) => changeResource(target, deps, { deleted: false }),
  }),
};

/** A deleted resource gets another error than one that does not exist. */
async function checkNotDeleted(editing: Editing, { id, error }: { readonly id: number; readonly error: unknown }) {
  if (!(error instanceof AppError) || error.code !== 'not_found') return;
  const asked = { object: 'resources', key: id, intent: showIntent({ fields: ['id'] }) };
  if ((await readContent(editing, asked).catch(() => null)) === null) return;
  const message = `Resource ${id} is already deleted. Remove it permanently with --force`;
  throw new AppError('not_found', { message, cause: error });
}
