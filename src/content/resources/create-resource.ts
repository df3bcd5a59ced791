/** Creates a resource as the CMS does (docs/reference/storage.md#creating-resources). */

import type { Mutation, RecordChanges } from '../live/mutation.js';
import { spellClass } from '../models/elements.js';
import {
  encodeState,
  insertResource,
  lastMenuindex,
  type ResourceState,
  readGivenState,
  readUriHolders,
  updateResource,
} from '../models/resources.js';
import type { Write } from '../mutations/run-mutation.js';
import { mayPreview } from '../query/authorize.js';
import { publishNew } from '../rules/publication.js';
import { flagSetting, integerSetting } from '../rules/settings.js';
import { decideAlias } from '../rules/uri.js';
import {
  checkReferences,
  checkStatic,
  checkValues,
  givenTexts,
  type Place,
  placeNew,
  settleGivenUri,
  templateExists,
  typeOfClass,
} from './check-values.js';
import { checkDeletable } from './remove-resource.js';
import {
  type ContextRules,
  lockTree,
  type ResourceWork,
  readContentTypes,
  startWork,
  toMutation,
  type UriWork,
} from './resource-write.js';
import {
  findClashes,
  hiddenClashes,
  newUri,
  reportClashes,
  settleOwnUri,
  type UriClaim,
  uriClaims,
} from './settle-uris.js';
import { planTvs, writeTvs } from './write-tvs.js';

/** Of a row that is not inserted yet: no row has it, and 0 is the root. */
const noId = -1;

export async function createResource(write: Write, changes: RecordChanges): Promise<Mutation> {
  const { values } = changes;
  const started = await startWork(write);
  await lockTree(started);
  const work = { ...started, contentTypes: await readContentTypes(started) };
  const { problems } = work;
  await checkStatic(work, { before: null, values });
  checkValues(work, values);
  const place = await placeNew(work, values);
  const given = settleGivenUri(work, { given: readGivenState(values), before: null });
  const named = await checkReferences(work, { given, context: place.context });
  if ((given.pagetitle ?? '').trim() === '') problems.add('pagetitle', 'must not be empty');
  // The next steps need the settings of a valid place.
  problems.throwIfAny();

  const draft = await completeRow(work, { given: { ...given, ...named }, place });
  const { row, aliasProblem } = await settleAddress(work, { draft, given });
  if (aliasProblem !== null) problems.add('alias', aliasProblem);
  const writes = await planTvs(work, { ...changes, row });
  claimParent(work, row);
  checkValues(work, { alias: row.alias, uri: row.uri });
  await checkAddress(work, { row, isGiven: Boolean(given.uri) });
  problems.throwIfAny();

  const id = await insertResource(work.tx, work.table, { ...encodeState(row), ...givenTexts(values) });
  const created = await finishStartPage(work, { ...row, id });
  await writeTvs(work, { resource: id, writes });
  await work.rows.write();
  return toMutation(work, 'created', { before: null, after: created });
}

async function completeRow(
  work: ResourceWork,
  { given, place }: { readonly given: Partial<ResourceState>; readonly place: Place },
): Promise<ResourceState> {
  const { now, actor } = work;
  const rules = work.rulesOf(place.context);
  const flag = (key: string, fallback: boolean) => flagSetting(rules.settings, key, fallback);
  const classKey = given.class_key ?? spellClass('modDocument', rules);
  const deleted = given.deleted ?? false;
  return {
    type: typeOfClass(classKey),
    longtitle: '',
    description: '',
    alias: '',
    link_attributes: '',
    isfolder: false,
    introtext: null,
    richtext: flag('richtext_default', true),
    template: await defaultTemplate(work, rules),
    searchable: flag('search_default', true),
    cacheable: flag('cache_default', true),
    createdby: actor,
    createdon: now,
    menutitle: '',
    content_dispo: 0,
    hidemenu: flag('hidemenu_default', false),
    content_type: integerSetting(rules.settings, 'default_content_type', 1),
    uri: null,
    uri_override: false,
    hide_children_in_tree: false,
    show_in_tree: true,
    alias_visible: true,
    ...given,
    id: noId,
    pagetitle: (given.pagetitle ?? '').trim(),
    menuindex: given.menuindex ?? (await nextMenuindex(work, { place, rules })),
    parent: place.parent,
    context_key: place.context,
    class_key: classKey,
    editedby: 0,
    editedon: null,
    ...publishNew(given, { byDefault: flag('publish_default', false), now, actor }),
    deleted,
    deletedon: deleted ? now : null,
    deletedby: deleted ? (given.deletedby ?? actor) : (given.deletedby ?? 0),
  };
}

