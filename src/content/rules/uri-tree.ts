/**
 * URI rules that need more than one branch of the tree: refreshing the URIs of a whole tree below changed resources,
 * and finding the resource that a URI collides with (docs/reference/storage.md#one-resource-for-each-uri).
 */
import { computeUri, type UriContentType, type UriResource, type UriSettings } from './uri.js';

export interface UriTree {
  /** All resources that may be ancestors or descendants, by id. */
  readonly resources: ReadonlyMap<number, UriResource>;
  readonly contentTypes: ReadonlyMap<number, UriContentType>;
  readonly settingsOf: (contextKey: string) => UriSettings;
}

export interface UriChange {
  readonly id: number;
  readonly uri: string | null;
}

/** The URI of one resource of the tree. */
export function uriOf(tree: UriTree, resource: UriResource): string | null {
  return computeUri({
    resource,
    ancestors: ancestorsOf(tree.resources, resource),
    contentType: tree.contentTypes.get(resource.contentType),
    settings: tree.settingsOf(resource.contextKey),
  });
}

/** From the parent upwards. A missing parent, or one met before, ends the walk. */
export function ancestorsOf(resources: ReadonlyMap<number, UriResource>, resource: UriResource): UriResource[] {
  const found: UriResource[] = [];
  const met = new Set([resource.id]);
  for (let at = resources.get(resource.parent); at !== undefined && !met.has(at.id); at = resources.get(at.parent)) {
    met.add(at.id);
    found.push(at);
  }
  return found;
}

/**
 * The URIs that differ from the stored ones in the descendants of a resource, level by level, after the tree already
 * holds the changed resource. Frozen URIs stay; what lies below a frozen resource is refreshed like everything else.
 */
export function refreshDescendantUris(tree: UriTree, rootId: number): UriChange[] {
  const childrenOf = new Map<number, UriResource[]>();
  for (const resource of tree.resources.values()) {
    const siblings = childrenOf.get(resource.parent);
    if (siblings) siblings.push(resource);
    else childrenOf.set(resource.parent, [resource]);
  }
  // With use_frozen_parent_uris a computed ancestor's own URI is never read, so the old ones may stay in the tree.
  const changes: UriChange[] = [];
  const met = new Set([rootId]);
  for (let level = [rootId]; level.length > 0; ) {
    const next: number[] = [];
    for (const child of level.flatMap((id) => childrenOf.get(id) ?? [])) {
      if (met.has(child.id)) continue;
      met.add(child.id);
      next.push(child.id);
      const uri = child.uriOverride ? child.uri : uriOf(tree, child);
      if (uri !== child.uri) changes.push({ id: child.id, uri });
    }
    level = next;
  }
  return changes;
}

export interface UriHolder {
  readonly id: number;
  readonly uri: string | null;
  readonly contextKey: string;
  readonly deleted: boolean;
}

/**
 * The resource that already has this URI: not deleted, same context (any context with `global_duplicate_uri_check`),
 * compared exactly. Pass the rows that the store finds by URI; its collation may compare more loosely.
 */
export function findUriClash(question: {
  readonly resource: UriHolder;
  readonly others: Iterable<UriHolder>;
  readonly allContexts: boolean;
}): UriHolder | undefined {
  const { resource, others, allContexts } = question;
  if (!resource.uri) return undefined;
  for (const other of others) {
    if (other.id === resource.id || other.deleted || other.uri !== resource.uri) continue;
    if (allContexts || other.contextKey === resource.contextKey) return other;
  }
  return undefined;
}
