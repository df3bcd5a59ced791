/** Changes a resource with the consequences of the CMS (docs/reference/storage.md#changing-resources). */

import { AppError, Problems } from '../../errors/app-error.js';
import type { Param } from '../../store/base/database.js';
import type { Mutation, RecordChanges } from '../live/mutation.js';
import {
  encodeState,
  isResourceField,
  lockResource,
  type ResourceState,
  readGivenState,
  readResources,
  updateResource as updateRow,
} from '../models/resources.js';
import type { Write } from '../mutations/write-request.js';
import { changePublication } from '../rules/publication.js';
import { checkRowContext, type RowRights, rightsTo } from './check-rights.js';
import { checkReferences, checkStatic, checkValues, givenTexts, typeOfClass } from './check-values.js';
import { placeChanged } from './decide-place.js';
import { type Planning, planAddress } from './plan-address.js';
import { changedValues, PlannedRows } from './planned-rows.js';
import { lockTree, type ResourceWork, startWork } from './resource-write.js';
import { toMutation } from './row-changes.js';
import { readContentTypes } from './settle-uris.js';
import { planTvs, writeTvs } from './write-tvs.js';

export interface ResourceUpdate extends RecordChanges {
  /**
   * Called once the row is locked and the caller's rights to it are known, before anything changes: throws when the
   * request must not go on (If-Match).
   */
  readonly guard?: () => void | Promise<void>;
}

/**
 * Changes the resource, wherever and in whatever state it is, and what follows from that: URIs below, container flags,
 * the branch with `deleted`. Throws not_found, scope_denied, conflict, validation_failed with every problem.
 */
export async function updateResource(write: Write, key: number, update: ResourceUpdate): Promise<Mutation> {
  const work = await startWork(write);
  const given = readGivenState(update.values);
  const before = await lockForUpdate(work, key, given);
  checkRowContext(work, before.context_key);
  const rights = await rightsTo(work, before);
  if (!rights.mayLoad) throw new AppError('not_found');
  await update.guard?.();
  checkUpdateRights(rights, before, given);
  const problems = new Problems();
  await checkStatic(work, { before, values: update.values, problems });

  const rows = new PlannedRows(work);
  rows.add(before);
  const contentTypes = await readContentTypes(work);
  await planFields(work, { update, given, before, rows, contentTypes, problems });
  problems.throwIfAny();

  await planAddress(work, { given, before, rows, contentTypes, problems });
  const writes = await planTvs(work, { tvs: update.tvs, row: rows.get(key), rows, problems });
  problems.throwIfAny();

  await writeRequested(work, { rows, key, texts: givenTexts(update.values) });
  await writeTvs(work, { resource: key, writes });
  await rows.write({ except: key });
  return toMutation(work, { action: 'updated', row: { before, after: rows.get(key) }, rows });
}

/** Locks the row; before it the tree, when the change may move addresses. Throws not_found. */
async function lockForUpdate(work: ResourceWork, key: number, given: Partial<ResourceState>): Promise<ResourceState> {
  const { tx, table } = work;
  const [seen] = await readResources(tx, table, [key]);
  if (!seen) throw new AppError('not_found');
  if (tx.dialect === 'sqlite') return seen;
  const holdsTree = touchesTree(work, seen, given);
  if (holdsTree) await lockTree(work);
  const locked = await lockResource(tx, table, key);
  if (!locked) throw new AppError('not_found');
  // Another writer changed it in between. Waiting for the tree while holding the row may end in a deadlock, which is repeated.
  if (holdsTree || !touchesTree(work, locked, given)) return locked;
  await lockTree(work);
  return (await lockResource(tx, table, key)) ?? locked;
}

const treeFields = [
  'alias',
  'parent',
  'context_key',
  'uri',
  'uri_override',
  'content_type',
  'isfolder',
  'deleted',
] as const;

