/** Removes an element permanently, with the rows that belong to it. With `force` what used it does without it. */
import { AppError } from '../../errors/app-error.js';
import { deleteRows, updateRows } from '../../store/models/model.js';
import { categoryClosure, categoryRules, contextRules, resourceGroupRules } from '../models/access.js';
import { contextResources, removeTvSources } from '../models/elements.js';
import { deleteResource, siteContent } from '../models/resources.js';
import { contextSettings } from '../models/settings.js';
import { tvAccess, tvTemplates, tvValues } from '../models/template-variables.js';
import type { LoadedRow } from '../reading/select-rows.js';
import { updateResource } from '../resources/update-resource.js';
import { integerSetting } from '../rules/settings.js';
import { type ElementKind, elementKinds } from './element-kinds.js';
import { type ElementUser, usersOf } from './element-users.js';
import {
  type ElementChange,
  type ElementKey,
  type ElementWork,
  type ElementWrite,
  loadElement,
  mutationOf,
  startElement,
} from './element-work.js';
import { joinedResources, writeClosure } from './write-element.js';

interface Removal {
  readonly kind: ElementKind;
  readonly key: ElementKey;
  readonly force: boolean;
}

const mostShown = 100;

/** Throws not_found, and conflict for what the site needs or, without `force`, for what is in use. */
export async function removeElement(
  write: ElementWrite,
  { kind, key, force }: Removal,
): Promise<ElementChange & { readonly users: readonly ElementUser[] }> {
  const work = startElement(write, kind);
  const row = await loadElement(work, key);
  const name = String(row.raw(kind.nameField));
  checkNeeded(work, { key, name });
  const users = await usersOf(work, key, name);
  if (users.length > 0 && !force) throw inUse(kind, { name, users });
  const resources = await joinedResources(work, Number(key));
  const removed = await dropElement(work, { key, row, users });
  return { mutation: mutationOf(work, 'deleted', key), resources: [...resources, ...removed], users };
}

interface Drop {
  readonly key: ElementKey;
  readonly row: LoadedRow;
  readonly users: readonly ElementUser[];
}

/** Returns the ids of removed resources. */
export async function dropElement(work: ElementWork, drop: Drop): Promise<readonly number[]> {
  const { key } = drop;
  const removed = await releaseUsers(work, drop);
  await removeBelonging(work, key);
  await deleteRows(work.tx, { table: work.table.name, where: { [work.kind.definition.primaryKey]: key } });
  return removed;
}

/** `resource 5 "Soup", template 3 "Product" and 2 more`. */
export function usedBy(users: readonly ElementUser[]): string {
  const some = users.slice(0, 3).map(({ object, id, name }) => `${singularOf(object)} ${id} "${name}"`);
  return `${some.join(', ')}${users.length > some.length ? ` and ${users.length - some.length} more` : ''}`;
}

function inUse(
  { singular, object }: ElementKind,
  { name, users }: { readonly name: string; readonly users: readonly ElementUser[] },
): AppError {
  const message = `The ${singular} "${name}" is used by ${usedBy(users)}. With --force it is removed: ${forced[object]}`;
  return new AppError('conflict', { message, details: { usedBy: users.slice(0, mostShown) } });
}

function singularOf(object: string): string {
  if (object.endsWith('settings')) return 'setting';
  return elementKinds.find((kind) => kind.object === object)?.singular ?? 'resource';
}

const forced: Readonly<Record<string, string>> = {
  contexts: 'its resources are removed permanently',
  templates: 'its resources get no template',
  content_types: 'its resources get the default content type',
  categories: 'what is in it moves into the category above',
  tvs: 'its values are removed',
  media_sources: 'its template variables get the default media source',
  chunks: 'its tags stay and show nothing',
  snippets: 'its tags stay and show nothing',
};

function checkNeeded(work: ElementWork, { key, name }: { readonly key: ElementKey; readonly name: string }): void {
  const { kind } = work;
  const isNeeded =
    (kind.object === 'contexts' && (key === 'mgr' || key === 'web')) ||
    (kind.object === 'content_types' && key === defaultOf(work, 'default_content_type')) ||
    (kind.object === 'media_sources' && key === defaultOf(work, 'default_media_source'));
  if (!isNeeded) return;
  const message = `The ${kind.singular} "${name}" cannot be removed: it is ${kind.object === 'contexts' ? 'a context that every site has' : `the default of the site (the setting default_${kind.singular})`}`;
  throw new AppError('conflict', { message });
}

