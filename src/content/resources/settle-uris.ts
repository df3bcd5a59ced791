/** Computes the URIs of planned rows (docs/reference/storage.md#uris) and refuses taken ones. */

import { groupBy } from '../../values/batches.js';
import { readUriHolders } from '../models/resources.js';
import { mayPreview } from '../query/authorize.js';
import {
  changesUri,
  findUriClash,
  refreshDescendantUris,
  type UriHolder,
  type UriResource,
  type UriTree,
  uriOf,
} from '../rules/uri.js';
import type { PlannedRow } from './planned-rows.js';
import { isUsableContext, type ResourceWork, rightsTo, type UriWork } from './resource-write.js';

function treeOf({ rows, contentTypes, rulesOf }: UriWork): UriTree {
  return { resources: rows.planned, contentTypes, settingsOf: (context) => rulesOf(context).uri };
}

export function newUri(work: UriWork, resource: UriResource): string | null {
  return uriOf(treeOf(work), resource);
}

export function settleOwnUri(work: UriWork, id: number): void {
  const row = work.rows.find(id);
  if (row && changesUri(row.before, row.after)) work.rows.change(id, { uri: uriOf(treeOf(work), row.after) });
}

/** Contexts have different settings, and paths consist of aliases. */
export function reachesDescendants(work: ResourceWork, { before, after }: PlannedRow): boolean {
  if (before.context_key !== after.context_key) return true;
  const { friendlyUrls, useAliasPath, useFrozenParentUris } = work.rulesOf(after.context_key).uri;
  if (!friendlyUrls || !useAliasPath) return false;
  if (before.alias !== after.alias || before.alias_visible !== after.alias_visible) return true;
  if (before.parent !== after.parent) return true;
  // Only a frozen URI is a prefix of others.
  return useFrozenParentUris && (before.uri !== after.uri || before.uri_override !== after.uri_override);
}

export function settleDescendantUris(work: UriWork, id: number): void {
  for (const { id: changed, uri } of refreshDescendantUris(treeOf(work), id)) work.rows.change(changed, { uri });
}

export interface UriClaim {
  readonly holder: UriHolder;
  /** Null for a new or deleted row. Rows that shared a URI before do not clash. */
  readonly uriBefore: string | null;
}

export function uriClaims({ rows, rulesOf }: ResourceWork): UriClaim[] {
  return rows
    .changed()
    .filter(({ before, after }) => {
      if (after.deleted || !after.uri) return false;
      const moved = before.uri !== after.uri || before.context_key !== after.context_key;
      return moved || (before.deleted && rulesOf(after.context_key).uri.friendlyUrls);
    })
    .map(({ before, after }) => ({ holder: after, uriBefore: before.deleted ? null : before.uri }));
}

interface UriClash extends UriHolder {
  readonly taker: UriHolder | undefined;
}

export async function findClashes(work: ResourceWork, all: readonly UriClaim[]): Promise<UriClash[]> {
  const { tx, table, rows } = work;
  const clashes: UriClash[] = [];
  // Null = unique in all contexts.
  const contextOf = ({ holder: { context_key: key } }: UriClaim) => (work.rulesOf(key).globalUris ? null : key);
  for (const [context, claims] of groupBy(all, contextOf)) {
    const uris = [...new Set(claims.flatMap(({ holder }) => holder.uri ?? []))];
    const stored = await readUriHolders(tx, table, { uris, context });
    const others = stored.filter(({ id }) => rows.find(id) === undefined);
    const planned = stored.flatMap(({ id }) => rows.find(id)?.after ?? []);
    const byUri = groupBy<UriHolder, string>([...others, ...planned], ({ uri }) => uri ?? '');
    const taken = new Map<string, UriClaim>();
    for (const claim of claims) {
      const { holder, uriBefore } = claim;
      const rivals = byUri.get(holder.uri ?? '') ?? [];
      const name = JSON.stringify([context === null ? null : holder.context_key, holder.uri]);
      const earlier = taken.get(name);
      taken.set(name, earlier ?? claim);
      const clash = findUriClash({ resource: holder, others: rivals, allContexts: context === null });
      const clashesWithin = earlier !== undefined && (earlier.uriBefore !== uriBefore || uriBefore === null);
      if (clashesWithin || (clash !== undefined && !sharedBefore(claim, rows.find(clash.id)))) {
        clashes.push({ ...holder, taker: clash });
      }
    }
  }
  return clashes;
}

function sharedBefore({ uriBefore }: UriClaim, other: PlannedRow | undefined): boolean {
  return (
    other !== undefined && uriBefore !== null && other.before.uri === uriBefore && other.before.uri !== other.after.uri
  );
}

/** Clashing rows that the caller may not read, and rows whose path holds aliases of such rows. */
export async function hiddenClashes(work: ResourceWork, clashes: readonly UriHolder[]): Promise<ReadonlySet<number>> {
  const hidden = new Set<number>();
  const previews = mayPreview(work.caller);
  for (const { id, context_key } of clashes) {
    const [self, ...above] = await work.rows.loadUpwards(id);
    const isOpen = isUsableContext(work, context_key);
    const isShown = self !== undefined && [self, ...above].every(({ published }) => published || previews);
    if (!isOpen || !isShown || !(await rightsTo(work, { id, context_key })).mayLoad) hidden.add(id);
  }
  return hidden;
}

export async function reportClashes(
  work: ResourceWork,
  asked: {
    readonly clashes: readonly UriClash[];
    readonly own: number;
    readonly isFrozen: boolean;
    readonly cause: string;
    readonly hidden: ReadonlySet<number>;
  },
): Promise<void> {
  const { problems } = work;
  const others = asked.clashes.filter(({ id }) => id !== asked.own && !asked.hidden.has(id));
  const [own] = asked.clashes.filter(({ id }) => id === asked.own);
  if (own) {
    const taker = own.taker && !(await hiddenClashes(work, [own.taker])).has(own.taker.id) ? own.taker : null;
    const whose = taker ? `resource ${taker.id}` : 'another resource';
    const [problem, advice] = asked.hidden.has(own.id)
      ? ['the address is taken', '']
      : [
          `the URI "${own.uri}" is taken by ${whose} of the context ${(taker ?? own).context_key}`,
          '; give another alias',
        ];
    // On `uri`, and on `alias` too unless the URI is frozen (docs/reference/gateway.md#writes).
    problems.add('uri', problem);
    if (!asked.isFrozen) problems.add('alias', problem + advice);
  }
  const [other] = others;
  if (!other) {
    const isHidden = asked.clashes.some(({ id }) => id !== asked.own);
    if (isHidden) problems.add(asked.cause, 'an address that would follow from it is taken');
    return;
  }
  const more = others.length > 1 ? ` (and ${others.length - 1} more like it)` : '';
  problems.add(
    asked.cause,
    `resource ${other.id} would get the URI "${other.uri}", which another resource of the context ${other.context_key} has${more}`,
  );
}