/** The setting may name a removed template. */
async function defaultTemplate(work: ResourceWork, { settings }: ContextRules): Promise<number> {
  const id = integerSetting(settings, 'default_template', 0);
  return id > 0 && (await templateExists(work, id)) ? id : 0;
}

async function nextMenuindex(
  work: ResourceWork,
  { place, rules }: { readonly place: Place; readonly rules: ContextRules },
): Promise<number> {
  if (!rules.autoMenuindex) return 0;
  const last = await lastMenuindex(work.tx, work.table, place);
  return last === null ? 0 : Math.min(last + 1, 2_147_483_647);
}

async function settleAddress(
  work: UriWork,
  { draft, given }: { readonly draft: ResourceState; readonly given: Partial<ResourceState> },
): Promise<{ readonly row: ResourceState; readonly aliasProblem: string | null }> {
  const { uri: settings } = work.rulesOf(draft.context_key);
  const { alias, isAutomatic, problem } = decideAlias(given.alias ?? '', draft.pagetitle, settings);
  const row = { ...draft, alias };
  await work.rows.loadUpwards(row.parent);
  if (!settings.friendlyUrls) {
    const isTaken = isAutomatic && (await isTakenPath(work, row));
    return { row: isTaken ? { ...row, alias: '' } : row, aliasProblem: problem };
  }
  return { row: { ...row, uri: newUri(work, row) }, aliasProblem: problem };
}

/** Without friendly URLs an automatic alias that would lead to another resource's URI is left empty. */
async function isTakenPath(work: UriWork, row: ResourceState): Promise<boolean> {
  const rulesOf = (context: string) => {
    const rules = work.rulesOf(context);
    return { ...rules, uri: { ...rules.uri, friendlyUrls: true } };
  };
  const uri = newUri({ ...work, rulesOf }, { ...row, uri: null });
  const holders = await readUriHolders(work.tx, work.table, { uris: [uri ?? ''], context: row.context_key });
  return holders.some((holder) => holder.uri === uri);
}

/** A first child makes its parent a container, which changes its URI (docs/reference/storage.md#uris). */
function claimParent(work: UriWork, { parent, context_key: context }: ResourceState): void {
  if (!work.rulesOf(context).autoIsfolder || !work.rows.find(parent)) return;
  work.rows.change(parent, { isfolder: true });
  settleOwnUri(work, parent);
}

async function checkAddress(
  work: ResourceWork,
  { row, isGiven }: { readonly row: ResourceState; readonly isGiven: boolean },
): Promise<void> {
  const isChecked = isGiven || work.rulesOf(row.context_key).uri.friendlyUrls;
  const own: UriClaim[] = isChecked && !row.deleted && row.uri ? [{ holder: row, uriBefore: null }] : [];
  const clashes = await findClashes(work, [...own, ...uriClaims(work)]);
  const others = clashes.filter(({ id }) => id !== noId);
  const hidden = new Set(await hiddenClashes(work, others));
  // The path of the new row holds the aliases of its ancestors.
  const above = await work.rows.loadUpwards(row.parent);
  if (!mayPreview(work.caller) && above.some(({ published }) => !published)) hidden.add(noId);
  const isFrozen = row.uri_override && isGiven;
  await reportClashes(work, { clashes, own: noId, isFrozen, cause: 'parent', hidden });
}

/** The start page of a context is always published, and cannot be deleted. Its setting names the id. */
async function finishStartPage(work: ResourceWork, row: ResourceState): Promise<ResourceState> {
  if (row.deleted) checkDeletable(work, row);
  if (row.published || work.rulesOf(row.context_key).startPage !== row.id) return row;
  const published = {
    published: true,
    publishedon: row.publishedon ?? work.now,
    publishedby: row.publishedby || work.actor,
  };
  await updateResource(work.tx, work.table, { id: row.id, values: encodeState(published) });
  return { ...row, ...published };
}