function defaultOf({ writer }: ElementWork, setting: string): number {
  return integerSetting(writer.live().system, setting, 1);
}

/** Returns the ids of removed and changed resources. */
async function releaseUsers(work: ElementWork, { key, row, users }: Drop): Promise<readonly number[]> {
  const { tx, prefix, writer } = work;
  const content = prefix + siteContent.table;
  const { tables } = writer.store;
  switch (work.kind.object) {
    case 'templates':
      await updateRows(tx, { table: content, where: { template: key } }, { template: 0 });
      return [];
    case 'content_types': {
      const changes = { values: { content_type: defaultOf(work, 'default_content_type') }, tvs: null };
      // Addresses end as the content type says.
      for (const { id } of users)
        await updateResource({ ...work, context: '', namesContext: false }, Number(id), changes);
      return users.map(({ id }) => Number(id));
    }
    case 'contexts': {
      const ids = users.map(({ id }) => Number(id));
      for (const id of ids) await deleteResource(tx, { prefix, id, hasTable: (name) => tables.has(name) });
      return ids;
    }
    case 'categories':
      await emptyCategory(work, { id: Number(key), parent: Number(row.raw('parent') ?? 0) });
      return [];
    default:
      return [];
  }
}

async function emptyCategory(
  work: ElementWork,
  { id, parent }: { readonly id: number; readonly parent: number },
): Promise<void> {
  const { tx, prefix, writer } = work;
  const below = (await usersOf(work, id, '')).filter(({ object }) => object === 'categories');
  const beside = (await usersOf(work, parent, '')).filter(({ object }) => object === 'categories');
  const double = below.find(({ name }) => beside.some((one) => one.name.toLowerCase() === name.toLowerCase()));
  if (double !== undefined) {
    const message = `The category ${double.id} "${double.name}" cannot move up: the category above has one of this name. Rename one of them first`;
    throw new AppError('conflict', { message });
  }
  // Plugins and property sets have categories too, although no command lists them.
  const tables = [...elementKinds.map(({ definition }) => definition.table), 'site_plugins', 'property_set'];
  for (const name of tables) {
    const table = writer.store.tables.get(prefix + name);
    const field = name === 'categories' ? 'parent' : 'category';
    if (table?.columns.has(field))
      await updateRows(tx, { table: table.name, where: { [field]: id } }, { [field]: parent });
  }
  for (const one of below) await writeClosure(work, Number(one.id));
}

async function removeBelonging(work: ElementWork, key: ElementKey): Promise<void> {
  const { tx, prefix, kind, writer } = work;
  const id = Number(key);
  const text = String(key);
  const places: Readonly<Record<string, readonly (readonly [table: string, column: string, value: ElementKey])[]>> = {
    templates: [[tvTemplates.table, 'templateid', id]],
    tvs: [
      [tvTemplates.table, 'tmplvarid', id],
      [tvValues.table, 'tmplvarid', id],
      [tvAccess.table, 'tmplvarid', id],
    ],
    categories: [
      [categoryClosure.table, 'descendant', id],
      [categoryClosure.table, 'ancestor', id],
      [categoryRules.table, 'target', text],
    ],
    contexts: [
      [contextSettings.table, 'context_key', text],
      [contextRules.table, 'target', text],
      [categoryRules.table, 'context_key', text],
      [resourceGroupRules.table, 'context_key', text],
      [contextResources.table, 'context_key', text],
    ],
  };
  for (const [name, column, value] of places[kind.object] ?? []) {
    const table = prefix + name;
    if (writer.store.tables.has(table)) await deleteRows(tx, { table, where: { [column]: value } });
  }
  if (kind.object === 'tvs') await removeTvSources(tx, prefix, { object: id });
  if (kind.object === 'media_sources') await removeTvSources(tx, prefix, { source: id });
  if (kind.object === 'contexts') await removeTvSources(tx, prefix, { contextKey: text });
}
