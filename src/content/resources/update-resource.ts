/** Changes a resource as the CMS does (docs/reference/storage.md#changing-resources). */

import { AppError } from '../../errors/app-error.js';
import type { Mutation, RecordChanges } from '../live/mutation.js';
import {
  isResourceField,
  lockResource,
  type ResourceField,
  type ResourceState,
  readGivenState,
  readResources,
  siteContent,
} from '../models/resources.js';
import type { Write } from '../mutations/run-mutation.js';
import { changePublication } from '../rules/publication.js';
import { decideAlias, uriFields } from '../rules/uri.js';
import {
  checkReferences,
  checkStatic,
  checkValues,
  givenTexts,
  placeChanged,
  settleGivenUri,
  typeOfClass,
} from './check-values.js';
import { checkDeletable, planDeletion, planRestoration } from './remove-resource.js';
import {
  type ContentTypes,
  checkRowContext,
  lockTree,
  type ResourceWork,
  type RowRights,
  readContentTypes,
  rightsTo,
  startWork,
  toMutation,
  type UriWork,
} from './resource-write.js';
import {
  findClashes,
  hiddenClashes,
  reachesDescendants,
  reportClashes,
  settleDescendantUris,
  settleOwnUri,
  uriClaims,
} from './settle-uris.js';
import { planTvs, writeTvs } from './write-tvs.js';

export interface ResourceUpdate extends RecordChanges {
  /** Runs once the row is locked and rights are known: throws to refuse (If-Match). */
  readonly guard?: () => Promise<void>;
}

/** Throws not_found, scope_denied, conflict, validation_failed with every problem. */
export async function updateResource(write: Write, key: number, update: ResourceUpdate): Promise<Mutation> {
  const started = await startWork(write);
  const asked = readGivenState(update.values);
  const before = await lockForUpdate(started, key, asked);
  checkRowContext(started, before.context_key);
  const rights = await rightsTo(started, before);
  if (!rights.mayLoad) throw new AppError('not_found');
  await update.guard?.();
  const given = settleGivenUri(started, { given: asked, before });
  checkUpdateRights(rights, before, given);
  await checkStatic(started, { before, values: update.values });

  const moves = mayMove(before, given);
  const work: Planning = { ...started, given, before, contentTypes: moves ? await readContentTypes(started) : noTypes };
  const { rows, problems } = work;
  rows.add(before);
  await planFields(work, update);
  problems.throwIfAny();

  if (moves) await planAddress(work);
  const writes = await planTvs(work, { ...update, row: rows.get(key) });
  problems.throwIfAny();

  await rows.write({ id: key, texts: givenTexts(update.values) });
  await writeTvs(work, { resource: key, writes });
  return toMutation(work, 'updated', { before, after: rows.get(key) });
}

async function lockForUpdate(work: ResourceWork, key: number, given: Partial<ResourceState>): Promise<ResourceState> {
  const { tx, table } = work;
  const [seen] = await readResources(tx, table, [key]);
  if (!seen) throw new AppError('not_found');
  if (tx.dialect === 'sqlite') return seen;
  const holdsTree = touchesTree(work, seen, given);
  if (holdsTree) await lockTree(work);
  const locked = await lockResource(tx, table, key);
  if (!locked) throw new AppError('not_found');
  // Another writer changed it. Waiting for the tree while holding the row may end in a deadlock, which is repeated.
  if (holdsTree || !touchesTree(work, locked, given)) return locked;
  await lockTree(work);
  return (await lockResource(tx, table, key)) ?? locked;
}

function changesAny(names: readonly ResourceField[], row: ResourceState, given: Partial<ResourceState>): boolean {
  return names.some((name) => given[name] !== undefined && given[name] !== row[name]);
}

const treeFields = [...uriFields, 'deleted'] as const;

function touchesTree(work: ResourceWork, row: ResourceState, given: Partial<ResourceState>): boolean {
  // Any save computes an empty URI.
  if (!row.uri && work.rulesOf(row.context_key).uri.friendlyUrls) return true;
  return changesAny(treeFields, row, given);
}

const noTypes: ContentTypes = new Map();

/** If no address can change, neither content types nor the rows above are read. */
function mayMove(row: ResourceState, given: Partial<ResourceState>): boolean {
  return !row.uri || changesAny(treeFields, row, given);
}

const publicationFields = ['published', 'publishedon', 'publishedby', 'pub_date', 'unpub_date'] as const;

function checkUpdateRights(rights: RowRights, before: ResourceState, given: Partial<ResourceState>): void {
  rights.check('save');
  if (changesAny(publicationFields, before, given)) rights.check('publish');
  if (given.deleted === true && !before.deleted) rights.check('delete');
  if (given.deleted === false && before.deleted) rights.check('undelete');
}