function touchesTree(work: ResourceWork, row: ResourceState, given: Partial<ResourceState>): boolean {
  // Any save computes an empty URI.
  if (!row.uri && work.rulesOf(row.context_key).uri.friendlyUrls) return true;
  return treeFields.some((name) => given[name] !== undefined && given[name] !== row[name]);
}

const publicationFields = ['published', 'publishedon', 'publishedby', 'pub_date', 'unpub_date'] as const;

function checkUpdateRights(rights: RowRights, before: ResourceState, given: Partial<ResourceState>): void {
  rights.check('save');
  const publishes = publicationFields.some((name) => given[name] !== undefined && given[name] !== before[name]);
  if (publishes) rights.check('publish');
  if (given.deleted === true && !before.deleted) rights.check('delete');
  if (given.deleted === false && before.deleted) rights.check('undelete');
}

/** Everything but the address and the deletion. */
async function planFields(work: ResourceWork, planning: Planning & { readonly update: ResourceUpdate }): Promise<void> {
  const { given, before, rows, contentTypes, problems, update } = planning;
  checkValues(work, update.values, problems);
  const place = await placeChanged(work, { values: update.values, rows, problems, before });
  // A reference that does not change may refer to nothing: the CMS allows it.
  const changed = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => !isResourceField(name) || before[name] !== value),
  );
  const named = await checkReferences(work, { given: changed, contentTypes, context: place.context, problems });
  if (given.pagetitle !== undefined && given.pagetitle.trim() === '') problems.add('pagetitle', 'must not be empty');
  checkKeptPage(work, { before, given, problems });
  const publication = changePublication(before, given, work);
  const { deleted: _deleted, deletedon: _deletedon, ...fields } = given;
  rows.change(before.id, {
    ...fields,
    ...named,
    type: given.type ?? typeAfter(before, named.class_key),
    ...(given.pagetitle === undefined ? {} : { pagetitle: given.pagetitle.trim() }),
    alias: before.alias,
    context_key: place.context,
    parent: place.parent,
    ...publication,
    editedon: editTime(work.now, { before: before.editedon, changesTvs: Object.keys(update.tvs ?? {}).length > 0 }),
    editedby: work.actor,
  });
}

/** Seconds by which the time of an edit may run ahead of the clock. */
const mostAhead = 60;

/**
 * Template variables are not fields of the resource. When they alone change, only this time makes the entity tag differ, so
 * each such change has another one.
 */
function editTime(
  now: number,
  { before, changesTvs }: { readonly before: number | null; readonly changesTvs: boolean },
): number {
  const next = (before ?? 0) + (changesTvs ? 1 : 0);
  return next > now && next <= now + mostAhead ? next : now;
}

/** A link that becomes a document changes its type with it, and vice versa. */
function typeAfter(before: ResourceState, classKey: string | undefined): string {
  return classKey === undefined || classKey === before.class_key ? before.type : typeOfClass(classKey);
}

/** The pages that the site needs stay published (docs/reference/storage.md#changing-resources). */
function checkKeptPage(
  work: ResourceWork,
  { before, given, problems }: Pick<Planning, 'before' | 'given' | 'problems'>,
): void {
  const setting = work.rulesOf(before.context_key).keptPages.get(before.id);
  if (setting === undefined) return;
  const what = `the resource is the ${setting} of the context ${before.context_key}`;
  if (given.published === false && before.published) problems.add('published', `must stay true: ${what}`);
  for (const name of ['pub_date', 'unpub_date'] as const) {
    if (given[name]) problems.add(name, `must not be set: ${what}`);
  }
}

async function writeRequested(
  work: ResourceWork,
  { rows, key, texts }: { readonly rows: PlannedRows; readonly key: number; readonly texts: Record<string, Param> },
): Promise<void> {
  const row = rows.find(key);
  if (!row) return;
  await updateRow(work.tx, work.table, { id: key, values: { ...encodeState(changedValues(row)), ...texts } });
}
