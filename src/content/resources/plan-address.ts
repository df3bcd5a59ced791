/**
 * The part of an update that reaches beyond the row: alias and URIs, containers above, context and URIs below, deletion
 * and restoration of the branch (docs/reference/storage.md#uris).
 */
import type { Problems } from '../../errors/app-error.js';
import { type ResourceState, siteContent } from '../models/resources.js';
import { decideAlias } from '../rules/uri.js';
import { checkValues } from './check-values.js';
import type { PlannedRow, PlannedRows } from './planned-rows.js';
import { checkDeletable, planDeletion, planRestoration } from './remove-resource.js';
import type { ResourceWork } from './resource-write.js';
import {
  type ContentTypes,
  findClashes,
  hiddenClashes,
  reachesDescendants,
  reportClashes,
  settleDescendantUris,
  settleOwnUri,
  uriClaims,
} from './settle-uris.js';

/** An update while it is planned. */
export interface Planning {
  readonly given: Partial<ResourceState>;
  readonly before: ResourceState;
  readonly rows: PlannedRows;
  readonly contentTypes: ContentTypes;
  readonly problems: Problems;
}

/** Alias, URIs, container flags of parents, deletion or restoration; then no URI may be taken. */
export async function planAddress(work: ResourceWork, planning: Planning): Promise<void> {
  const { given, before, rows, contentTypes, problems } = planning;
  const id = before.id;
  const settling = { work, rows, contentTypes };
  const rules = work.rulesOf(rows.get(id).context_key);
  // An alias of another making that is sent back as it was read keeps its addresses.
  if (given.alias !== undefined && given.alias !== before.alias) {
    const { alias, problem } = decideAlias(given.alias, rows.get(id).pagetitle, rules.uri);
    if (problem !== null) problems.add('alias', problem);
    rows.change(id, { alias });
  }
  await rows.loadUpwards(rows.get(id).parent);
  await planContainers(work, planning);
  if (given.deleted === false && before.deleted) await planRestoration(rows, id);
  await moveDescendants(rows, before);
  settleOwnUri(settling, id);
  const row = rows.find(id);
  if (row && reachesDescendants(work, row)) {
    await rows.loadBelow(id);
    settleDescendantUris(settling, id);
  }
  if (given.deleted === true && !before.deleted) {
    checkDeletable(work, before);
    await planDeletion(work, { rows, id, deletedBy: given.deletedby ?? work.actor });
  }
  checkAddressValues(work, { before, after: rows.get(id), problems });
  const clashes = await findClashes(work, { claims: uriClaims(settling), rows });
  const after = rows.get(id);
  reportClashes(problems, {
    clashes,
    own: id,
    isFrozen: after.uri_override && Boolean(given.uri === undefined ? before.uri : given.uri),
    cause: causeOf(before, after),
    hidden: await hiddenClashes(work, { clashes, rows }),
  });
}

/** What was made of the given values must fit as well; what stays as it is does. */
function checkAddressValues(
  work: ResourceWork,
  { before, after, problems }: Pick<PlannedRow, 'before' | 'after'> & { readonly problems: Problems },
): void {
  if (after.alias !== before.alias) checkValues(work, { alias: after.alias }, problems);
  if (after.uri !== before.uri) checkValues(work, { uri: after.uri }, problems);
}

function causeOf(before: ResourceState, after: ResourceState): string {
  if (before.parent !== after.parent) return 'parent';
  if (before.context_key !== after.context_key) return 'context_key';
  if (before.alias !== after.alias) return 'alias';
  return before.deleted && !after.deleted ? 'deleted' : 'uri';
}

/** Descendants move into another context with the resource (docs/reference/storage.md#changing-resources). */
async function moveDescendants(rows: PlannedRows, before: ResourceState): Promise<void> {
  const { context_key: context } = rows.get(before.id);
  if (context === before.context_key) return;
  for (const id of await rows.loadBelow(before.id)) rows.change(id, { context_key: context });
}

/** A new parent becomes a container; an old one without children is one no longer. */
async function planContainers(work: ResourceWork, { before, rows, contentTypes }: Planning): Promise<void> {
  const { parent } = rows.get(before.id);
  if (parent === before.parent) return;
  const settle = async (id: number, isfolder: boolean) => {
    const row = await rows.load(id);
    if (!row || !work.rulesOf(row.context_key).autoIsfolder) return;
    await rows.loadUpwards(id);
    rows.change(id, { isfolder });
    settleOwnUri({ work, rows, contentTypes }, id);
  };
  await settle(parent, true);
  const how = { attributes: ['id'], limit: 2 } as const;
  const children = await siteContent.on(work.tx, work.prefix).lookUpAll({ parent: before.parent }, how);
  if (children.every(({ id }) => id === before.id)) await settle(before.parent, false);
}