async function planFields(work: Planning, update: ResourceUpdate): Promise<void> {
  const { given, before, rows, problems } = work;
  checkValues(work, update.values);
  const place = await placeChanged(work, { values: update.values, before });
  // An unchanged reference may refer to nothing: the CMS allows it.
  const changed = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => !isResourceField(name) || before[name] !== value),
  );
  const named = await checkReferences(work, { given: changed, context: place.context });
  if (given.pagetitle !== undefined && given.pagetitle.trim() === '') problems.add('pagetitle', 'must not be empty');
  checkKeptPage(work);
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

/** When only template variables change, this time alone makes the entity tag differ. */
function editTime(
  now: number,
  { before, changesTvs }: { readonly before: number | null; readonly changesTvs: boolean },
): number {
  const next = (before ?? 0) + (changesTvs ? 1 : 0);
  return next > now && next <= now + mostAhead ? next : now;
}

function typeAfter(before: ResourceState, classKey: string | undefined): string {
  return classKey === undefined || classKey === before.class_key ? before.type : typeOfClass(classKey);
}

/** The pages that the site needs stay published (docs/reference/storage.md#changing-resources). */
function checkKeptPage({ before, given, problems, rulesOf }: Planning): void {
  const setting = rulesOf(before.context_key).keptPages.get(before.id);
  if (setting === undefined) return;
  const what = `the resource is the ${setting} of the context ${before.context_key}`;
  if (given.published === false && before.published) problems.add('published', `must stay true: ${what}`);
  for (const name of ['pub_date', 'unpub_date'] as const) {
    if (given[name]) problems.add(name, `must not be set: ${what}`);
  }
}

interface Planning extends UriWork {
  readonly given: Partial<ResourceState>;
  readonly before: ResourceState;
}

async function planAddress(work: Planning): Promise<void> {
  const { given, before, rows, problems } = work;
  const { id } = before;
  const rules = work.rulesOf(rows.get(id).context_key);
  // A foreign alias that is sent back as it was read keeps its addresses.
  if (given.alias !== undefined && given.alias !== before.alias) {
    const { alias, problem } = decideAlias(given.alias, rows.get(id).pagetitle, rules.uri);
    if (problem !== null) problems.add('alias', problem);
    rows.change(id, { alias });
  }
  await rows.loadUpwards(rows.get(id).parent);
  await planContainers(work);
  if (given.deleted === false && before.deleted) await planRestoration(work, id);
  await moveDescendants(work);
  settleOwnUri(work, id);
  const row = rows.find(id);
  if (row && reachesDescendants(work, row)) {
    await rows.loadBelow(id);
    settleDescendantUris(work, id);
  }
  if (given.deleted === true && !before.deleted) {
    checkDeletable(work, before);
    await planDeletion(work, { id, deletedBy: given.deletedby ?? work.actor });
  }
  const after = rows.get(id);
  // Computed values must fit too; unchanged ones do.
  if (after.alias !== before.alias) checkValues(work, { alias: after.alias });
  if (after.uri !== before.uri) checkValues(work, { uri: after.uri });
  const clashes = await findClashes(work, uriClaims(work));
  await reportClashes(work, {
    clashes,
    own: id,
    isFrozen: after.uri_override && Boolean(given.uri === undefined ? before.uri : given.uri),
    cause: causeOf(before, after),
    hidden: await hiddenClashes(work, clashes),
  });
}

function causeOf(before: ResourceState, after: ResourceState): string {
  if (before.parent !== after.parent) return 'parent';
  if (before.context_key !== after.context_key) return 'context_key';
  if (before.alias !== after.alias) return 'alias';
  return before.deleted && !after.deleted ? 'deleted' : 'uri';
}

/** docs/reference/storage.md#changing-resources */
async function moveDescendants({ rows, before }: Planning): Promise<void> {
  const { context_key: context } = rows.get(before.id);
  if (context === before.context_key) return;
  for (const id of await rows.loadBelow(before.id)) rows.change(id, { context_key: context });
}

/** A former parent without children is no longer a container. */
async function planContainers(work: Planning): Promise<void> {
  const { before, rows } = work;
  const { parent } = rows.get(before.id);
  if (parent === before.parent) return;
  const settle = async (id: number, isfolder: boolean) => {
    const row = await rows.load(id);
    if (!row || !work.rulesOf(row.context_key).autoIsfolder) return;
    await rows.loadUpwards(id);
    rows.change(id, { isfolder });
    settleOwnUri(work, id);
  };
  await settle(parent, true);
  const how = { attributes: ['id'], limit: 2 } as const;
  const children = await siteContent.on(work.tx, work.prefix).lookUpAll({ parent: before.parent }, how);
  if (children.every(({ id }) => id === before.id)) await settle(before.parent, false);
}
